//! The process that passes inputs to the platform.

use crate::input::Verdict;
use crate::subject::Subject;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::Path;

/// A message of a worker, one per line.
#[derive(Serialize, Deserialize, Debug)]
pub enum Message {
    /// The platform accepted or refused the input.
    Passed(Verdict),
    /// The platform's reaction was wrong.
    Failed(String),
}

/// Passes the inputs of the seeds to the platform. Standard error is redirected to a file in the
/// folder, which is searched for panics after each input.
///
/// # Errors
/// The platform does not exist, or the folder cannot be used.
pub fn work(subject: Subject, seeds: std::ops::Range<u64>, folder: &Path) -> Result<()> {
    let log = folder.join("errors");
    let file = File::create(&log)?;
    // SAFETY: both are open; standard error is only written to.
    let redirected = unsafe { libc::dup2(file.as_raw_fd(), libc::STDERR_FILENO) };
    if redirected < 0 {
        return Err(std::io::Error::last_os_error()).context("standard error");
    }
    let mut input = subject.input(folder)?;
    let mut output = std::io::stdout();
    for seed in seeds {
        file.set_len(0)?;
        let message = match input.run(seed) {
            Err(error) => Message::Failed(format!("{error:#}")),
            Ok(verdict) => match panic(&std::fs::read_to_string(&log).unwrap_or_default()) {
                Some(text) => Message::Failed(text),
                None => Message::Passed(verdict),
            },
        };
        writeln!(output, "{}", serde_json::to_string(&message)?)?;
        output.flush()?;
    }
    Ok(())
}

/// The message of a panic that the platform caught.
fn panic(errors: &str) -> Option<String> {
    let place = errors.find("panicked at")?;
    Some(format!("a panic: {}", &errors[place..]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn panics_are_found_in_standard_error() {
        let text = "[WARN] x\nthread 'a' panicked at src/lib.rs:1:1:\nno entry\n";
        assert!(super::panic(text).unwrap().contains("no entry"));
        assert!(super::panic("[WARN] x").is_none());
    }
}
