//! `mocl3 completions`, and the manual pages that are installed.

use crate::conformance;
use anyhow::{Context, Result};
use clap::Command;
use manual::CompletedShell;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  source <(mocl3 completions bash)
  mocl3 completions zsh > ~/.zfunc/_mocl3
  mocl3 completions fish > ~/.config/fish/completions/mocl3.fish";

/// Examples at the end of the help of `mocl3 manual`.
pub const MANUAL_EXAMPLES: &str = "\
Examples:
  mocl3 manual pages && man -l pages/man/mocl3-stat.1";

/// Arguments of `mocl3 completions`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The shell.
    shell: CompletedShell,
}

/// Prints the completions of `command`.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments, command: &Command) -> Result<ExitCode> {
    let script = manual::completions(command, arguments.shell);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes manual pages and completions of `command` below `folder`.
///
/// # Errors
/// A file cannot be written.
pub fn write_manual(folder: &Path, command: &Command) -> Result<ExitCode> {
    manual::write(command, &[conformance::NAME], folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
