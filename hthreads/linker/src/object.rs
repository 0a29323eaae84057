//! Reads object files.

use anyhow::{Context, Result};
use device_image::ObjectFile;
use std::path::Path;

/// Reads a file.
///
/// # Errors
/// It cannot be read, or is not the compiler's or the linker's.
pub fn read(path: &Path) -> Result<ObjectFile> {
    let name = path.display().to_string();
    let contents = std::fs::read(path).with_context(|| name.clone())?;
    parse(&name, &contents)
}

/// The object file with these contents, of a file of that name.
///
/// # Errors
/// As `read`.
pub fn parse(name: &str, contents: &[u8]) -> Result<ObjectFile> {
    ObjectFile::parse(contents)
        .with_context(|| format!("{name}: file not recognized: not made by this m3cc"))
}
