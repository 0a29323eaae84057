//! `cargo xtask spelling`: runs the spell checker `typos` on all files, with `typos.toml`.

use crate::{command, platform, python};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// The PyPI package that contains the program.
const PACKAGE: &str = "typos==1.52.0";

/// Installs the checker if it is missing; returns its path.
///
/// # Errors
/// No Python, or PyPI cannot be reached.
pub fn install() -> Result<PathBuf> {
    Ok(python::environment("spelling", &[PACKAGE])?.join("bin/typos"))
}

/// Checks all files under version control.
///
/// # Errors
/// A word is misspelt, or the checker cannot be installed.
pub fn run() -> Result<()> {
    command::run(Command::new(install()?).current_dir(platform::root()))
}
