//! The platform under development, for the products' own tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that cargo built: in the folder of the executable, or in the folder for dependencies.
///
/// # Errors
/// The file does not exist.
pub fn library(executable: &Path) -> Result<PathBuf, &'static str> {
    let folder = executable.parent().ok_or("the executable has no folder")?;
    let candidates = [
        folder.join("libmocl3.so"),
        folder.join("deps").join("libmocl3.so"),
    ];
    candidates
        .into_iter()
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .max()
        .map(|(_, path)| path)
        .ok_or("there is no libmocl3.so: build the package icd first")
}

/// Runs a product on that library. Returns its standard output.
///
/// # Panics
/// The product fails, or reports a failure.
pub fn run_seeds(executable: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let executable = Path::new(executable);
    // ocl-icd accepts a library's path in place of a folder of .icd files.
    let run = Command::new(executable)
        .args(arguments)
        .envs(variables.iter().copied())
        .env("OCL_ICD_VENDORS", library(executable).expect("a library"))
        .output()
        .expect("the product can be started");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    // The output contains the seed.
    println!("{text}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{text}{errors}");
    assert!(text.contains(": 0 failed"), "{text}");
    text
}
