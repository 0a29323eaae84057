//! Running other programs.

use anyhow::{Context, Result, bail};
use std::process::{Command, Output};

/// Runs a program to its end.
///
/// # Errors
/// It cannot be started, or says that it failed.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs a program to its end and keeps what it prints.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command) -> Result<Output> {
    command
        .output()
        .with_context(|| format!("cannot start {command:?}"))
}
