//! Why a build fails.

use crate::guard::Stopped;

/// A compile or link that failed; `log` is what `CL_PROGRAM_BUILD_LOG` shows.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{log}")]
pub struct BuildFailure {
    /// Diagnostics with file, line, column and caret, or the linker's message.
    pub log: String,
    /// Where its cause is.
    pub cause: Cause,
}

/// Where the cause of a failed build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// In the program, or in the compiler: the build would fail again.
    Program,
    /// The host had no memory for the compiler.
    HostMemory,
    /// The host had no thread for the compiler.
    HostThreads,
}

impl BuildFailure {
    /// A failure of the program, which would fail again.
    pub fn new(log: impl Into<String>) -> Self {
        Self {
            log: log.into(),
            cause: Cause::Program,
        }
    }

    /// A compilation of kernel `name` that the guard stopped.
    pub(crate) fn of_kernel(name: &str, stopped: &Stopped) -> Self {
        Self::stopped(&format!("kernel `{name}`"), stopped)
    }

    /// A compilation of `what` that the guard stopped.
    pub(crate) fn stopped(what: &str, stopped: &Stopped) -> Self {
        Self {
            log: format!("error: {what}: {stopped}\n"),
            cause: match stopped {
                Stopped::NoMemory => Cause::HostMemory,
                Stopped::NoThread(_) => Cause::HostThreads,
                _ => Cause::Program,
            },
        }
    }
}
