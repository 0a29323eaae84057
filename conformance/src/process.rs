//! Each program in a process of its own: a platform that crashes or hangs fails one
//! program and not all.

use crate::programs::Program;
use anyhow::{Context, Result};
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// What the process of a program ends with if the device lacks what the program needs.
pub const SKIPPED: i32 = 77;

/// A program that takes so long hangs: each needs well under a second.
const HANGS_AFTER: Duration = Duration::from_secs(120);

/// How a program ended.
#[derive(Debug)]
pub enum Outcome {
    /// All results were as expected.
    Passed,
    /// The device does not support what the program needs.
    Skipped(String),
    /// A wrong result, an error code, a crash or a hang.
    Failed(String),
}

/// Runs a program by `conformance run NAME`, built with `options` besides its own, with the platforms that the environment of
/// this process leads to, changed by `variables`.
///
/// # Errors
/// The process cannot be started.
pub fn run(
    executable: &Path,
    program: &Program,
    platform: &str,
    options: &str,
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut child = Command::new(executable)
        .args(["run", program.name, "--platform", platform])
        .arg(format!("--options={options}"))
        .envs(variables.iter().copied())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .spawn()
        .with_context(|| format!("cannot start {}", executable.display()))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > HANGS_AFTER {
            child.kill()?;
            child.wait()?;
            let seconds = HANGS_AFTER.as_secs();
            return Ok(Outcome::Failed(format!("still runs after {seconds} s")));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |file: &mut std::fs::File| -> Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (printed, message) = (text(&mut stdout)?, text(&mut stderr)?);
    Ok(outcome(program, status, &printed, message.trim()))
}

fn outcome(program: &Program, status: ExitStatus, printed: &str, message: &str) -> Outcome {
    match status.code() {
        Some(0) => match program.prints.map(|check| check(printed)) {
            None | Some(Ok(())) => Outcome::Passed,
            Some(Err(error)) => Outcome::Failed(format!("{error:#}")),
        },
        Some(SKIPPED) => Outcome::Skipped(message.to_owned()),
        Some(1) => Outcome::Failed(message.to_owned()),
        _ => Outcome::Failed(format!("ended with {status}: {message}")),
    }
}
