//! `cargo xtask accuracy`: the sweep of `tools/accuracy/` on any platform.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::Result;
use std::process::Command;

/// The default platform.
pub const OURS: &str = "MOCL3";

/// Runs the sweep. A sweep of all of MOCL3's functions also writes docs/generated/accuracy.md.
///
/// # Errors
/// A function exceeds its limit, or the sweep cannot be run.
pub fn run(name: &str, function: Option<&str>, samples: Option<usize>) -> Result<()> {
    packages::install(packages::NEEDED)?;
    platform::build()?;
    command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
    let mut sweep = Command::new(platform::library_folder().join("conformance"));
    sweep.args(["accuracy", "--platform", name]);
    if let Some(function) = function {
        sweep.args(["--function", function]);
    }
    if let Some(samples) = samples {
        sweep.args(["--samples", &samples.to_string()]);
    }
    if name == OURS {
        Platform::Ours.point(&mut sweep);
        if function.is_none() {
            sweep
                .arg("--write")
                .arg(platform::root().join("docs/generated/accuracy.md"));
        }
    }
    command::run(&mut sweep)
}
