//! What the tests run.

use std::path::{Path, PathBuf};

/// The harness.
pub const EXECUTABLE: &str = env!("CARGO_BIN_EXE_bench");

/// The library that cargo built last: beside the executable, or among the dependencies.
pub fn library() -> PathBuf {
    let folder = Path::new(EXECUTABLE).parent().unwrap();
    [folder.to_owned(), folder.join("deps")]
        .map(|folder| folder.join("libmocl3.so"))
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("the library is built before: cargo build --release --package icd")
}
