//! `cargo xtask random-kernels`: the random kernels of `conformance/` on a platform.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::Result;
use std::process::Command;

/// Builds the runner, and the library unless another platform is named, and runs kernels.
///
/// # Errors
/// A kernel failed, or nothing could be built.
pub fn run(
    kernels: u64,
    seed: Option<u64>,
    name: Option<&str>,
    jobs: Option<usize>,
    reducible: bool,
) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "conformance"]))?;
    let mut runner = Command::new(platform::library_folder().join("conformance"));
    runner.args(["random-kernels", "--kernels", &kernels.to_string()]);
    if let Some(seed) = seed {
        runner.args(["--seed", &seed.to_string()]);
    }
    if let Some(jobs) = jobs {
        runner.args(["--jobs", &jobs.to_string()]);
    }
    if reducible {
        runner.arg("--reducible");
    }
    if let Some(name) = name {
        // Whatever the loader finds on this machine.
        runner.args(["--platform", name]);
    } else {
        platform::build()?;
        Platform::Ours.point(&mut runner);
    }
    command::run(&mut runner)
}
