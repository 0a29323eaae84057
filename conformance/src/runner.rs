//! Runs cases, several at a time, and shows how far it is.

use crate::case::Case;
use crate::process::{self, Outcome};
use crate::session::Settings;
use anyhow::Result;
use serde::Serialize;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What to run, and how.
pub struct Plan {
    /// Platform, build options, and the first seed.
    pub settings: Settings,
    /// Runs of each case; each has the seed after the one before.
    pub repeat: u64,
    /// Processes at a time.
    pub jobs: usize,
    /// When a case counts as hanging.
    pub limit: Duration,
    /// The program of which `run` runs one case.
    pub executable: PathBuf,
}

/// What came of one case: of the first run that did not pass, or of all.
#[derive(Serialize)]
pub struct Report {
    /// The case.
    pub name: &'static str,
    /// Its category, as `--category` takes it.
    pub category: crate::case::Category,
    /// Where the idea is from.
    pub origin: crate::case::Origin,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Of all its runs.
    pub seconds: f64,
    /// The seed of that run.
    pub seed: u64,
    /// Source of the programs that it built, if it failed.
    pub source: String,
    /// Runs just this case once more.
    pub command: String,
}

/// Runs the cases; reports are in their order.
///
/// # Errors
/// A process cannot be started.
pub fn run(plan: &Plan, cases: &[&'static Case]) -> Result<Vec<Report>> {
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new(cases.len()));
    let reports: Vec<Mutex<Option<Result<Report>>>> =
        cases.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, cases.len().max(1)) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = run_case(plan, case);
                    lock(&progress).has_run(case, &report);
                    let place = cases.iter().position(|other| std::ptr::eq(*other, *case));
                    if let Some(place) = place {
                        *lock(&reports[place]) = Some(report);
                    }
                }
            });
        }
    });
    lock(&progress).clear();
    reports
        .into_iter()
        .filter_map(|report| {
            report
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
        })
        .collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn run_case(plan: &Plan, case: &'static Case) -> Result<Report> {
    let start = Instant::now();
    let sources = tempfile::NamedTempFile::new()?;
    let mut settings = Settings {
        sources: Some(sources.path().to_owned()),
        ..plan.settings.clone()
    };
    let mut outcome = Outcome::Passed;
    for run in 0..plan.repeat.max(1) {
        settings.seed = plan.settings.seed.wrapping_add(run);
        sources.as_file().set_len(0)?;
        outcome = process::run(&plan.executable, case, &settings, plan.limit, &[])?;
        if outcome != Outcome::Passed {
            break;
        }
    }
    let source = match outcome {
        Outcome::Failed(_) => std::fs::read_to_string(sources.path())?,
        _ => String::new(),
    };
    let quoted: Vec<String> = process::arguments(case, &settings)
        .into_iter()
        .map(|argument| quoted_for_shell(&argument))
        .collect();
    Ok(Report {
        name: case.name,
        category: case.category,
        origin: case.origin,
        outcome,
        seconds: start.elapsed().as_secs_f64(),
        seed: settings.seed,
        source,
        command: format!("{} {}", plan.executable.display(), quoted.join(" ")),
    })
}

/// An argument as one writes it in a shell.
fn quoted_for_shell(argument: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./".contains(letter);
    if argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// One line that changes, on a terminal; elsewhere a line for each case that fails.
struct Progress {
    cases: usize,
    run: usize,
    failed: usize,
    on_terminal: bool,
}

impl Progress {
    fn new(cases: usize) -> Self {
        Self {
            cases,
            run: 0,
            failed: 0,
            on_terminal: stderr().is_terminal(),
        }
    }

    fn has_run(&mut self, case: &Case, report: &Result<Report>) {
        self.run += 1;
        let failed = !matches!(
            report,
            Ok(Report {
                outcome: Outcome::Passed | Outcome::Skipped(_),
                ..
            })
        );
        self.failed += usize::from(failed);
        if self.on_terminal {
            let (run, cases, failed) = (self.run, self.cases, self.failed);
            eprint!(
                "\r\x1b[K[{run}/{cases}] {failed} failed, last: {}",
                case.name
            );
            // Nothing is lost if it cannot be shown.
            let _ = stderr().flush();
        } else if failed {
            eprintln!("FAILED {}", case.name);
        }
    }

    fn clear(&self) {
        if self.on_terminal {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quoted_for_shell;
    use std::process::Command;

    #[test]
    fn shells_read_commands_as_they_are_meant() {
        for argument in [
            "plain",
            "--options=-D A",
            "kernel's_args",
            "$HOME",
            "a\\'\"b",
        ] {
            let line = format!("printf %s {}", quoted_for_shell(argument));
            let output = Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), argument);
        }
    }
}
