//! `cargo xtask conformance`: the suite of `conformance/` on a platform.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::Result;
use std::process::Command;

/// Builds the suite, and the library unless another platform is named, and runs it with
/// these arguments of its own.
///
/// # Errors
/// A case failed, or nothing could be built.
pub fn run(arguments: &[String]) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
    let mut suite = Command::new(platform::library_folder().join("conformance"));
    suite.args(arguments);
    // Another platform is one that the loader finds on this machine.
    if !arguments.iter().any(|word| word.starts_with("--platform")) {
        platform::build()?;
        Platform::Ours.point(&mut suite);
    }
    command::run(&mut suite)
}
