//! A Python environment of the project's own, with packages from PyPI.

use crate::{command, platform};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The folder of an environment that holds `packages`, made at first use.
///
/// # Errors
/// No Python, or PyPI cannot be reached.
pub fn environment(name: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = platform::target().join(name);
    let complete = folder.join("complete");
    if complete.exists() {
        return Ok(folder);
    }
    command::run(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder),
    )?;
    command::run(
        Command::new(folder.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(packages),
    )?;
    std::fs::write(complete, "")?;
    Ok(folder)
}
