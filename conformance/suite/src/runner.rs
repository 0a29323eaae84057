//! Runs cases, several at a time, and shows the progress.

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
    /// What reports show of it, as a shell reads it.
    pub shown_as: String,
    /// Set for it in the environment.
    pub variables: Vec<(&'static str, OsString)>,
    /// On a terminal, a line for each case that failed stays.
    pub failures_are_shown: bool,
}

/// Runs the cases; reports are in their order. If this process is asked to end, they are
/// of the cases that had ended.
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
        // The end of the scope waits in a manner that ThreadSanitizer does not see.
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
/// Part of the names of variables that only affect how long a run takes.
const CACHE: &str = "_CACHE";

/// The settings in this process's environment whose names begin so, as a shell takes them.
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

/// The settings in this process's environment that decide what a platform does.
pub fn platform_settings() -> Vec<String> {
    settings_of(PLATFORM_VARIABLES)
}

/// What a shell that knows nothing of this process's environment starts this command with:
/// its file, or what started it and sets up the loader itself.
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

/// An argument as one writes it in a shell.
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
