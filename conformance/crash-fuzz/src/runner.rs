//! Runs inputs in processes until the time limit, and reports failures.

use super::worker::Message;
use crate::input::Verdict;
use crate::subject::Subject;
use anyhow::{Context, Result};
use harness::child::Child;
use harness::jobs;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// A run of the fuzzer.
pub struct Plan {
    /// The kind of input that is mutated.
    pub subject: Subject,
    /// Seed of the first input; each further input has the next one.
    pub seed: u64,
    /// Number of inputs; if not set, only the time limits it.
    pub inputs: Option<u64>,
    /// No input starts after this time.
    pub time: Duration,
    /// Maximum number of processes at a time.
    pub jobs: usize,
    /// Maximum time of one input.
    pub limit: Duration,
    /// Whether crashes of the compiler are failures.
    pub strict: bool,
}

/// A run ends after this number of failures.
const ENOUGH_FAILURES: u64 = 5;
/// Maximum number of bytes of an input in a report.
const SHOWN: usize = 6000;

/// Starts a process for a number of inputs from a seed on, with its folder.
pub type Start<'a> = dyn Fn(u64, u64, &Path) -> Command + Sync + 'a;

/// Number of inputs with each result.
#[derive(Default)]
struct Counts {
    accepted: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    /// The compiler crashed and the process continued.
    crashed: AtomicU64,
}

impl Counts {
    fn enough(&self) -> bool {
        self.failed.load(Ordering::Relaxed) >= ENOUGH_FAILURES
    }
}

/// Runs the plan and returns the number of inputs that failed.
///
/// # Errors
/// No process can be started, or the platform is not there.
pub fn run(plan: &Plan, start: &Start<'_>) -> Result<u64> {
    println!("{} from seed {}", plan.subject.command(), plan.seed);
    let next = AtomicU64::new(0);
    let counts = Counts::default();
    let report = Mutex::new(());
    let deadline = Instant::now() + plan.time;
    jobs::run(plan.jobs, || {
        let folder = tempfile::tempdir()?;
        let over = || plan.inputs.is_none() && Instant::now() >= deadline;
        while !over() && !counts.enough() {
            let many = plan.subject.inputs_per_process();
            let first = next.fetch_add(many, Ordering::Relaxed);
            let end = plan
                .inputs
                .map_or(first + many, |all| all.min(first + many));
            let mut done = first;
            while done < end && !over() && !counts.enough() {
                let (seed, left) = (plan.seed + done, end - done);
                let child = Child::start(start(seed, left, folder.path()))?;
                let (passed, failure) = follow(child, plan, left, &counts, &over)?;
                done += passed;
                let Some(failure) = failure else { continue };
                counts.failed.fetch_add(1, Ordering::Relaxed);
                let _one_at_a_time = report.lock();
                print_failure(plan, plan.seed + done, &failure, folder.path(), start)?;
                done += 1;
            }
            if plan.inputs.is_some_and(|all| first + many >= all) {
                break;
            }
        }
        Ok(())
    })?;
    let failed = counts.failed.into_inner();
    println!(
        "{} from seed {}: {} accepted, {} refused, {} compiler crashes contained: {failed} failed",
        plan.subject.command(),
        plan.seed,
        counts.accepted.into_inner(),
        counts.refused.into_inner(),
        counts.crashed.into_inner(),
    );
    Ok(failed)
}

/// Reads a process's messages. Returns the number of inputs that passed, and how the next one
/// failed.
fn follow(
    mut child: Child,
    plan: &Plan,
    inputs: u64,
    counts: &Counts,
    over: &dyn Fn() -> bool,
) -> Result<(u64, Option<String>)> {
    let mut passed = 0;
    while passed < inputs {
        match child.line(plan.limit) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Message::Passed(Verdict::CompilerCrashed)) if plan.strict => {
                    return Ok((passed, Some("the compiler crashed".to_owned())));
                }
                Ok(Message::Passed(verdict)) => {
                    let count = match verdict {
                        Verdict::Accepted => &counts.accepted,
                        Verdict::Refused => &counts.refused,
                        Verdict::CompilerCrashed => &counts.crashed,
                    };
                    count.fetch_add(1, Ordering::Relaxed);
                    passed += 1;
                    if over() {
                        return Ok((passed, None));
                    }
                }
                Ok(Message::Failed(text)) => return Ok((passed, Some(text))),
                // Output of a kernel.
                Err(_) => {}
            },
            Err(RecvTimeoutError::Timeout) => {
                let text = format!("no end after {} s", plan.limit.as_secs());
                return Ok((passed, Some(text)));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = child
                    .end(plan.limit)?
                    .context("a process without output hangs")?;
                return Ok((passed, Some(format!("the process died: {status}"))));
            }
        }
    }
    // The last possible failure is the status of the process.
    match child.end(plan.limit)? {
        Some(status) if status.success() => Ok((passed, None)),
        Some(status) => Ok((
            passed - 1,
            Some(format!("at its end the process died: {status}")),
        )),
        None => Ok((passed - 1, Some("the process does not end".to_owned()))),
    }
}

