//! The suite's arguments, and the runs that they start.

use crate::case::{Case, Category};
use crate::known_failures::KnownFailures;
use crate::process;
use crate::report::Run;
use crate::{cases, interrupt, runner};
use anyhow::{Context, Result, bail, ensure};
use harness::command::processors;
use harness::failure;
use harness::platform::Identity;
use harness::sanitized;
use harness::session::{Session, Settings};
use std::fs::File;
use std::io::{ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The exit codes, as the last part of the command's `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    every case passed, was skipped, or is a known failure of the platform
  1    a case failed that is not known to fail, or a known failure passed
  2    nothing was run: wrong arguments, or no such platform
  130  interrupted; the report is of the cases that had ended by then";

/// The environment variable with the command that started this one and set up the loader.
const SHOWN_AS: &str = "CONFORMANCE_SHOWN_AS";

/// The exit code of a run with failures.
const FAILED: u8 = 1;
/// The exit code of an interrupted run, as shells report SIGINT.
const INTERRUPTED: u8 = 130;

/// The arguments of a run.
#[derive(clap::Args)]
pub struct SuiteArguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Print the names and descriptions of the cases, and run nothing.
    #[arg(long)]
    list: bool,
    /// Run only cases whose names contain this text; can be repeated.
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Run only cases of this category; can be repeated.
    #[arg(long)]
    category: Vec<Category>,
    #[command(flatten)]
    running: RunningArguments,
}

/// Arguments that control the run.
#[derive(clap::Args)]
pub struct RunningArguments {
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Number of runs of each case; each run has the next seed.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Time limit of a case, seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120 * u64::from(sanitized::PATIENCE), value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Write a JSON report to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a JUnit XML report to this file.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Take the known failures from this file instead of this project's list,
    /// conformance/suite/known-failures.toml.
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
}

/// Arguments that cases receive.
#[derive(clap::Args)]
pub struct SessionArguments {
    /// Part of the platform's name or version, in any case.
    #[arg(long, value_name = "NAME", default_value = "MOCL3")]
    platform: String,
    /// Build options of all programs, in addition to their own.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
    /// Seed of random input.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of one case.
#[derive(clap::Args)]
pub struct CaseArguments {
    /// The case's name.
    case: String,
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    running: RunningArguments,
    /// Run the case in this process, for debuggers; output of kernels is shown and not checked.
    #[arg(long)]
    here: bool,
    /// With `--here`: append the source of each program to this file.
    #[arg(long, value_name = "FILE", requires = "here")]
    sources: Option<PathBuf>,
}

impl SessionArguments {
    fn settings(&self) -> Settings {
        Settings {
            platform: self.platform.clone(),
            options: self.options.clone(),
            seed: self.seed,
            sources: None,
        }
    }
}

impl SuiteArguments {
    /// Lists or runs cases.
    ///
    /// # Errors
    /// Nothing could be run.
    pub fn run(&self) -> Result<ExitCode> {
        let cases = self.cases()?;
        if self.list {
            let lines = cases.iter().map(|case| {
                let category = case.category.name();
                format!("{category:20} {:48} {}\n", case.name, case.what)
            });
            print(&lines.collect::<String>())?;
            return Ok(ExitCode::SUCCESS);
        }
        self.running.run(&self.session.settings(), &cases)
    }

    fn cases(&self) -> Result<Vec<&'static Case>> {
        let named = |case: &Case| {
            self.filter.is_empty() || self.filter.iter().any(|part| case.name.contains(part))
        };
        let mut cases: Vec<_> = cases::all().filter(|case| named(case)).collect();
        if cases.is_empty() {
            let parts = self.filter.join("` or `");
            bail!("no case has `{parts}` in its name; --list shows all");
        }
        cases.retain(|case| self.category.is_empty() || self.category.contains(&case.category));
        if cases.is_empty() {
            bail!("these categories have no such case; --list shows all");
        }
        Ok(cases)
    }
}

impl CaseArguments {
    /// Runs the case.
    ///
    /// # Errors
    /// There is no such case, or with `--here`, it failed.
    pub fn run(&self) -> Result<ExitCode> {
        let name = &self.case;
        let case = cases::all()
            .find(|case| case.name == name)
            .with_context(|| format!("no case is called `{name}`; --list shows all"))?;
        let settings = self.session.settings();
        if !self.here {
            return self.running.run(&settings, &[case]);
        }
        let ended = run_here(
            case,
            &Settings {
                options: format!("{} {}", case.options, settings.options),
                sources: self.sources.clone(),
                ..settings
            },
        );
        // The error becomes part of a report, so it has one line even with RUST_BACKTRACE.
        Ok(ended.unwrap_or_else(|error| {
            eprintln!("{error:#}");
            ExitCode::from(FAILED)
        }))
    }
}

fn run_here(case: &Case, settings: &Settings) -> Result<ExitCode> {
    let session = Session::open(settings)?;
    if let Some(reason) = case.obstacle(&session)? {
        eprintln!("{reason}");
        return Ok(ExitCode::from(process::SKIPPED as u8));
    }
    case.run(&session)?;
    session.queue.finish()?;
    let noted = failure::take();
    ensure!(noted.is_empty(), "{}", noted.join("\n"));
    Ok(ExitCode::SUCCESS)
}

impl RunningArguments {
    fn run(&self, settings: &Settings, cases: &[&'static Case]) -> Result<ExitCode> {
        let known = KnownFailures::read(self.known_failures.as_deref())?;
        let session = Session::open(settings)?;
        let platform = Identity::query(&session.device)?;
        // The files are created first, because the cases take a long time.
        let (json, junit) = (self.json.as_deref(), self.junit.as_deref());
        let (json, junit) = (
            json.map(create).transpose()?,
            junit.map(create).transpose()?,
        );
        let executable = std::env::current_exe()?;
        let plan = runner::Plan {
            settings: settings.clone(),
            repeat: self.repeat,
            jobs: self.jobs.map_or_else(processors, usize::from),
            limit: Duration::from_secs(self.limit),
            shown_as: runner::shown_as(std::env::var(SHOWN_AS).ok().as_deref(), &executable),
            executable,
            variables: Vec::new(),
            failures_are_shown: true,
        };
        interrupt::watch()?;
        let start = Instant::now();
        let reports = runner::run(&plan, cases)?;
        let run = Run {
            device: session.device.name()?,
            options: settings.options.clone(),
            variables: runner::platform_settings(),
            seed: settings.seed,
            jobs: plan.jobs,
            seconds: start.elapsed().as_secs_f64(),
            not_run: cases.len() - reports.len(),
            cases: reports,
            platform,
        }
        .with(known);
        if let Some(mut file) = json {
            file.write_all(run.json()?.as_bytes())?;
        }
        if let Some(mut file) = junit {
            file.write_all(run.junit()?.as_bytes())?;
        }
        print(&run.text())?;
        Ok(if run.not_run > 0 {
            ExitCode::from(INTERRUPTED)
        } else if run.is_as_expected() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(FAILED)
        })
    }
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Prints text; the reader of a pipe may have closed it.
fn print(text: &str) -> Result<()> {
    match stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
