//! `cargo xtask ht-bench`: all cases of the hthreads programs of `hthreads/toolchain/tests/`, at all
//! levels of optimisation.

use crate::{packages, platform};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Runs the cases and prints a table of groups.
///
/// # Errors
/// A case has failed, or the cases cannot be run.
pub fn run() -> Result<()> {
    packages::install(packages::NEEDED)?;
    let arguments = "test --release --quiet --package m3cc --test m3cc -- --ignored --nocapture \
        --exact bench::in_full";
    let mut child = platform::cargo()
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo")?;
    let output = child.stdout.take().context("no output of cargo")?;
    // The rest is what the test program says of the one test that has the cases.
    for line in BufReader::new(output).lines() {
        let line = line?;
        if line.starts_with('|') {
            println!("{line}");
        }
    }
    if !child.wait()?.success() {
        bail!("cases have failed");
    }
    Ok(())
}
