//! Cases that are host programs: C, compiled against the system's OpenCL loader.

use crate::header::Header;
use crate::platform::Platform;
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

/// Whether programs can be compiled and linked here.
///
/// # Errors
/// No temporary file can be created.
pub fn can_be_compiled() -> Result<bool> {
    let scratch = tempfile::tempdir()?;
    let (file, program) = (scratch.path().join("empty.c"), scratch.path().join("empty"));
    std::fs::write(
        &file,
        "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\nint main(void) { return 0; }\n",
    )?;
    let compiled = compiler(&file, "", &program).output();
    Ok(compiled.is_ok_and(|output| output.status.success()))
}

fn compiler(file: &Path, options: &str, program: &Path) -> Command {
    let mut compiler = Command::new("cc");
    compiler
        .args(options.split_whitespace())
        .args(["-O1", "-Wall", "-o"])
        .args([program, file])
        .args(["-lOpenCL", "-lpthread", "-lm"]);
    compiler
}

fn compile(file: &Path, options: &str, program: &Path) -> Result<()> {
    let compiled = compiler(file, options, program).status();
    let compiled = compiled.context("cannot start cc")?;
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
