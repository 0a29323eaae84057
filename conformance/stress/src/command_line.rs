//! The command lines `conformance stress`, `stress-scenario` and `stress-threads`.

use crate::runner::{self, Plan};
use anyhow::{Context, Result};
use clap::Subcommand;
use harness::command::new_seed;
use harness::sanitized;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Run many threads that use objects of all kinds, and scenarios that may deadlock.
    Stress(Stress),
    /// Run threads in this process.
    #[command(hide = true)]
    StressThreads(Threads),
    /// Run one scenario in this process.
    #[command(hide = true)]
    StressScenario(Scenario),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// The task could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::Stress(stress) => stress.run(),
            Self::StressThreads(threads) => threads.run(),
            Self::StressScenario(scenario) => scenario.run(),
        }
    }
}

/// Arguments of all tasks.
#[derive(clap::Args)]
struct Common {
    /// Part of the platform's name or version, in any case.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Time limit of a call, seconds.
    #[arg(long, default_value_t = 60 * u64::from(sanitized::PATIENCE))]
    patience: u64,
}

/// Arguments of the threads.
#[derive(clap::Args)]
struct Size {
    /// Duration of the threads, without the scenarios.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Number of threads.
    #[arg(long, default_value_t = 8)]
    threads: usize,
    /// Seed of the random choices; a new one by default.
    #[arg(long)]
    seed: Option<u64>,
}

/// Runs all scenarios and the threads, in processes of their own.
#[derive(clap::Args)]
pub struct Stress {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    size: Size,
    /// Run only the scenarios whose names contain this text, and no threads.
    #[arg(long)]
    scenario: Option<String>,
    /// Run only the threads.
    #[arg(long, conflicts_with = "scenario")]
    threads_only: bool,
}

impl Stress {
    /// Runs the scenarios and the threads.
    ///
    /// # Errors
    /// No process can be started. The exit code reports failures.
    pub fn run(self) -> Result<ExitCode> {
        let executable = std::env::current_exe()?;
        // Programs are built many times. Each run begins with an empty cache.
        let cache = tempfile::tempdir()?;
        let process = |words: &[&str]| {
            let mut process = Command::new(&executable);
            process
                .args(words)
                .args(["--platform", &self.common.platform])
                .args(["--patience", &self.common.patience.to_string()])
                .env("MOCL3_CACHE", "1")
                .env("MOCL3_CACHE_DIR", cache.path());
            process
        };
        let mut failed = false;
        if !self.threads_only {
            let filter = self.scenario.as_deref().unwrap_or_default();
            let scenario = |name: &str| process(&["stress-scenario", name]);
            failed |= runner::run_scenarios(filter, &scenario)? > 0;
        }
        if self.scenario.is_none() {
            let mut threads = process(&["stress-threads"]);
            threads
                .args(["--seconds", &self.size.seconds.to_string()])
                .args(["--threads", &self.size.threads.to_string()]);
            if let Some(seed) = self.size.seed {
                threads.args(["--seed", &seed.to_string()]);
            }
            let status = threads.status().context("cannot start a process")?;
            if !status.success() {
                eprintln!("the process of the threads ended with {status}");
                failed = true;
            }
        }
        Ok(ExitCode::from(u8::from(failed)))
    }
}

/// Runs the threads in this process.
#[derive(clap::Args)]
pub struct Threads {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    size: Size,
}

impl Threads {
    /// Runs the threads.
    ///
    /// # Errors
    /// The threads found a failure.
    pub fn run(self) -> Result<ExitCode> {
        runner::run(&Plan {
            platform: self.common.platform,
            duration: Duration::from_secs(self.size.seconds),
            threads: self.size.threads,
            seed: self.size.seed.unwrap_or_else(new_seed),
            patience: Duration::from_secs(self.common.patience),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs one scenario in this process.
#[derive(clap::Args)]
pub struct Scenario {
    /// The scenario's name.
    name: String,
    #[command(flatten)]
    common: Common,
}

impl Scenario {
    /// Runs the scenario.
    ///
    /// # Errors
    /// The scenario failed.
    pub fn run(self) -> Result<ExitCode> {
        let patience = Duration::from_secs(self.common.patience);
        runner::run_scenario(&self.name, &self.common.platform, patience)?;
        Ok(ExitCode::SUCCESS)
    }
}
