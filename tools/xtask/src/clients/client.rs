//! A client, and its result.

use crate::platform::Platform;
use anyhow::Result;
use std::time::Duration;

/// A program from elsewhere, or an example of ours that represents many.
pub struct Client {
    /// What it is called here; `--filter` looks for a part of it.
    pub name: &'static str,
    /// Where it comes from.
    pub from: &'static str,
    /// What a user would type.
    pub command: &'static str,
    /// What has to be true for the result to be right.
    pub right: &'static str,
    /// Debian packages it needs besides `packages::NEEDED`.
    pub packages: &'static [&'static str],
    /// It takes seconds, and runs in `cargo xtask test`.
    pub short: bool,
    /// Runs it; a few words about what was counted.
    pub run: fn(&Platform) -> Result<String>,
}

/// The result of a client.
pub struct Outcome {
    /// The client.
    pub client: &'static Client,
    /// Run time of its programs, without building or fetching them.
    pub time: Duration,
    /// Words about the count, or the failure.
    pub result: Result<String>,
}
