//! The built library, and how programs are pointed at it.

use crate::command;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The project's folder.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Where the release library is.
pub fn library_folder() -> PathBuf {
    target().join("release")
}

/// A cargo command in the project's folder.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Builds the release library.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<()> {
    command::run(cargo().args(["build", "--release", "--package", "icd"]))
}

/// The folder of the loader's `.icd` file.
fn vendors() -> PathBuf {
    root().join("vendors")
}

/// Makes `program` find MOCL3, and no other platform.
pub fn point(program: &mut Command) -> &mut Command {
    let mut path = library_folder().into_os_string();
    if let Some(before) = std::env::var_os("LD_LIBRARY_PATH") {
        path.push(":");
        path.push(before);
    }
    program
        .env("OCL_ICD_VENDORS", vendors())
        .env("LD_LIBRARY_PATH", path)
}

/// The same for a shell, which finds the `mocl3` command as well.
pub fn exports() -> String {
    format!(
        "export OCL_ICD_VENDORS='{}'\n\
         export LD_LIBRARY_PATH='{folder}'\"${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\"\n\
         export PATH='{folder}'\":$PATH\"\n",
        vendors().display(),
        folder = library_folder().display()
    )
}
