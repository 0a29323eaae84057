//! Runs several cases at a time, and shows the progress.

use crate::case::Case;
use crate::case_report::Report;
use crate::interrupt;
use crate::process::{self, Outcome};
use crate::progress::Progress;
use anyhow::Result;
use harness::session::Settings;
use parking_lot::Mutex;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A run of the suite.
pub struct Plan {
    /// Platform, build options, and the seed of the first runs.
    pub settings: Settings,
    /// Number of runs of each case; each run has the next seed.
    pub repeat: u64,
    /// Maximum number of concurrent processes.
    pub jobs: usize,
    /// Time limit of a case.
    pub limit: Duration,
    /// The program whose command `run` runs one case.
    pub executable: PathBuf,
    /// The command that reports show for it, quoted for a shell.
    pub shown_as: String,
    /// Environment variables for it.
    pub variables: Vec<(&'static str, OsString)>,
    /// Whether a line for each failed case remains on the terminal.
    pub failures_are_shown: bool,
}

/// Runs the cases. Returns their reports in the order of the cases. After a signal to end, the
/// reports are those of the finished cases.
///
/// # Errors
/// A process cannot be started.
pub fn run(plan: &Plan, cases: &[&'static Case]) -> Result<Vec<Report>> {
    let next = AtomicUsize::new(0);
    let progress = Progress::new(cases.len(), plan.failures_are_shown);
    let reports: Vec<Mutex<Option<Result<Report>>>> =
        cases.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.jobs.clamp(1, cases.len().max(1)))
            .map(|_| {
                scope.spawn(|| {
                    while !interrupt::is_asked() {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(place) else { break };
                        progress.starts(case.name);
                        let report = run_case(plan, case);
                        // An interrupted case has no result.
                        if !interrupt::is_asked() {
                            progress.has_run(case.name, report.as_ref().ok());
                            *reports[place].lock() = Some(report);
                        }
                    }
                })
            })
            .collect();
        progress.show_until(|| workers.iter().all(|worker| worker.is_finished()));
        // The end of the scope would wait as well, but ThreadSanitizer does not see that.
        for worker in workers {
            worker.join().expect("a thread of a run panicked");
        }
    });
    reports.into_iter().filter_map(Mutex::into_inner).collect()
}

fn run_case(plan: &Plan, case: &'static Case) -> Result<Report> {
    let start = Instant::now();
    let sources = tempfile::NamedTempFile::new()?;
    let mut settings = Settings {
        sources: Some(sources.path().to_owned()),
        ..plan.settings.clone()
    };
    let variables: Vec<_> = plan
        .variables
        .iter()
        .map(|(name, value)| (*name, value.as_os_str()))
        .collect();
    let mut outcome = Outcome::Passed;
    for run in 0..plan.repeat.max(1) {
        settings.seed = plan.settings.seed.wrapping_add(run);
        sources.as_file().set_len(0)?;
        outcome = process::run(&plan.executable, case, &settings, plan.limit, &variables)?;
        if outcome != Outcome::Passed {
            break;
        }
    }
    let source = match outcome {
        Outcome::Failed(_) => std::fs::read_to_string(sources.path())?,
        _ => String::new(),
    };
    let arguments = process::arguments(case.name, &settings);
    let quoted: Vec<String> = arguments
        .iter()
        .map(|word| quoted_for_shell(word))
        .collect();
    Ok(Report {
        name: case.name,
        category: case.category,
        origin: case.origin,
        outcome,
        seconds: start.elapsed().as_secs_f64(),
        seed: settings.seed,
        source,
        command: format!("{} {}", plan.shown_as, quoted.join(" ")),
        known_failure: None,
    })
}

/// Prefixes of the environment variables that configure a platform, and of those that decide where
/// the loader finds it.
const PLATFORM_VARIABLES: &[&str] = &["MOCL3_", "POCL_", "CL_CONFIG_"];
const LOADER_VARIABLES: &[&str] = &["OCL_ICD_", "LD_LIBRARY_PATH"];
/// Part of the names of variables that only affect the duration of a run.
const CACHE: &str = "_CACHE";

/// The environment variables of this process with these prefixes, quoted for a shell.
fn settings_of(beginnings: &[&str]) -> Vec<String> {
    let mut settings: Vec<String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| !name.contains(CACHE))
        .filter(|(name, _)| {
            beginnings
                .iter()
                .any(|beginning| name.starts_with(beginning))
        })
        .map(|(name, value)| format!("{name}={}", quoted_for_shell(&value.to_string_lossy())))
        .collect();
    settings.sort();
    settings
}

/// The environment variables of this process that configure platforms.
pub fn platform_settings() -> Vec<String> {
    settings_of(PLATFORM_VARIABLES)
}

/// The command by which a new shell starts this command: its file, or the command that started it
/// and set up the loader.
pub fn shown_as(command: Option<&str>, executable: &Path) -> String {
    let mut words = settings_of(PLATFORM_VARIABLES);
    match command {
        Some(command) => words.push(command.to_owned()),
        None => {
            words.extend(settings_of(LOADER_VARIABLES));
            words.push(quoted_for_shell(&executable.to_string_lossy()));
        }
    }
    words.join(" ")
}

/// An argument, quoted for a shell.
fn quoted_for_shell(argument: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./:+,@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted_for_shell;
    use std::process::Command;

    #[test]
    fn shells_read_commands_as_they_are_meant() {
        for argument in [
            "plain",
            "",
            "two\nlines",
            "~user",
            "#no comment",
            "é*?",
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
