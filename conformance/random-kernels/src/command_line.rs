//! The arguments of `conformance random-kernels`, and what they start.

use crate::generator::Profile;
use crate::runner::{self, Plan};
use crate::source;
use anyhow::Result;
use clap::Subcommand;
use harness::command::{new_seed, processors, verdict};
use harness::worker;
use std::process::{Command, ExitCode};

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Run kernels made from seeds, and compare with an interpreter of OpenCL C.
    RandomKernels(Arguments),
    /// Run the kernels that come in through standard input.
    #[command(hide = true)]
    RandomKernelsWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// It could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::RandomKernels(arguments) => arguments.run(),
            Self::RandomKernelsWorker(arguments) => {
                worker::serve(&arguments.platform).map(|()| ExitCode::SUCCESS)
            }
        }
    }
}

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many kernels.
    #[arg(long, default_value_t = 1000)]
    kernels: u64,
    /// The first kernel's seed; the others' follow. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// Part of the platform's name or version, in any case.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Processes at a time; as many as processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Without `goto` into loops, which PoCL 3.1 cannot compile.
    #[arg(long)]
    reducible: bool,
    /// Many barriers, and only simple operators of the rest of the language: the kernels
    /// of the suite's category `generated`.
    #[arg(long)]
    barriers: bool,
    /// Only index spaces of this number of dimensions.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3))]
    dimensions: Option<u64>,
    /// Print the kernel of the seed, and run nothing.
    #[arg(long)]
    show: bool,
}

/// What a process runs.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// Part of the platform's name or version, in any case.
    #[arg(long)]
    platform: String,
}

impl Arguments {
    /// Runs kernels in processes, or prints the one that is to be shown.
    ///
    /// # Errors
    /// The platform is not there, or no process can be started.
    pub fn run(self) -> Result<ExitCode> {
        let profile = Profile {
            reducible: self.reducible,
            barriers: self.barriers,
            dimensions: self.dimensions.map(|count| count as usize),
        };
        let seed = self.seed.unwrap_or_else(new_seed);
        if self.show {
            let (kernel, _) = runner::kernel(seed, profile);
            print!("{}", source::text(&kernel));
            return Ok(ExitCode::SUCCESS);
        }
        let plan = Plan {
            platform: self.platform,
            seed,
            kernels: self.kernels,
            jobs: self.jobs.unwrap_or_else(processors),
            profile,
            options: vec![String::new(), "-cl-opt-disable".to_owned()],
        };
        let executable = std::env::current_exe()?;
        let failed = runner::run(&plan, &|| {
            let mut worker = Command::new(&executable);
            worker
                .args(["random-kernels-worker", "--platform", &plan.platform])
                // Each kernel is built once: the cache would only grow.
                .env("MOCL3_CACHE", "0");
            worker
        })?;
        Ok(verdict(failed == 0))
    }
}
