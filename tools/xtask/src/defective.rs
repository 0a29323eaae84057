//! The library with injected faults, for `cargo xtask conformance self-check`. It must not be
//! installed or packaged.

use crate::{command, platform};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The task of the program `conformance` that needs this library.
pub const TASK: &str = "self-check";

/// The library's file name.
const LIBRARY: &str = "libmocl3.so";

/// An environment variable whose name only this library contains.
const VARIABLE: &[u8] = b"MOCL3_DEFECT";

/// The packages that the feature `defects` changes, and those above them.
const WITH_DEFECTS: &[&str] = &[
    "host-exec",
    "icd",
    "kernel-compiler",
    "runtime",
    "vendor-kernels",
];

/// Builds the library and moves it to a folder of its own. The correct one is in its place again
/// afterwards.
///
/// # Errors
/// cargo's, or the library cannot be copied.
pub fn build() -> Result<PathBuf> {
    // In the same target folder: the packages without defects are not built twice.
    let mut cargo = platform::cargo();
    cargo.args(["build", "--release", "--package", "icd"]);
    cargo.args(["--features", "icd/defects"]);
    // Optimising takes longer than the cases.
    for package in WITH_DEFECTS {
        let setting = format!("profile.release.package.{package}.opt-level=0");
        cargo.args(["--config", &setting]);
    }
    let copied = command::run(&mut cargo).and_then(|()| copy());
    platform::build()?;
    copied
}

/// Copies the library that was built last.
fn copy() -> Result<PathBuf> {
    let folder = platform::target().join(TASK);
    fs::create_dir_all(&folder)?;
    let (built, copy) = (
        platform::library_folder().join(LIBRARY),
        folder.join(LIBRARY),
    );
    fs::copy(&built, &copy).with_context(|| format!("{} cannot be copied", built.display()))?;
    Ok(copy)
}

/// Rejects a library with injected faults, which is for the check of the suite only.
///
/// # Errors
/// The library has injected faults, or cannot be read.
pub fn check_without_defects(library: &Path) -> Result<()> {
    let bytes = fs::read(library).with_context(|| library.display().to_string())?;
    let mut places = bytes.windows(VARIABLE.len());
    if places.any(|place| place == VARIABLE) {
        bail!(
            "{} was built with the feature `defects` and must not be installed",
            library.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_without_defects;
    use std::fs;

    #[test]
    fn a_library_that_can_have_defects_is_not_installed() {
        let path = std::env::temp_dir().join(format!("mocl3-{}.so", std::process::id()));
        fs::write(&path, b"\x7fELF\0MOCL3_DEFEKT\0MOCL3_CACHE").unwrap();
        let without = check_without_defects(&path);
        fs::write(&path, b"\x7fELF\0MOCL3_CACHEMOCL3_DEFECT").unwrap();
        let with = check_without_defects(&path);
        fs::remove_file(&path).unwrap();
        without.unwrap();
        assert!(with.unwrap_err().to_string().contains("`defects`"));
        assert!(check_without_defects(&path).is_err());
    }
}
