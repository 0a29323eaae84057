//! Cases that are host programs: C, compiled against the system's OpenCL loader.

use crate::case::Header;
use anyhow::{Context, Result, ensure};
use harness::child::Child;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// How long a program may run.
const LIMIT: Duration = Duration::from_secs(60 * harness::sanitized::PATIENCE as u64);

/// Compiles the program in `scratch` with each of its options of the C compiler, and runs it in
/// each of its environments. It must end with code 0, and print the lines `prints:` if there are any.
///
/// # Errors
/// The program fails, or cannot be compiled.
pub fn run(file: &Path, scratch: &Path, library: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let header = Header::parse(&text)?;
    let mut options = header.all("options");
    options.insert(0, "");
    for (variant, options) in options.iter().enumerate() {
        let program = scratch.join(format!("program-{variant}"));
        compile(file, options, &program)?;
        for environment in header.environments()? {
            let mut command = Command::new(&program);
            command
                .env("OCL_ICD_VENDORS", library)
                .envs(environment.iter().copied());
            ends_well(command, &header.all("prints"))
                .with_context(|| format!("options `{options}`, environment {environment:?}"))?;
        }
    }
    Ok(())
}

fn compile(file: &Path, options: &str, program: &Path) -> Result<()> {
    let icd = Path::new(env!("CARGO_MANIFEST_DIR")).join("../icd");
    let compiled = Command::new("cc")
        .args(options.split_whitespace())
        .args(["-O1", "-Wall", "-I"])
        .arg(icd.join("include"))
        // `common.h`, which the programs of icd's tests share.
        .arg("-I")
        .arg(icd.join("tests/programs"))
        .arg("-o")
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
