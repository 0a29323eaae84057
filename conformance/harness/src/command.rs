//! Default values and exit codes of all command lines.

use anyhow::Result;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// The exit code if nothing could be run. clap uses the same for wrong arguments.
const NOT_RUN: u8 = 2;

/// The exit code of a command; prints its error, if there is one.
pub fn exit_code(result: Result<ExitCode>) -> ExitCode {
    // Errors of workers become part of reports, so they have one line even with RUST_BACKTRACE.
    result.unwrap_or_else(|error| {
        eprintln!("{error:#}");
        ExitCode::from(NOT_RUN)
    })
}

/// The exit code of a command that ran: success if no failure was found.
pub fn verdict(passed: bool) -> ExitCode {
    ExitCode::from(u8::from(!passed))
}

/// The seed of a run for which the user names none: the time in seconds.
pub fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

/// The default number of concurrent processes.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
