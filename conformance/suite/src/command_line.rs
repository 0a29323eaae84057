//! The suite's arguments, and what they make it do.

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

/// What the command ends with; the last part of its `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    every case passed, was skipped, or is a known failure of the platform
  1    a case failed that is not known to fail, or a known failure passed
  2    nothing was run: wrong arguments, or no such platform
  130  interrupted; the report is of the cases that had ended by then";

/// Names the command that started this one, if that set up the loader.
const SHOWN_AS: &str = "CONFORMANCE_SHOWN_AS";

/// Something failed.
const FAILED: u8 = 1;
/// As shells show a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Which cases, and how.
#[derive(clap::Args)]
pub struct SuiteArguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Print the cases' names and what each checks, and run nothing.
    #[arg(long)]
    list: bool,
    /// Only the cases whose names contain this; given several times, one of these.
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only the cases of this category; given several times, of one of these.
    #[arg(long)]
    category: Vec<Category>,
    #[command(flatten)]
    running: RunningArguments,
}

/// How cases are run.
#[derive(clap::Args)]
pub struct RunningArguments {
    /// Processes at a time; as many as processors by default.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// How often each case is run, each time with the next seed.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Seconds after which a case counts as hanging.
    #[arg(long, value_name = "SECONDS", default_value_t = 120 * u64::from(sanitized::PATIENCE), value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Write a report as JSON into this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a report in JUnit's XML into this file.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Which cases are known to fail on which platforms, instead of this project's list:
    /// conformance/suite/known-failures.toml is an example.
    #[arg(long, value_name = "FILE")]
    known_failures: Option<PathBuf>,
}

/// What cases run on.
#[derive(clap::Args)]
pub struct SessionArguments {
    /// Part of the platform's name or version, in any case.
    #[arg(long, value_name = "NAME", default_value = "MOCL3")]
    platform: String,
    /// Build options that all programs get besides their own.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    options: String,
    /// The seed of random input.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// One case.
#[derive(clap::Args)]
pub struct CaseArguments {
    /// Its name.
    case: String,
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    running: RunningArguments,
    /// In this process, as debuggers like it; what kernels print is shown, not checked.
    #[arg(long)]
    here: bool,
    /// With `--here`: add the source of each program to this file.
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
    /// There is none of this name; with `--here`, it failed.
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
        // One line, also where RUST_BACKTRACE is set: it becomes part of the report.
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
        let platform = Identity::of(&session.device)?;
        // Before the cases take their time.
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

/// Prints, also into a pipe that is closed early.
fn print(text: &str) -> Result<()> {
    match stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
