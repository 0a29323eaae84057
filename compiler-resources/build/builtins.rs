//! Compiles the builtin library (OpenCL C in `builtins/`) to bitcode, several parts per source
//! file, prepares it as programs are prepared, and writes an index from each builtin to its part.

use super::llvm::Installation;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The passes that prepare a program.
const PREPARE: &str = include_str!("../prepare.passes");

/// Most builtins of a part. A program reads the declarations of all builtins of the parts that it
/// uses; consecutive names are mostly overloads of one builtin.
const PART_LENGTH: usize = 64;

/// The flags of user programs. The library is compiled with the same ones, so that mangled
/// names and calling conventions agree.
const FLAGS: &str = include_str!("../front-end.flags");

/// Declares builtins on demand, in user programs only. The library includes clang's header with
/// all prototypes, so that clang checks its definitions against them.
const ON_DEMAND: &str = "-fdeclare-opencl-builtins";

/// The file with what OpenCL C 3.0 adds; all others are OpenCL C 1.2.
const LATER: &str = "opencl_c_3.cl";

const LATER_FLAGS: &[&str] = &[
    "-cl-std=CL3.0",
    "-cl-ext=-all,+cl_khr_fp16,+cl_khr_fp64,+__opencl_c_fp64,+cl_khr_byte_addressable_store,\
     +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+__opencl_c_images,\
     +__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst,\
     +__opencl_c_atomic_scope_device",
];

fn version_flags(source: &Path) -> &'static [&'static str] {
    match source.ends_with(LATER) {
        true => LATER_FLAGS,
        false => &["-cl-std=CL1.2"],
    }
}

/// A part of the library.
struct Part {
    object: PathBuf,
    defined: Vec<String>,
    undefined: Vec<String>,
}

/// Writes `<out>/builtins.rs`: `PARTS`, the bitcode of the parts, in topological order (a part
/// uses an earlier one only if their dependencies form a cycle); and `DEFINED_IN`, the sorted
/// names of builtins, each with the index of its part.
pub fn build(llvm: &Installation, out: &Path) {
    let folder = Path::new("builtins");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=front-end.flags");
    println!("cargo::rerun-if-changed=prepare.passes");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the builtin library is part of the crate")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    sources.sort();
    let files = in_parallel(sources, |source| compile(llvm, &source, out));
    let pieces = files.iter().flat_map(|(file, names)| {
        let pieces = names.chunks(PART_LENGTH).enumerate();
        pieces.map(move |(number, names)| (file.as_path(), number, names))
    });
    let parts = in_parallel(pieces.collect(), |(file, number, names)| {
        extract(llvm, file, number, names)
    });
    let parts = users_first(parts);
    let mut names = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        names.extend(part.defined.iter().map(|name| (name.clone(), index)));
    }
    names.sort();
    let objects: Vec<PathBuf> = parts.into_iter().map(|part| part.object).collect();
    write_index(out, &objects, &names);
}

/// Compiles a source file. Returns its bitcode and the names that it defines.
fn compile(llvm: &Installation, source: &Path, out: &Path) -> (PathBuf, Vec<String>) {
    let name = source.file_name().expect("the file has a name");
    let object = out.join(name).with_extension("bc");
    run(Command::new(&llvm.clang)
        .arg("-cc1")
        .args(FLAGS.lines().filter(|flag| *flag != ON_DEMAND))
        // Programs pass pointers to objects of another type: vstore_half to ushort
        // is common.
        .args(version_flags(source))
        .args(["-relaxed-aliasing", "-internal-isystem"])
        .arg(llvm.resources.join("include"))
        .args(["-Werror", "-emit-llvm-bc", "-o"])
        .arg(&object)
        .arg(source));
    let names = symbols(llvm, "--defined-only", &object);
    (object, names)
}

/// Extracts the definitions of `names` from a file and prepares them.
fn extract(llvm: &Installation, file: &Path, number: usize, names: &[String]) -> Part {
    let object = file.with_extension(format!("{number}.bc"));
    run(Command::new(llvm.tool("opt"))
        .arg(format!(
            "-passes=internalize,globaldce,{}",
            PREPARE.trim_end()
        ))
        .arg(format!("-internalize-public-api-list={}", names.join(",")))
        .arg(file)
        .arg("-o")
        .arg(&object));
    Part {
        defined: names.to_vec(),
        undefined: symbols(llvm, "--undefined-only", &object),
        object,
    }
}

/// The results of `work` on each of `inputs`, in their order.
fn in_parallel<T: Send, R: Send>(inputs: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let inputs = Mutex::new(inputs.into_iter().enumerate());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = inputs.lock().expect("no thread panics with it").next();
                    let Some((index, input)) = next else { break };
                    let result = work(input);
                    let mut results = results.lock().expect("no thread panics with it");
                    results.push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Writes `<out>/builtins.rs` for these parts and these sorted names.
pub fn write_index(out: &Path, objects: &[PathBuf], names: &[(String, usize)]) {
    let mut text = String::from(
        "/// The bitcode of the builtin library's parts: users before the parts that they use.\n\
         pub const PARTS: &[&[u8]] = &[\n",
    );
    for object in objects {
        writeln!(text, "    include_bytes!({object:?}),").expect("strings grow");
    }
    text.push_str(
        "];\n/// The sorted names of builtins, each with the index of its part.\n\
         pub static DEFINED_IN: &[(&str, u16)] = &[\n",
    );
    for (name, part) in names {
        writeln!(text, "    ({name:?}, {part}),").expect("strings grow");
    }
    text.push_str("];\n");
    std::fs::write(out.join("builtins.rs"), text).expect("cargo's folder can be written");
}

/// The parts in topological order: users before the parts that they use.
fn users_first(parts: Vec<Part>) -> Vec<Part> {
    fn visit(part: usize, uses: &[Vec<usize>], order: &mut Vec<usize>, seen: &mut [bool]) {
        if !std::mem::replace(&mut seen[part], true) {
            for &used in &uses[part] {
                visit(used, uses, order, seen);
            }
            order.push(part);
        }
    }
    let mut defined_in = HashMap::new();
    for (index, part) in parts.iter().enumerate() {
        defined_in.extend(part.defined.iter().map(|name| (name.as_str(), index)));
    }
    let used = |name: &String| defined_in.get(name.as_str()).copied();
    let uses: Vec<Vec<usize>> = parts
        .iter()
        .map(|part| part.undefined.iter().filter_map(used).collect())
        .collect();
    let (mut order, mut seen) = (Vec::new(), vec![false; parts.len()]);
    for part in 0..parts.len() {
        visit(part, &uses, &mut order, &mut seen);
    }
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let users_first = order.into_iter().rev();
    users_first
        .map(|part| parts[part].take().expect("each is in the order once"))
        .collect()
}

/// External symbols that the object defines or, depending on `which`, leaves undefined, sorted.
fn symbols(llvm: &Installation, which: &str, object: &Path) -> Vec<String> {
    let nm = llvm.tool("llvm-nm");
    let output = Command::new(&nm)
        .args([which, "--extern-only", "--format=just-symbols"])
        .arg(object)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", nm.display()));
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("names are ASCII");
    text.lines().map(str::to_owned).collect()
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
}
