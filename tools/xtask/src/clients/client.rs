//! A client program and its result.

use super::program;
use crate::platform::Platform;
use anyhow::Result;
use std::time::Duration;

/// A third-party program, or an example that represents many.
pub struct Client {
    /// The client's name, to which `--filter` applies.
    pub name: &'static str,
    /// The origin of the program.
    pub from: &'static str,
    /// The command that a user would type.
    pub command: &'static str,
    /// The condition for a correct result.
    pub right: &'static str,
    /// Debian packages that it needs in addition to `packages::NEEDED`.
    pub packages: &'static [&'static str],
    /// Whether it takes only seconds and runs in `cargo xtask test`.
    pub short: bool,
    /// Runs the client; returns a short summary of its counts.
    pub run: fn(&Platform) -> Result<String>,
}

/// The result of a client.
pub struct Outcome {
    /// The client.
    pub client: &'static Client,
    /// Run time of its programs, without building or fetching them.
    pub time: Duration,
    /// A summary of the counts, or the failure.
    pub result: Result<String>,
}

impl Outcome {
    /// Runs a client.
    pub fn new(client: &'static Client, platform: &Platform) -> Self {
        let (result, time) = program::timed(|| (client.run)(platform));
        Self {
            client,
            time,
            result,
        }
    }

    /// Prints a line with the result and the time.
    pub fn print(&self, platform: &Platform) {
        let on = match platform {
            Platform::Ours => String::new(),
            Platform::Checked(checks) => format!(" with checks of {}", checks.list),
            Platform::Installed(file) => {
                format!(" on {}", file.file_stem().unwrap_or_default().display())
            }
        };
        let seconds = self.time.as_secs_f64();
        let said = match &self.result {
            Ok(counted) if counted.is_empty() => format!("ok ({seconds:.1} s)"),
            Ok(counted) => format!("ok: {counted} ({seconds:.1} s)"),
            Err(error) => format!("FAILED: {error:#}"),
        };
        println!("client {}{on} ... {said}", self.client.name);
    }
}
