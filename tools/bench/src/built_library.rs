//! The path of the library that cargo built, for tests.

use std::path::{Path, PathBuf};

/// The library that cargo built last: next to an executable of the workspace, or among the
/// dependencies.
///
/// # Panics
/// There is none.
pub fn built_library(executable: &str) -> PathBuf {
    let folder = Path::new(executable)
        .parent()
        .expect("executables are in a folder");
    let modified = |path: &PathBuf| path.metadata().and_then(|file| file.modified()).ok();
    [folder.to_owned(), folder.join("deps")]
        .map(|folder| folder.join("libmocl3.so"))
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(modified)
        .expect("the library is built before: cargo build --release --package icd")
}
