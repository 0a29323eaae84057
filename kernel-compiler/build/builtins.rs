//! Compiles the builtin library (OpenCL C in `builtins/`) to one bitcode file.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What user programs are compiled with as well, so that names and calling
/// conventions agree.
const FLAGS: &str = include_str!("../front-end.flags");

/// The library declares its builtins with clang's header of all of them, not with
/// declarations on demand as programs do: the header's prototypes check ours.
const ON_DEMAND: &str = "-fdeclare-opencl-builtins";

/// Writes `<out>/builtins.bc`.
pub fn build(clang: &Path, link: &Path, resources: &Path, out: &Path) {
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
                    // Programs hand over pointers to what they declared with another type:
                    // vstore_half to ushort is common.
                    .args(["-cl-std=CL1.2", "-relaxed-aliasing", "-internal-isystem"])
                    .arg(resources.join("include"))
                    .args(["-Werror", "-emit-llvm-bc", "-o"])
                    .arg(object)
                    .arg(source));
            });
        }
    });
    run(Command::new(link)
        .arg("-o")
        .arg(out.join("builtins.bc"))
        .args(&objects));
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
}
