//! Starts the process that builds and runs kernels, sends requests to it, and recognises its
//! failures.

use crate::child::Child;
use crate::sanitized;
use crate::worker::{Answer, Request};
use anyhow::Result;
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Default time limit of building and running a kernel.
const TIME_LIMIT: Duration = Duration::from_secs(120 * sanitized::PATIENCE as u64);

/// How a kernel failed.
#[derive(Debug)]
pub enum Failure {
    /// An element of a buffer is wrong.
    Wrong(String),
    /// The build log.
    BuildFailed(String),
    /// The call and its error code.
    CallFailed(String),
    /// The process died: its status and the end of its standard error.
    Crashed(String),
    /// There was no answer within this time.
    Hung(Duration),
}

impl Failure {
    /// Whether both failures are of the same kind.
    pub fn alike(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(text) => write!(formatter, "wrong result: {text}"),
            Self::BuildFailed(text) => write!(formatter, "the build failed: {text}"),
            Self::CallFailed(text) => write!(formatter, "a call failed: {text}"),
            Self::Crashed(text) => write!(formatter, "the process died: {text}"),
            Self::Hung(limit) => write!(formatter, "no end after {} s", limit.as_secs()),
        }
    }
}

/// What came of a request.
#[derive(Debug)]
pub enum Reply {
    /// The process answered.
    Answered(Answer),
    /// It did not.
    Failed(Failure),
}

/// A worker process, which is restarted after it died.
pub struct Process<'c> {
    command: &'c (dyn Fn() -> Command + Sync),
    running: Option<Child>,
    limit: Duration,
}

impl<'c> Process<'c> {
    /// A process that is not started yet.
    pub fn new(command: &'c (dyn Fn() -> Command + Sync)) -> Self {
        Self {
            command,
            running: None,
            limit: TIME_LIMIT,
        }
    }

    /// Sets the time limit of building and running a kernel.
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// No process can be started, or the platform is not there.
    pub fn ask(&mut self, request: &Request) -> Result<Reply> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Child::start((self.command)())?,
        };
        let line = serde_json::to_string(request)? + "\n";
        let answer = match running.write(&line) {
            Ok(()) => running.line(self.limit),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(answer) => {
                let answer = serde_json::from_str(&answer)?;
                self.running = Some(running);
                Ok(Reply::Answered(answer))
            }
            Err(RecvTimeoutError::Timeout) => Ok(Reply::Failed(Failure::Hung(self.limit))),
            Err(RecvTimeoutError::Disconnected) => {
                let Some(status) = running.end(self.limit)? else {
                    return Ok(Reply::Failed(Failure::Hung(self.limit)));
                };
                let errors = running.errors();
                if errors.contains("no OpenCL platform") {
                    anyhow::bail!("{errors}");
                }
                Ok(Reply::Failed(Failure::Crashed(format!(
                    "{status}\n{errors}"
                ))))
            }
        }
    }
}
