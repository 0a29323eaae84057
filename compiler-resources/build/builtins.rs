//! Compiles the builtin library (OpenCL C in `builtins/`) to bitcode, one part per source
//! file, and writes an index from each builtin to its part.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Writes `<out>/builtins.rs`: `PARTS`, the bitcode of the parts, in topological order (a part
/// uses an earlier one only if their dependencies form a cycle); and `DEFINED_IN`, the sorted
/// names of builtins, each with the index of its part.
pub fn build(clang: &Path, nm: &Path, resources: &Path, out: &Path) {
    let folder = Path::new("builtins");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=front-end.flags");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of the builtin library is part of the crate")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    sources.sort();
    let objects: Vec<PathBuf> = sources
        .iter()
        .map(|source| out.join(source.file_name().unwrap()).with_extension("bc"))
        .collect();
    std::thread::scope(|scope| {
        for (source, object) in sources.iter().zip(&objects) {
            scope.spawn(move || {
                run(Command::new(clang)
                    .arg("-cc1")
                    .args(FLAGS.lines().filter(|flag| *flag != ON_DEMAND))
                    // Programs pass pointers to objects of another type: vstore_half to ushort
                    // is common.
                    .args(version_flags(source))
                    .args(["-relaxed-aliasing", "-internal-isystem"])
                    .arg(resources.join("include"))
                    .args(["-Werror", "-emit-llvm-bc", "-o"])
                    .arg(object)
                    .arg(source));
            });
        }
    });
    let objects = users_first(nm, objects);
    let mut names = Vec::new();
    for (part, object) in objects.iter().enumerate() {
        let defined = symbols(nm, "--defined-only", object);
        names.extend(defined.into_iter().map(|name| (name, part)));
    }
    names.sort();
    write_index(out, &objects, &names);
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
         pub static DEFINED_IN: &[(&str, u8)] = &[\n",
    );
    for (name, part) in names {
        writeln!(text, "    ({name:?}, {part}),").expect("strings grow");
    }
    text.push_str("];\n");
    std::fs::write(out.join("builtins.rs"), text).expect("cargo's folder can be written");
}

/// The parts in topological order: users before the parts that they use.
fn users_first(nm: &Path, objects: Vec<PathBuf>) -> Vec<PathBuf> {
    fn visit(part: usize, uses: &[Vec<usize>], order: &mut Vec<usize>, seen: &mut [bool]) {
        if !std::mem::replace(&mut seen[part], true) {
            for &used in &uses[part] {
                visit(used, uses, order, seen);
            }
            order.push(part);
        }
    }
    let defined: Vec<HashSet<String>> = objects
        .iter()
        .map(|object| symbols(nm, "--defined-only", object).into_iter().collect())
        .collect();
    let uses: Vec<Vec<usize>> = objects
        .iter()
        .map(|object| {
            let undefined = symbols(nm, "--undefined-only", object);
            (0..objects.len())
                .filter(|&part| undefined.iter().any(|name| defined[part].contains(name)))
                .collect()
        })
        .collect();
    let (mut order, mut seen) = (Vec::new(), vec![false; objects.len()]);
    for part in 0..objects.len() {
        visit(part, &uses, &mut order, &mut seen);
    }
    order
        .into_iter()
        .rev()
        .map(|part| objects[part].clone())
        .collect()
}

/// External symbols that the object defines or, depending on `which`, leaves undefined.
fn symbols(nm: &Path, which: &str, object: &Path) -> Vec<String> {
    let output = Command::new(nm)
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
