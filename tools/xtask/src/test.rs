//! `cargo xtask test`: runs the workspace's tests, the short clients and an installation.

use crate::{clients, command, package, packages, platform};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Runs all tests; the last line has the numbers of passed and failed ones.
///
/// # Errors
/// A test failed, or the tests cannot be built.
pub fn run() -> Result<()> {
    packages::install(packages::NEEDED)?;
    packages::install(packages::FOR_TESTS)?;
    platform::build()?;
    let (tests_passed, tests_failed, cargo_succeeded) = workspace()?;
    let (clients_passed, clients_failed) = clients::run_short()?;
    let (mut passed, mut failed) = (tests_passed + clients_passed, tests_failed + clients_failed);
    match package::try_installation() {
        Ok(()) => passed += 1,
        Err(error) => {
            println!("an installation: {error:#}");
            failed += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed > 0 || !cargo_succeeded {
        bail!("the tests failed");
    }
    Ok(())
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

/// The numbers of passed and failed tests, and whether cargo succeeded.
fn workspace() -> Result<(usize, usize, bool)> {
    let mut cargo = platform::cargo();
    cargo
        .args(["test", "--release", "--workspace", "--no-fail-fast"])
        .stdout(Stdio::piped());
    let mut child = cargo.spawn().context("cannot start cargo")?;
    let stdout = child.stdout.take().context("its output is a pipe")?;
    let (mut passed, mut failed) = (0, 0);
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        println!("{line}");
        // "test result: ok. 3 passed; 0 failed; 0 ignored; …"
        if let Some(result) = line.strip_prefix("test result: ") {
            passed += count(result, " passed");
            failed += count(result, " failed");
        }
    }
    let succeeded = child.wait()?.success();
    Ok((passed, failed, succeeded))
}

/// The number before `word` in a test result.
fn count(result: &str, word: &str) -> usize {
    result
        .split([';', '.'])
        .find_map(|part| part.trim().strip_suffix(word.trim())?.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_read_from_the_line_that_cargo_prints() {
        let line =
            "FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.15s";
        assert_eq!(count(line, " passed"), 12);
        assert_eq!(count(line, " failed"), 3);
        assert_eq!(count("ok.", " passed"), 0);
    }
}
