//! What the tests use of other packages.

use std::path::{Path, PathBuf};

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