/// Prints a failure and whether it can be reproduced, and keeps its input.
fn print_failure(
    plan: &Plan,
    seed: u64,
    failure: &str,
    folder: &Path,
    start: &Start<'_>,
) -> Result<()> {
    println!("\n==== {} seed {seed}: {failure}", plan.subject.command());
    let errors = std::fs::read(folder.join("errors")).unwrap_or_default();
    println!("{}", String::from_utf8_lossy(&errors).trim_end());
    let child = Child::start(start(seed, 1, folder))?;
    let again = follow(child, plan, 1, &Counts::default(), &|| false)?.1;
    match again {
        Some(again) => println!("---- alone: {again}"),
        None => println!("---- alone it passes: an input before it in the same process counts"),
    }
    if let Some(input) = input(folder) {
        let kept = std::env::temp_dir().join(format!("{}-{seed}", plan.subject.command()));
        let kept = kept.with_extension(input.extension().unwrap_or(OsStr::new("input")));
        std::fs::copy(&input, &kept)?;
        if plan.subject != Subject::Binaries {
            let text = std::fs::read(&input)?;
            println!(
                "{}",
                String::from_utf8_lossy(&text[..text.len().min(SHOWN)])
            );
        }
        println!("the input: {}", kept.display());
    }
    println!(
        "again: cargo xtask {} --seed {seed} --inputs 1",
        plan.subject.command()
    );
    Ok(())
}

/// The file with the last input of a process.
fn input(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?;
    files
        .filter_map(|file| Some(file.ok()?.path()))
        .find(|path| path.file_stem() == Some(OsStr::new("input")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs four inputs in processes that execute a shell script; `$1` is the seed of the first
    /// one.
    fn failures(subject: Subject, strict: bool, script: &str, limit: Duration) -> u64 {
        let plan = Plan {
            subject,
            seed: 10,
            inputs: Some(4),
            time: Duration::ZERO,
            jobs: 1,
            limit,
            strict,
        };
        let start = |seed: u64, _: u64, _: &Path| {
            let mut command = Command::new("sh");
            command.args(["-c", script, "sh", &seed.to_string()]);
            command
        };
        run(&plan, &start).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn crashes_hangs_and_wrong_answers_are_failures_and_refusals_are_not() {
        let machines = |script: &str, limit| failures(Subject::Machines, false, script, limit);
        let passes = r#"echo '{"Passed":"Refused"}'"#;
        assert_eq!(machines(passes, LONG), 0);
        let crash = format!("[ $1 = 12 ] && kill -SEGV $$; {passes}");
        assert_eq!(machines(&crash, LONG), 1);
        let at_the_end = format!("{passes}; [ $1 != 11 ] || kill -ABRT $$");
        assert_eq!(machines(&at_the_end, LONG), 1);
        let wrong = r#"echo '{"Failed":"why"}'"#;
        assert_eq!(machines(wrong, LONG), 4);
        assert_eq!(machines("exec sleep 1000", Duration::from_millis(20)), 4);
    }

    #[test]
    fn contained_crashes_of_the_compiler_are_failures_of_strict_runs_only() {
        let crash = r#"echo '{"Passed":"CompilerCrashed"}'"#;
        assert_eq!(failures(Subject::Machines, false, crash, LONG), 0);
        assert_eq!(failures(Subject::Machines, true, crash, LONG), 4);
    }
}
