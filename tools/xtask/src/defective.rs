//! The library with injected faults, for `cargo xtask conformance self-check`. It must not be
//! installed or packaged.

use crate::{command, platform};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The task of the program `conformance` that needs this library.
pub const TASK: &str = "self-check";

/// An environment variable whose name only this library contains.
const VARIABLE: &[u8] = b"MOCL3_DEFECT";

/// Builds the library in its own target folder, apart from the correct one.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<PathBuf> {
    let folder = platform::target().join(TASK);
    let mut cargo = platform::cargo();
    cargo.args(["build", "--release", "--package", "icd"]);
    cargo.args(["--features", "icd/defects", "--target-dir"]);
    command::run(cargo.arg(&folder))?;
    Ok(folder.join("release/libmocl3.so"))
}

/// Rejects a library with injected faults, which is for the check of the suite only.
///
/// # Errors
/// The library has injected faults, or cannot be read.
pub fn check_without_defects(library: &Path) -> Result<()> {
    let bytes = std::fs::read(library).with_context(|| library.display().to_string())?;
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

    #[test]
    fn a_library_that_can_have_defects_is_not_installed() {
        let path = std::env::temp_dir().join(format!("mocl3-{}.so", std::process::id()));
        std::fs::write(&path, b"\x7fELF\0MOCL3_DEFEKT\0MOCL3_CACHE").unwrap();
        let without = check_without_defects(&path);
        std::fs::write(&path, b"\x7fELF\0MOCL3_CACHEMOCL3_DEFECT").unwrap();
        let with = check_without_defects(&path);
        std::fs::remove_file(&path).unwrap();
        without.unwrap();
        assert!(with.unwrap_err().to_string().contains("`defects`"));
        assert!(check_without_defects(&path).is_err());
    }
}
