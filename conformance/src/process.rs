//! Each case in a process of its own: a platform that crashes or hangs fails one case and
//! not all.

use crate::case::Case;
use crate::session::Settings;
use anyhow::{Context, Result};
use serde::Serialize;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// What the process of a case ends with if the device lacks what the case needs.
pub const SKIPPED: i32 = 77;

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "outcome", content = "message")]
pub enum Outcome {
    /// All was as expected.
    Passed,
    /// The device does not support what the case needs.
    Skipped(String),
    /// A wrong result, an error code, a crash or a hang: what was expected and what came.
    Failed(String),
}

/// The arguments by which `executable` runs one case in its own process.
pub fn arguments(case: &Case, settings: &Settings) -> Vec<String> {
    let mut arguments = vec!["run".into(), case.name.into()];
    arguments.extend(["--platform".into(), settings.platform.clone()]);
    if !settings.options.is_empty() {
        arguments.push(format!("--options={}", settings.options));
    }
    arguments.push(format!("--seed={}", settings.seed));
    arguments
}

/// Runs a case with the platforms that the environment of this process leads to, changed
/// by `variables`. It is ended after `limit`.
///
/// # Errors
/// The process cannot be started.
pub fn run(
    executable: &Path,
    case: &Case,
    settings: &Settings,
    limit: Duration,
    variables: &[(&str, &Path)],
) -> Result<Outcome> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(executable);
    command.args(arguments(case, settings));
    if let Some(sources) = &settings.sources {
        command.arg("--sources").arg(sources);
    }
    let mut child = command
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
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
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

fn outcome(case: &Case, status: ExitStatus, printed: &str, message: &str) -> Outcome {
    match status.code() {
        Some(0) => match case.prints.map(|check| check(printed)) {
            None | Some(Ok(())) => Outcome::Passed,
            Some(Err(error)) => Outcome::Failed(format!("{error:#}")),
        },
        Some(SKIPPED) => Outcome::Skipped(message.to_owned()),
        Some(1) => Outcome::Failed(message.to_owned()),
        _ => Outcome::Failed(format!("ended with {status}: {message}")),
    }
}
