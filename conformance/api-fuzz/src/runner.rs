//! Runs sequences in processes, and reports failures, minimised.

use crate::functions;
use crate::sequence::STEPS;
use crate::worker::{Message, list_steps};
use anyhow::Result;
use harness::child::Child;
use harness::jobs;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// A run of the fuzzer.
pub struct Plan {
    /// Seed of the first sequence; each further sequence has the next one.
    pub seed: u64,
    /// Minimum number of calls.
    pub calls: u64,
    /// Maximum number of processes at a time.
    pub jobs: usize,
    /// Factor of the time limits, for processes that share the machine with others.
    pub patience: u32,
    /// Whether to print the numbers of calls and successes of each function.
    pub tally: bool,
}

/// Sequences that one process runs.
const SEQUENCES_PER_PROCESS: u64 = 25;
/// Maximum time of a sequence.
const TIME_LIMIT: Duration = Duration::from_secs(120);
/// Maximum time of a sequence while a failure is minimised.
const SHORT_TIME_LIMIT: Duration = Duration::from_secs(20);
/// Maximum time for minimising a failure.
const MINIMISING: Duration = Duration::from_secs(240);
/// A run ends after this number of failures.
const ENOUGH_FAILURES: u64 = 5;
/// Functions that can only fail: there are no built-in kernels.
const CANNOT_SUCCEED: &[&str] = &["clCreateProgramWithBuiltInKernels"];
/// Exit code of a process that could not start its sequences.
const UNUSABLE: i32 = 1;
/// Calls shown of a sequence that failed.
const LAST_CALLS: usize = 12;

/// Makes the command of a process that runs sequences, from the first seed, the number of sequences,
/// their steps (`None` for all) and the file for the log.
pub type Start<'a> = dyn Fn(u64, u64, Option<&str>, &std::path::Path) -> Command + Sync + 'a;

/// How a sequence failed.
#[derive(Debug)]
enum Failure {
    Wrong(String),
    Crashed(String),
    Hung,
}

impl Failure {
    /// Whether both failures are of the same kind; wrong results, of the same function.
    fn alike(&self, other: &Self) -> bool {
        fn function(text: &str) -> &str {
            let start = text.find("cl").unwrap_or(0);
            let text = &text[start..];
            text.split(['(', ' ']).next().unwrap_or(text)
        }
        match (self, other) {
            (Self::Wrong(one), Self::Wrong(two)) => function(one) == function(two),
            (Self::Crashed(_), Self::Crashed(_)) | (Self::Hung, Self::Hung) => true,
            _ => false,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Wrong(text) => write!(formatter, "wrong: {text}"),
            Self::Crashed(text) => write!(formatter, "the process died: {text}"),
            Self::Hung => write!(formatter, "no end"),
        }
    }
}

/// The numbers of calls and of successful calls of each function.
type Tally = BTreeMap<String, (u64, u64)>;

/// The result of a run.
pub struct Summary {
    /// Calls made.
    pub calls: u64,
    /// Sequences that failed.
    pub failed: u64,
    /// Functions that were never called, or never with success.
    pub never: Vec<String>,
}

/// The counts of a run, which its processes share.
struct Progress {
    /// Seed of the next process's first sequence.
    next: AtomicU64,
    calls: AtomicU64,
    /// Sequences that passed.
    sequences: AtomicU64,
    /// Sequences that failed.
    failed: AtomicU64,
    tally: Mutex<Tally>,
}

impl Progress {
    fn new(seed: u64) -> Self {
        Self {
            next: AtomicU64::new(seed),
            calls: AtomicU64::new(0),
            sequences: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            tally: Mutex::new(Tally::new()),
        }
    }

    fn has_enough_failures(&self) -> bool {
        self.failed.load(Ordering::Relaxed) >= ENOUGH_FAILURES
    }

    fn is_done(&self, plan: &Plan) -> bool {
        self.calls.load(Ordering::Relaxed) >= plan.calls || self.has_enough_failures()
    }

