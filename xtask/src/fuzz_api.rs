//! `cargo xtask fuzz-api`: random sequences of API calls on the built library.

use crate::platform::Platform;
use crate::{command, packages, platform};
use anyhow::Result;
use std::process::Command;

/// Builds the runner and the library, and makes calls.
///
/// # Errors
/// A sequence failed, or nothing could be built.
pub fn run(arguments: &[String]) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
    platform::build()?;
    let mut runner = Command::new(platform::library_folder().join("conformance"));
    runner.arg("fuzz-api").args(arguments);
    command::run(Platform::Ours.point(&mut runner))
}
