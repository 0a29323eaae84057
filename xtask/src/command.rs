//! Running other programs.

use anyhow::{Context, Error, Result, bail};
use std::os::unix::process::CommandExt;
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

/// Makes this process that program; returns only what kept it from that.
pub fn become_it(command: &mut Command) -> Error {
    let error = command.exec();
    Error::new(error).context(format!("cannot start {command:?}"))
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
