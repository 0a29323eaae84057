//! What the tests use of other packages.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that cargo built, beside the executable or in the folder for dependencies.
pub fn library(executable: &Path) -> Result<PathBuf, &'static str> {
    let folder = executable.parent().unwrap();
    let places = [
        folder.join("libmocl3.so"),
        folder.join("deps").join("libmocl3.so"),
    ];
    places
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .ok_or("there is no libmocl3.so: build the package icd first")
}

/// Runs the program, which makes its input from seeds, on that library; what it printed.
///
/// # Panics
/// It failed, or says that something did.
#[allow(dead_code, reason = "not all tests use it")]
pub fn run_seeds(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let executable = Path::new(env!("CARGO_BIN_EXE_conformance"));
    // ocl-icd takes a library's path for a folder with one .icd file.
    let run = Command::new(executable)
        .args(arguments)
        .envs(variables.iter().copied())
        .env("OCL_ICD_VENDORS", library(executable).unwrap())
        .output()
        .unwrap();
    // The seed is among it.
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    println!("{text}");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{text}{errors}");
    assert!(text.contains(": 0 failed"), "{text}");
    text
}
