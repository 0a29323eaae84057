//! The arguments of `conformance fuzz-api`.

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
    /// Run random sequences of valid and invalid API calls, and check the results.
    FuzzApi(Arguments),
    /// Run sequences of API calls in this process.
    #[command(hide = true)]
    FuzzApiWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// The task could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::FuzzApi(arguments) => arguments.run(),
            Self::FuzzApiWorker(arguments) => arguments.run().map(|()| ExitCode::SUCCESS),
        }
    }
}

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Minimum number of calls.
    #[arg(long, default_value_t = 100_000)]
    calls: u64,
    /// Seed of the first sequence; each further sequence has the next one. A new one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Run only these steps of one sequence, and show each call: `1-12,15`.
    #[arg(long)]
    only: Option<String>,
    /// A program that the processes run under, with its arguments.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    under: String,
    /// Print the numbers of calls and successes of each function.
    #[arg(long)]
    tally: bool,
}

/// Arguments of a worker process.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// Seed of the first sequence.
    #[arg(long)]
    seed: u64,
    /// Number of sequences.
    #[arg(long)]
    sequences: u64,
    /// Run only these steps.
    #[arg(long)]
    only: Option<String>,
    /// The file for the calls.
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
    /// The platform does not exist, or cannot be tested.
    pub fn run(&self) -> Result<()> {
        let seeds = self.seed..self.seed + self.sequences;
        let only = steps(self.only.as_deref())?;
        worker::work(PLATFORM, seeds, only.as_deref(), Log::File(&self.log))
    }
}

impl Arguments {
    /// Runs sequences in processes, or one that is shown in this process.
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
        // All sequences build the same few programs.
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
            // Programs such as valgrind make the process slow.
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
