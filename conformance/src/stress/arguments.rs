//! The command lines `conformance stress` and `conformance stress-scenario`.

use crate::stress::runner::{self, Plan};
use anyhow::Result;
use std::process::{Command, ExitCode};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What both have.
#[derive(clap::Args)]
struct Common {
    /// Part of the platform's name or version, in any case.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Seconds after which a call is stuck.
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

/// All scenarios, each in a process of its own, and threads in this process.
#[derive(clap::Args)]
pub struct Stress {
    #[command(flatten)]
    common: Common,
    /// How long threads run, without the scenarios.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many threads.
    #[arg(long, default_value_t = 8)]
    threads: usize,
    /// Random choices follow from it. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// Do not look whether the process grows: a sanitizer keeps what is freed.
    #[arg(long)]
    sanitized: bool,
    /// Only these scenarios, by part of their names, and no threads.
    #[arg(long)]
    scenario: Option<String>,
    /// No scenarios, only threads.
    #[arg(long, conflicts_with = "scenario")]
    threads_only: bool,
}

impl Stress {
    /// Runs them.
    ///
    /// # Errors
    /// What the threads found. Scenarios that failed are told by the exit code.
    pub fn run(self) -> Result<ExitCode> {
        let executable = std::env::current_exe()?;
        let patience = self.common.patience;
        let plan = Plan {
            platform: self.common.platform,
            duration: Duration::from_secs(self.seconds),
            threads: self.threads,
            seed: self.seed.unwrap_or_else(new_seed),
            patience: Duration::from_secs(patience),
            watch_memory: !self.sanitized,
        };
        let mut failed = 0;
        if !self.threads_only {
            failed =
                runner::run_scenarios(self.scenario.as_deref().unwrap_or_default(), &|name| {
                    let mut process = Command::new(&executable);
                    process
                        .args(["stress-scenario", name, "--platform", &plan.platform])
                        .args(["--patience", &patience.to_string()]);
                    process
                })?;
        }
        if self.scenario.is_none() {
            runner::run(&plan)?;
        }
        Ok(ExitCode::from(u8::from(failed > 0)))
    }
}

fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs())
}

/// One scenario in this process.
#[derive(clap::Args)]
pub struct Scenario {
    /// Its name.
    name: String,
    #[command(flatten)]
    common: Common,
}

impl Scenario {
    /// Runs it.
    ///
    /// # Errors
    /// It failed.
    pub fn run(self) -> Result<ExitCode> {
        let patience = Duration::from_secs(self.common.patience);
        runner::run_scenario(&self.name, &self.common.platform, patience)?;
        Ok(ExitCode::SUCCESS)
    }
}
