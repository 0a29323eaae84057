//! The library with which the commands are tested, and programs for it.
#![allow(dead_code, reason = "not all tests need all")]

use std::path::{Path, PathBuf};

/// The library that cargo built last.
pub fn library() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_mocl3")).parent().unwrap();
    let places = [folder.join("libmocl3.so"), folder.join("deps/libmocl3.so")];
    places
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("build the package icd before, or test the whole workspace")
}

/// Compiles a C program that uses OpenCL.
pub fn compile(source: &Path, program: &Path) {
    let mut compiler = assert_cmd::Command::new("cc");
    compiler.args(["-w", "-o"]).args([program, source]);
    compiler.arg("-lOpenCL").assert().success();
}

/// Writes the file that names the library to loaders into a folder.
pub fn write_icd(folder: &Path) {
    let text = format!("{}\n", library().display());
    std::fs::write(folder.join("mocl3.icd"), text).unwrap();
}
