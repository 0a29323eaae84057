//! `cargo xtask test`: runs the workspace's tests, the short clients and an installation.

mod jobs;
mod programs;

use crate::{clients, command, package, packages, platform};
use anyhow::{Result, bail};
use jobs::{Job, Outcome};

/// Runs all tests; the last line has the numbers of passed and failed ones.
///
/// # Errors
/// A test failed, or the tests cannot be built.
pub fn run() -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_TESTS)?;
    platform::build()?;
    let programs = programs::build()?;
    let mut jobs: Vec<Job<'_>> = programs
        .iter()
        .map(|program| job(&program.name, || program.run()))
        .collect();
    // As long as the longest programs.
    jobs.insert(1, job("the short clients", short_clients));
    jobs.push(job("examples in documentation", documentation));
    jobs.push(job("an installation", installation));
    let (passed, failed) = jobs::run(jobs);
    println!("{passed} passed, {failed} failed");
    if failed > 0 {
        bail!("the tests failed");
    }
    Ok(())
}

fn job<'a>(name: &str, run: impl FnOnce() -> Result<Outcome> + Send + 'a) -> Job<'a> {
    Job {
        name: name.to_owned(),
        run: Box::new(run),
    }
}

fn short_clients() -> Result<Outcome> {
    let (passed, failed) = clients::run_short()?;
    Ok(Outcome {
        passed,
        failed,
        ..Outcome::default()
    })
}

fn documentation() -> Result<Outcome> {
    let mut cargo = platform::cargo();
    cargo.args([
        "test",
        "--release",
        "--workspace",
        "--doc",
        "--no-fail-fast",
    ]);
    programs::outcome(&mut cargo)
}

fn installation() -> Result<Outcome> {
    package::try_installation()?;
    Ok(Outcome {
        passed: 1,
        ..Outcome::default()
    })
}

/// Runs the before/after tests of the compiler's passes; with `update`, writes their expectations.
///
/// # Errors
/// A test failed, or nothing could be built.
pub fn passes(update: bool, filter: Option<&str>) -> Result<()> {
    let mut cargo = platform::cargo();
    cargo.args(["test", "--release", "--package", "kernel-compiler"]);
    cargo.args(["--test", "passes", "--"]).args(filter);
    if update {
        cargo.env("UPDATE_EXPECT", "1");
    }
    command::run(&mut cargo)
}