    /// Counts what a process reports. `seed` becomes that of its next sequence.
    fn record(&self, message: Message, seed: &mut u64) {
        match message {
            Message::Passed {
                seed: passed,
                calls,
            } => {
                *seed = passed + 1;
                self.sequences.fetch_add(1, Ordering::Relaxed);
                let before = self.calls.fetch_add(calls, Ordering::Relaxed);
                if before / 100_000 != (before + calls) / 100_000 {
                    println!("{} calls done", before + calls);
                }
            }
            Message::Tally(list) => {
                let mut tally = self.tally.lock().unwrap_or_else(|p| p.into_inner());
                for (name, made, succeeded) in list {
                    let entry = tally.entry(name).or_default();
                    entry.0 += made;
                    entry.1 += succeeded;
                }
            }
            Message::Failed { .. } => {}
        }
    }
}

/// Runs the plan.
///
/// # Errors
/// No process can be started, or the platform is not there.
pub fn run(plan: &Plan, start: &Start<'_>) -> Result<Summary> {
    println!("{} calls from seed {}", plan.calls, plan.seed);
    let progress = Progress::new(plan.seed);
    let begun = Instant::now();
    jobs::run(plan.jobs, || {
        let log = tempfile::NamedTempFile::new()?;
        while !progress.is_done(plan) {
            run_sequences(plan, start, &progress, log.path())?;
        }
        Ok(())
    })?;
    let tally = progress
        .tally
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    let never = |name: &&&str| {
        tally
            .get(**name)
            .is_none_or(|(_, succeeded)| *succeeded == 0)
    };
    let summary = Summary {
        calls: progress.calls.into_inner(),
        failed: progress.failed.into_inner(),
        never: functions::CORE
            .iter()
            .filter(|name| !CANNOT_SUCCEED.contains(name))
            .filter(never)
            .map(|name| (*name).to_owned())
            .collect(),
    };
    println!(
        "{} calls of {} functions in {} sequences from seed {} in {} s: {} failed",
        summary.calls,
        tally.len(),
        progress.sequences.into_inner(),
        plan.seed,
        begun.elapsed().as_secs(),
        summary.failed
    );
    if !summary.never.is_empty() {
        println!("never with success: {}", summary.never.join(", "));
    }
    if plan.tally {
        for (name, (made, succeeded)) in &tally {
            println!("{name:45} {made:8} {succeeded:8}");
        }
    }
    Ok(summary)
}

/// Runs the next sequences, in one process unless some fail.
fn run_sequences(
    plan: &Plan,
    start: &Start<'_>,
    progress: &Progress,
    log: &std::path::Path,
) -> Result<()> {
    let first = progress
        .next
        .fetch_add(SEQUENCES_PER_PROCESS, Ordering::Relaxed);
    let end = first + SEQUENCES_PER_PROCESS;
    let mut seed = first;
    while seed < end && !progress.has_enough_failures() {
        let process = Child::start(start(seed, end - seed, None, log))?;
        let limit = TIME_LIMIT * plan.patience;
        let failure = follow(process, limit, &mut |message| {
            progress.record(message, &mut seed);
        })?;
        let Some(failure) = failure else { break };
        progress.failed.fetch_add(1, Ordering::Relaxed);
        let last = std::fs::read_to_string(log).unwrap_or_default();
        let report = report(seed, first, &failure, &last, start, log, plan.patience)?;
        println!("{report}");
        seed += 1;
    }
    Ok(())
}

