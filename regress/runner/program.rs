//! Cases that are host programs: C, compiled against the system's OpenCL loader.

use crate::case::Platform;
use crate::header::Header;
use anyhow::{Context, Result, ensure};
use harness::child::Child;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How long a program may run.
const LIMIT: Duration = Duration::from_secs(60 * harness::sanitized::PATIENCE as u64);

/// Headers that the programs share with those of icd's tests.
const HEADERS: &[(&str, &str)] = &[
    (
        "common.h",
        include_str!("../../icd/tests/programs/common.h"),
    ),
    ("ok.h", include_str!("../../icd/tests/programs/ok.h")),
];

/// The variable by which `common.h` selects the platform.
const PLATFORM: &str = "PLATFORM_UNDER_TEST";

/// Compiles the program with each of its options of the C compiler, and runs it in each of its
/// environments. It must end with code 0, and print the lines `prints:` if there are any.
///
/// # Errors
/// The program fails, or cannot be compiled.
pub fn run(text: &str, platform: &Platform<'_>) -> Result<()> {
    let header = Header::parse(text)?;
    let mut options = header.all("options");
    options.insert(0, "");
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join("program.c");
    for (name, text) in HEADERS {
        std::fs::write(scratch.path().join(name), text)?;
    }
    std::fs::write(&file, text)?;
    for (variant, options) in options.iter().enumerate() {
        let program = scratch.path().join(format!("program-{variant}"));
        compile(&file, options, &program)?;
        for environment in header.environments()? {
            let mut command = Command::new(&program);
            command
                .env(PLATFORM, platform.version)
                .envs(platform.variables.iter().copied())
                .envs(environment.iter().copied());
            ends_well(command, &header.all("prints"))
                .with_context(|| format!("options `{options}`, environment {environment:?}"))?;
        }
    }
    Ok(())
}

fn compile(file: &Path, options: &str, program: &Path) -> Result<()> {
    let compiled = Command::new("cc")
        .args(options.split_whitespace())
        .args(["-O1", "-Wall", "-o"])
        .args([program, file])
        .args(["-lOpenCL", "-lpthread", "-lm"])
        .status()
        .context("cannot start cc")?;
    ensure!(compiled.success(), "the program cannot be compiled");
    Ok(())
}

fn ends_well(command: Command, expected: &[&str]) -> Result<()> {
    let mut child = Child::start(command)?;
    let mut printed = Vec::new();
    loop {
        match child.line(LIMIT) {
            Ok(line) => printed.push(line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => anyhow::bail!("the program hangs"),
        }
    }
    let status = child.end(LIMIT)?.context("the program hangs")?;
    ensure!(status.success(), "{status}\n{}", child.errors());
    ensure!(
        expected.is_empty() || printed == expected,
        "the program printed\n{}",
        printed.join("\n")
    );
    Ok(())
}
