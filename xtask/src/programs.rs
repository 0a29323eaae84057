//! `cargo xtask programs`: the complete programs of `conformance/` on a platform.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::Result;
use std::process::Command;

/// Builds the programs, and the library unless another platform is named, and runs them.
///
/// # Errors
/// A program failed, or nothing could be built.
pub fn run(name: Option<&str>, options: &str, filter: &str) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
    let mut programs = Command::new(platform::library_folder().join("conformance"));
    programs.args(["programs", "--filter", filter]);
    programs.arg(format!("--options={options}"));
    if let Some(name) = name {
        // Whatever the loader finds on this machine.
        programs.args(["--platform", name]);
    } else {
        platform::build()?;
        Platform::Ours.point(&mut programs);
    }
    command::run(&mut programs)
}
