//! The folder in which packages are built.

use crate::platform;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the packages.
pub fn folder() -> PathBuf {
    platform::target().join("package")
}

/// Creates the folder; if it exists, empties it.
pub fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// The only file with this extension in a folder.
pub fn only(folder: &Path, extension: &str) -> Result<PathBuf> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries
        .into_iter()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|one| one == extension))
        .with_context(|| format!("no .{extension} file was made in {}", folder.display()))
}

/// Prints a package's path and size.
pub fn print_size(package: &Path) -> Result<()> {
    let bytes = fs::metadata(package)?.len();
    println!("{} ({} MB)", package.display(), bytes.div_ceil(1_000_000));
    Ok(())
}
