//! The process in which sequences run.

use crate::call::Run;
use crate::sequence::STEPS;
use anyhow::{Context, Result, bail};
use harness::platform;
use opencl3::device::CL_DEVICE_TYPE_ALL;
use opencl3::platform::Platform;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::Path;

/// A message of a worker, one per line.
#[derive(Serialize, Deserialize, Debug)]
pub enum Message {
    /// A sequence passed.
    Passed {
        /// The sequence's seed.
        seed: u64,
        /// Number of calls.
        calls: u64,
    },
    /// A sequence failed.
    Failed {
        /// The sequence's seed.
        seed: u64,
        /// The call, its result and the expected one.
        text: String,
    },
    /// All sequences passed: functions with the numbers of calls and successes.
    Tally(Vec<(String, u64, u64)>),
}

/// Parses steps in the form `1-12,15`.
///
/// # Errors
/// The text has another form.
pub fn parse_steps(text: &str) -> Result<Vec<u32>> {
    let mut steps = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u32>().context("not a list of steps");
        steps.extend(number(first)?..=number(last)?.min(STEPS));
    }
    Ok(steps)
}

/// The steps in the form that [`parse_steps`] reads.
pub fn list_steps(steps: &[u32]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = steps;
    while let [first, ..] = rest {
        let run = rest
            .iter()
            .zip(*first..)
            .take_while(|(step, next)| *step == next)
            .count();
        let last = rest[run - 1];
        parts.push(if run == 1 {
            first.to_string()
        } else {
            format!("{first}-{last}")
        });
        rest = &rest[run..];
    }
    parts.join(",")
}

/// The destination of the calls' log.
pub enum Log<'a> {
    /// A file, which contains the calls of the current sequence only.
    File(&'a Path),
    /// To standard output.
    Shown,
}

/// Runs sequences and reports their results.
///
/// # Errors
/// The platform does not exist, or cannot be tested.
pub fn work(
    name: &str,
    seeds: std::ops::Range<u64>,
    only: Option<&[u32]>,
    log: Log<'_>,
) -> Result<()> {
    let shown = matches!(log, Log::Shown);
    let file = match log {
        Log::File(path) => File::options()
            .create(true)
            .write(true)
            .truncate(true)
            .open(path)?,
        Log::Shown => File::from(std::io::stdout().as_fd().try_clone_to_owned()?),
    };
    let first = platform::first_device(name)?;
    let platform = Platform::new(first.platform()?);
    let devices = platform.get_devices(CL_DEVICE_TYPE_ALL)?;
    let devices = devices.into_iter().map(|device| device as u64).collect();
    let units = first.max_compute_units()?;
    let mut run = Run::new(platform.id() as u64, devices, units, Some(file))?;
    let mut output = std::io::stdout();
    let mut tell = |message: &Message| -> Result<()> {
        if !shown {
            writeln!(output, "{}", serde_json::to_string(message)?)?;
            output.flush()?;
        }
        Ok(())
    };
    let mut before = 0;
    for seed in seeds {
        let wanted = |step: u32| only.is_none_or(|only| only.contains(&step));
        if !run.sequence(seed, wanted) {
            let text = run.failure.take().unwrap_or_default();
            tell(&Message::Failed {
                seed,
                text: text.clone(),
            })?;
            if shown {
                bail!("{text}");
            }
            // The platform's state is unknown after a failure.
            std::process::exit(FAILED);
        }
        let all: u64 = run.tally.values().map(|(calls, _)| calls).sum();
        tell(&Message::Passed {
            seed,
            calls: all - before,
        })?;
        before = all;
    }
    let tally = run.tally.iter();
    tell(&Message::Tally(
        tally
            .map(|(name, (calls, passed))| ((*name).to_owned(), *calls, *passed))
            .collect(),
    ))
}

/// The exit code of a worker that has reported a failure.
const FAILED: i32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_steps_can_be_read_again() {
        let steps = [1, 2, 3, 7, 9, 10];
        assert_eq!(list_steps(&steps), "1-3,7,9-10");
        assert_eq!(parse_steps("1-3,7,9-10").unwrap(), steps);
        assert!(parse_steps("").unwrap().is_empty());
        assert!(parse_steps("1-x").is_err());
    }
}
