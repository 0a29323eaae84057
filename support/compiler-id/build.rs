//! Hashes the files of the crates that determine what the kernel compiler gives.

#[path = "src/crates.rs"]
mod crates;

use crates::CRATES;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::Result;
use std::path::{Path, PathBuf};

/// What a crate's folder contains that has no influence.
const WITHOUT_INFLUENCE: &[&str] = &["tests", "README.md"];

fn main() -> Result<()> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let root = Path::new(&manifest).join("../..");
    let mut files = vec![root.join("Cargo.lock")];
    println!("cargo::rerun-if-changed={}", files[0].display());
    for folder in CRATES {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let name = entry.file_name();
            if !WITHOUT_INFLUENCE.iter().any(|without| name == *without) {
                println!("cargo::rerun-if-changed={}", entry.path().display());
                find_files(entry.path(), &mut files)?;
            }
        }
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let path = file.strip_prefix(&root).expect("it is in the project");
        (path, fs::read(&file)?).hash(&mut hasher);
    }
    println!(
        "cargo::rustc-env=MOCL3_COMPILER_ID={:016x}",
        hasher.finish()
    );
    Ok(())
}

fn find_files(path: PathBuf, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path);
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        find_files(entry?.path(), files)?;
    }
    Ok(())
}
