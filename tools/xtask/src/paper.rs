//! `cargo xtask paper`: runs `tools/validation`, which compares published and simulated figures.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::Result;
use std::process::Command;

/// Measures and prints all figures. With `write`, also writes docs/generated/validation.md; with
/// `short`, clpeak does less than a tenth of its work.
///
/// # Errors
/// A program cannot be built, or a figure not be measured.
pub fn run(write: bool, short: bool) -> Result<()> {
    packages::install(packages::NEEDED)?;
    platform::build()?;
    let built = [
        "build",
        "--release",
        "--package",
        "mocl3",
        "--package",
        "validation",
        "--package",
        "m3cc",
        "--package",
        "hthread-host",
    ];
    command::run(platform::cargo().args(built))?;
    let mut paper = Command::new(platform::library_folder().join("validation"));
    Platform::Ours.point(&mut paper);
    // The other figures do not need clpeak.
    match packages::install(&["clpeak"]).and_then(|()| packages::version("clpeak")) {
        Ok(version) => {
            paper.args(["--clpeak", &version]);
        }
        Err(error) => eprintln!("without clpeak's figures: {error:#}"),
    }
    if short {
        paper.arg("--short");
    }
    if write {
        paper
            .arg("--write")
            .arg(platform::root().join("docs/generated/validation.md"));
    }
    command::run(&mut paper)
}
