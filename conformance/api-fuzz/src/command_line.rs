//! The arguments of `conformance fuzz-api`, and what they start.

use crate::runner::{self, Plan};
use crate::worker::{self, Log};
use anyhow::Result;
use clap::Subcommand;
use harness::command::{new_seed, processors, verdict};
use harness::sanitized;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The platform under test.
const PLATFORM: &str = "MOCL3";

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Run sequences of API calls made from seeds, right and wrong ones, and judge the
    /// results.
    FuzzApi(Arguments),
    /// Run sequences of API calls in this process.
    #[command(hide = true)]
    FuzzApiWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// It could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::FuzzApi(arguments) => arguments.run(),
            Self::FuzzApiWorker(arguments) => arguments.run().map(|()| ExitCode::SUCCESS),
        }
    }
}

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Least number of calls.
    #[arg(long, default_value_t = 100_000)]
    calls: u64,
    /// The first sequence's seed; the others' follow. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// Processes at a time; as many as processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Only these steps of the one sequence, each call shown: `1-12,15`.
    #[arg(long)]
    only: Option<String>,
    /// A program that the processes run under, with its arguments.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    under: String,
    /// Show how often each function was called, and with success.
    #[arg(long)]
    tally: bool,
}

/// What a process runs.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// The first sequence's.
    #[arg(long)]
    seed: u64,
    /// How many.
    #[arg(long)]
    sequences: u64,
    /// Only these steps.
    #[arg(long)]
    only: Option<String>,
    /// Where calls are written.
    #[arg(long)]
    log: PathBuf,
}

fn steps(only: Option<&str>) -> Result<Option<Vec<u32>>> {
    only.map(worker::parse_steps).transpose()
}

impl WorkerArguments {
    /// Runs the sequences in this process.
    ///
    /// # Errors
    /// The platform is not there, or cannot be tested.
    pub fn run(&self) -> Result<()> {
        let seeds = self.seed..self.seed + self.sequences;
        let only = steps(self.only.as_deref())?;
        worker::work(PLATFORM, seeds, only.as_deref(), Log::File(&self.log))
    }
}

impl Arguments {
    /// Runs sequences in processes, or the one that is to be shown in this one.
    ///
    /// # Errors
    /// The platform is not there, or no process can be started.
    pub fn run(&self) -> Result<ExitCode> {
        let seed = self.seed.unwrap_or_else(new_seed);
        if let Some(only) = steps(self.only.as_deref())? {
            worker::work(PLATFORM, seed..seed + 1, Some(&only), Log::Shown)?;
            return Ok(ExitCode::SUCCESS);
        }
        let executable = std::env::current_exe()?;
        // Sequences build the same few programs.
        let cache = tempfile::tempdir()?;
        let start = |seed: u64, sequences: u64, only: Option<&str>, log: &Path| {
            let mut words = self.under.split_whitespace();
            let mut process = match words.next() {
                Some(program) => {
                    let mut process = Command::new(program);
                    process.args(words).arg(&executable);
                    process
                }
                None => Command::new(&executable),
            };
            process
                .args(["fuzz-api-worker", "--seed", &seed.to_string()])
                .args(["--sequences", &sequences.to_string(), "--log"])
                .arg(log)
                .env("MOCL3_CACHE", "1")
                .env("MOCL3_CACHE_DIR", cache.path());
            if let Some(only) = only {
                process.args(["--only", only]);
            }
            process
        };
        let plan = Plan {
            seed,
            calls: self.calls,
            jobs: self.jobs.unwrap_or_else(processors),
            // What checks a process instruction by instruction makes it slow.
            patience: if self.under.is_empty() {
                sanitized::PATIENCE
            } else {
                30
            },
            tally: self.tally,
        };
        Ok(verdict(runner::run(&plan, &start)?.failed == 0))
    }
}
