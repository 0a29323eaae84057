//! `mocl3 check`: runs a program whose kernels and API calls are checked, and shows the findings.

use crate::record_run::{check_writable, exit_code, write_file};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use findings::suppression::Suppressions;
use findings::{Finding, log, sarif, text};
use mocl3_shared::arguments::machine::MachineOptions;
use mocl3_shared::terminal::{ERROR, styled};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 check -- ./program its arguments
  mocl3 check --checks all --sarif findings.sarif -- python3 program.py";

/// Arguments of `mocl3 check`.
#[derive(clap::Args)]
pub struct Arguments {
    /// What to look for: a list of memory, uninitialised, races, barriers, dma and api, or all.
    #[arg(
        long,
        value_name = "LIST",
        default_value = "memory",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(findings::CHECKS)
    )]
    checks: Vec<String>,
    /// Write the findings as JSON into this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0 into this file.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Do not show the findings that this file lists.
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    #[command(flatten)]
    machine: MachineOptions,
    /// The program, any that uses OpenCL or hthreads, and its arguments.
    #[arg(trailing_var_arg = true, value_name = "PROGRAM", required = true)]
    program: Vec<OsString>,
}

/// Runs the program and prints the findings to standard error. The exit code is the program's, or 1
/// if that is 0 and there are findings.
///
/// # Errors
/// The program cannot be run, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let suppressions = match &arguments.suppressions {
        Some(path) => read_suppressions(path)?,
        None => Suppressions::default(),
    };
    let machine = arguments.machine.variables()?;
    for file in arguments.json.iter().chain(&arguments.sarif) {
        check_writable(file)?;
    }
    let folder = tempfile::tempdir().context("cannot create a folder for the findings")?;
    let program = &arguments.program[0];
    let status = Command::new(program)
        .args(&arguments.program[1..])
        .envs(machine)
        .env("MOCL3_CHECK", arguments.checks.join(","))
        .env("MOCL3_FINDINGS", folder.path())
        .status()
        .with_context(|| format!("cannot run {}", Path::new(program).display()))?;
    if status.signal().is_some() {
        eprintln!("{} ended with {status}", Path::new(program).display());
    }
    let mut findings = log::read_folder(folder.path())?;
    let all = findings.len();
    findings.retain(|finding| !suppressions.cover(finding));
    print(&findings, all - findings.len());
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&findings)?;
        write_file(path, |file| writeln!(file, "{text}"))?;
    }
    if let Some(path) = &arguments.sarif {
        let text = serde_json::to_string_pretty(&sarif::document(&findings))?;
        write_file(path, |file| writeln!(file, "{text}"))?;
    }
    let code = exit_code(status);
    let found = u8::from(!findings.is_empty());
    Ok(ExitCode::from(if code == 0 { found } else { code }))
}

fn read_suppressions(path: &Path) -> Result<Suppressions> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse()
        .with_context(|| format!("{} is no file of suppressions", path.display()))
}

fn print(findings: &[Finding], suppressed: usize) {
    for finding in findings {
        let paragraph = text::paragraph(finding);
        let (kind, rest) = paragraph.split_at(paragraph.find(':').unwrap_or(0));
        anstream::eprintln!("{}{rest}", styled(ERROR, kind));
        if finding.count > 1 {
            eprintln!("  {}", text::times(finding.count));
        }
    }
    let suppressed = match suppressed {
        0 => String::new(),
        number => format!(" ({number} suppressed)"),
    };
    eprintln!("mocl3 check: {}{suppressed}", text::summary(findings));
}
