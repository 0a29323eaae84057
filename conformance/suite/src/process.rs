//! Runs each case in its own process, so that a crash or hang affects one case only.

use crate::case::Case;
use crate::interrupt;
use anyhow::{Context, Result};
use harness::session::Settings;
use serde::Serialize;
use std::ffi::OsStr;
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The exit code of a case whose required features the device lacks.
pub const SKIPPED: i32 = 77;

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "outcome", content = "message")]
pub enum Outcome {
    /// All results were as expected.
    Passed,
    /// The device lacks a required feature.
    Skipped(String),
    /// A wrong result, a wrong error code, a crash or a hang: a description with the expected and
    /// the actual result.
    Failed(String),
}

/// The arguments with which `executable` runs one case.
pub fn arguments(case: &str, settings: &Settings) -> Vec<String> {
    let mut arguments = vec!["run".into(), case.into()];
    arguments.push(format!("--platform={}", settings.platform));
    if !settings.options.is_empty() {
        arguments.push(format!("--options={}", settings.options));
    }
    arguments.push(format!("--seed={}", settings.seed));
    arguments
}

/// Runs a case with the environment of this process, changed by `variables`. The case is killed
/// after `limit`, or if this process receives a signal to end.
///
/// # Errors
/// The process cannot be started.
pub fn run(
    executable: &Path,
    case: &Case,
    settings: &Settings,
    limit: Duration,
    variables: &[(&str, &OsStr)],
) -> Result<Outcome> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(executable);
    command.args(arguments(case.name, settings)).arg("--here");
    if let Some(sources) = &settings.sources {
        command.arg("--sources").arg(sources);
    }
    command
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        // The case has its own process group, so that it can be killed with its children, and so
        // that Ctrl-C reaches only this process.
        .process_group(0);
    // SAFETY: the function does one system call, which may be done after fork.
    unsafe { command.pre_exec(end_with_the_parent) };
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", executable.display()))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if interrupt::is_asked() {
            end(&mut child)?;
            return Ok(Outcome::Failed("interrupted".into()));
        }
        if start.elapsed() > limit {
            end(&mut child)?;
            let seconds = limit.as_secs();
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
    Ok(outcome(case, status, &printed, message.trim()))
}

/// Kills the case when the command dies.
fn end_with_the_parent() -> std::io::Result<()> {
    // SAFETY: a call without pointers.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Kills a process and its process group.
fn end(child: &mut Child) -> Result<()> {
    // SAFETY: a call without pointers; the child has not been waited for, so that the
    // group is its own still.
    unsafe { libc::killpg(child.id() as i32, libc::SIGKILL) };
    child.wait()?;
    Ok(())
}

fn outcome(case: &Case, status: ExitStatus, printed: &str, message: &str) -> Outcome {
    match status.code() {
        Some(0) => match case.prints.map(|check| check(printed)) {
            None | Some(Ok(())) => Outcome::Passed,
            Some(Err(error)) => Outcome::Failed(format!("{error:#}")),
        },
        Some(SKIPPED) => Outcome::Skipped(message.to_owned()),
        Some(1) => Outcome::Failed(message.to_owned()),
        // `ExitStatus` prints the code, or the signal with its name.
        _ if message.is_empty() => Outcome::Failed(format!("ended with {status}")),
        _ => Outcome::Failed(format!("ended with {status}: {message}")),
    }
}