/// The report of a failure.
fn report(
    seed: u64,
    first: u64,
    failure: &Failure,
    log: &str,
    start: &Start<'_>,
    log_path: &std::path::Path,
    patience: u32,
) -> Result<String> {
    let mut text = format!("\n==== seed {seed}: {failure}\n{}", tail(log));
    let attempt = |steps: &[u32], limit: Duration| -> Result<Option<Failure>> {
        let list = list_steps(steps);
        let process = Child::start(start(seed, 1, Some(&list), log_path))?;
        follow(process, limit * patience, &mut |_| {})
    };
    let mut steps: Vec<u32> = (1..=STEPS).collect();
    let alone = attempt(&steps, TIME_LIMIT)?;
    if !alone.as_ref().is_some_and(|other| other.alike(failure)) {
        text += &format!(
            "It does not fail alone, or not always. The sequences of seeds {first} to {seed} ran \
             in one process.\n"
        );
        return Ok(text);
    }
    let deadline = Instant::now() + MINIMISING;
    let mut size = steps.len() / 2;
    while size > 0 && Instant::now() < deadline {
        let mut at = 0;
        let mut shorter = false;
        while at < steps.len() && Instant::now() < deadline {
            let mut candidate = steps.clone();
            candidate.drain(at..(at + size).min(steps.len()));
            let found = attempt(&candidate, SHORT_TIME_LIMIT)?;
            if found.is_some_and(|found| found.alike(failure)) {
                steps = candidate;
                shorter = true;
            } else {
                at += size;
            }
        }
        if !shorter || size > 1 {
            size /= 2;
        }
    }
    let found = attempt(&steps, TIME_LIMIT)?;
    let log = std::fs::read_to_string(log_path).unwrap_or_default();
    let list = list_steps(&steps);
    let shown = found.map_or_else(|| "not always".to_owned(), |found| found.to_string());
    text += &format!(
        "---- made smaller: {shown}\n{log}\n\
         again: cargo xtask fuzz-api --seed {seed} --only {list}\n"
    );
    Ok(text)
}

/// The last calls of a log.
fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let mut text = lines[lines.len().saturating_sub(LAST_CALLS)..].join("\n");
    text.push('\n');
    text
}

/// Reads the messages of a process that runs sequences until it ends. Returns its failure, if it
/// failed.
fn follow(
    mut process: Child,
    limit: Duration,
    report: &mut dyn FnMut(Message),
) -> Result<Option<Failure>> {
    let mut wrong = None;
    loop {
        match process.line(limit) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Message::Failed { text, .. }) => wrong = Some(Failure::Wrong(text)),
                Ok(message) => report(message),
                // Output of a kernel.
                Err(_) => {}
            },
            Err(RecvTimeoutError::Timeout) => return Ok(Some(Failure::Hung)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let Some(status) = process.end(limit)? else {
        return Ok(Some(Failure::Hung));
    };
    if wrong.is_some() || status.success() {
        return Ok(wrong);
    }
    let errors = process.errors();
    if status.code() == Some(UNUSABLE) {
        anyhow::bail!("{errors}");
    }
    Ok(Some(Failure::Crashed(format!("{status}\n{errors}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Child::start(command).unwrap()
    }

    #[test]
    fn crashes_and_hangs_are_distinguished_from_wrong_results() {
        let limit = Duration::from_secs(20);
        let follow = |script: &str, limit| follow(shell(script), limit, &mut |_| {}).unwrap();
        assert!(follow("exit 0", limit).is_none());
        let crash = follow("echo ouch >&2; kill -SEGV $$", limit).unwrap();
        assert!(crash.to_string().contains("ouch"), "{crash}");
        let hang = follow("exec sleep 1000", Duration::from_millis(20)).unwrap();
        assert!(matches!(hang, Failure::Hung));
        let wrong = r#"echo '{"Failed":{"seed":1,"text":"12 clFlush() is wrong"}}'; exit 3"#;
        let wrong = follow(wrong, limit).unwrap();
        assert!(wrong.alike(&Failure::Wrong("7 clFlush(x) too".to_owned())));
        assert!(!wrong.alike(&Failure::Wrong("7 clFinish() too".to_owned())));
        assert!(!wrong.alike(&crash));
    }

    #[test]
    fn failures_are_made_smaller() {
        // Fails if the steps include 7 and 300.
        let start = |_: u64, _: u64, only: Option<&str>, _: &std::path::Path| {
            let steps = super::super::worker::parse_steps(only.unwrap_or("1-400")).unwrap();
            let fails = steps.contains(&7) && steps.contains(&300);
            let mut command = Command::new("sh");
            command.args(["-c", if fails { "exit 9" } else { "exit 0" }]);
            command
        };
        let log = tempfile::NamedTempFile::new().unwrap();
        let crash = Failure::Crashed(String::new());
        let text = report(5, 5, &crash, "", &start, log.path(), 1).unwrap();
        assert!(text.contains("--seed 5 --only 7,300\n"), "{text}");
    }
}
