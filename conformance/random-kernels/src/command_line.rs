//! The arguments of `conformance random-kernels`.

use crate::defects;
use crate::generator::Profile;
use crate::runner::{self, Plan};
use crate::source;
use anyhow::Result;
use clap::Subcommand;
use harness::command::{new_seed, processors, verdict};
use harness::worker;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Run random kernels, and compare their results with an interpreter of OpenCL C.
    RandomKernels(Arguments),
    /// Run random kernels with one injected error each under `MOCL3_CHECK`, and count the errors that
    /// are found.
    RandomDefects(DefectArguments),
    /// Run the kernels that standard input contains.
    #[command(hide = true)]
    RandomKernelsWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// The task could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::RandomKernels(arguments) => arguments.run(),
            Self::RandomDefects(arguments) => arguments.run(),
            Self::RandomKernelsWorker(arguments) => {
                worker::serve(&arguments.platform).map(|()| ExitCode::SUCCESS)
            }
        }
    }
}

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of kernels.
    #[arg(long, default_value_t = 1000)]
    kernels: u64,
    /// Seed of the first kernel; each further kernel has the next one. A new one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Part of the platform's name or version, in any case.
    #[arg(long, default_value = "MOCL3")]
    platform: String,
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Generate no `goto` into loops, which PoCL 3.1 cannot compile.
    #[arg(long)]
    reducible: bool,
    /// Generate many barriers, and only simple operators of the rest of the language, as the
    /// suite's category `generated`.
    #[arg(long)]
    barriers: bool,
    /// Generate only index spaces of this number of dimensions.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3))]
    dimensions: Option<u64>,
    /// Print the kernel of the seed, and run nothing.
    #[arg(long)]
    show: bool,
}

/// Arguments of the task that injects errors.
#[derive(clap::Args)]
pub struct DefectArguments {
    /// Number of kernels with an error.
    #[arg(long, default_value_t = 1000)]
    kernels: u64,
    /// Seed of the first kernel; each further kernel has the next one. A new one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// What is checked: the value of `MOCL3_CHECK`.
    #[arg(long, default_value = "memory,uninitialised,races,barriers,dma")]
    checks: String,
}

impl DefectArguments {
    /// Runs kernels with and without errors in processes.
    ///
    /// # Errors
    /// The platform does not exist, or no process can be started.
    pub fn run(self) -> Result<ExitCode> {
        let plan = defects::runner::Plan {
            seed: self.seed.unwrap_or_else(new_seed),
            kernels: self.kernels,
            jobs: self.jobs.unwrap_or_else(processors),
            checks: self.checks,
        };
        let executable = std::env::current_exe()?;
        let is_good = defects::runner::run(&plan, &|| worker(&executable, "MOCL3"))?;
        Ok(verdict(is_good))
    }
}

/// The command of a worker process. Each kernel is built once, so that caching is useless.
fn worker(executable: &Path, platform: &str) -> Command {
    let mut worker = Command::new(executable);
    worker
        .args(["random-kernels-worker", "--platform", platform])
        .env("MOCL3_CACHE", "0");
    worker
}

/// Arguments of a worker process.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// Part of the platform's name or version, in any case.
    #[arg(long)]
    platform: String,
}

impl Arguments {
    /// Runs kernels in processes, or prints one.
    ///
    /// # Errors
    /// The platform does not exist, or no process can be started.
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
        let failed = runner::run(&plan, &|| worker(&executable, &plan.platform))?;
        Ok(verdict(failed == 0))
    }
}
