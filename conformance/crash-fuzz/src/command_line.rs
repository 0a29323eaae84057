//! The arguments of `conformance fuzz-binaries`, `fuzz-machines` and `fuzz-builds`.

use super::runner::{self, Plan};
use super::worker;
use crate::subject::Subject;
use anyhow::Result;
use clap::Subcommand;
use harness::command::{new_seed, processors, verdict};
use harness::sanitized;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Limit of a process's address space, in bytes; a build takes less than 1 GiB.
const ADDRESS_SPACE: u64 = 8 << 30;

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Pass mutated program binaries to the platform, which must not crash, hang or panic.
    FuzzBinaries(Arguments),
    /// Pass mutated machine descriptions to the platform.
    FuzzMachines(Arguments),
    /// Pass mutated sources and build options to the platform.
    FuzzBuilds(Arguments),
    /// Pass mutated input to the platform in this process.
    #[command(hide = true)]
    CrashFuzzWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// The task could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::FuzzBinaries(arguments) => arguments.run(Subject::Binaries),
            Self::FuzzMachines(arguments) => arguments.run(Subject::Machines),
            Self::FuzzBuilds(arguments) => arguments.run(Subject::Builds),
            Self::CrashFuzzWorker(arguments) => arguments.run().map(|()| ExitCode::SUCCESS),
        }
    }
}

/// Arguments of the tasks.
#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds after which no new input starts.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Number of inputs, without a time limit.
    #[arg(long)]
    inputs: Option<u64>,
    /// Seed of the first input; each further input has the next one. A new one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Time limit of an input, seconds.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Count crashes of the compiler that do not end the process as failures.
    #[arg(long)]
    strict: bool,
}

/// Arguments of a worker process.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// The kind of input.
    #[arg(long)]
    subject: Subject,
    /// Seed of the first input.
    #[arg(long)]
    seed: u64,
    /// Number of inputs.
    #[arg(long)]
    inputs: u64,
    /// The folder for inputs and errors.
    #[arg(long)]
    folder: PathBuf,
}

impl WorkerArguments {
    /// Runs the inputs in this process.
    ///
    /// # Errors
    /// The platform is not there.
    pub fn run(&self) -> Result<()> {
        let seeds = self.seed..self.seed + self.inputs;
        worker::work(self.subject, seeds, &self.folder)
    }
}

/// Limits the memory of this process, so that an input that allocates all memory does not disturb
/// other processes.
fn limit_memory() -> std::io::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: ADDRESS_SPACE,
        rlim_max: ADDRESS_SPACE,
    };
    // SAFETY: the structure is valid during the call.
    match unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

impl Arguments {
    /// Runs inputs in processes.
    ///
    /// # Errors
    /// The platform is not there, or no process can be started.
    pub fn run(&self, subject: Subject) -> Result<ExitCode> {
        let executable = std::env::current_exe()?;
        // All processes create binaries from the same few programs.
        let cache = tempfile::tempdir()?;
        let start = |seed: u64, inputs: u64, folder: &Path| {
            let mut worker = Command::new(&executable);
            worker
                .args(["crash-fuzz-worker", "--seed", &seed.to_string()])
                .args(["--inputs", &inputs.to_string(), "--subject"])
                .arg(subject.name())
                .arg("--folder")
                .arg(folder)
                // Mutated options may contain names of files.
                .current_dir(folder)
                .env("MOCL3_CACHE_DIR", cache.path())
                .env(
                    "MOCL3_CACHE",
                    if subject == Subject::Builds { "0" } else { "1" },
                );
            // Sanitizers need more address space than the limit allows.
            if subject != Subject::Machines && !sanitized::SANITIZED {
                // SAFETY: the function does one system call, which may be done after fork.
                unsafe { worker.pre_exec(limit_memory) };
            }
            worker
        };
        let plan = Plan {
            subject,
            seed: self.seed.unwrap_or_else(new_seed),
            inputs: self.inputs,
            time: Duration::from_secs(self.seconds),
            jobs: self.jobs.unwrap_or_else(processors),
            limit: Duration::from_secs(self.limit) * sanitized::PATIENCE,
            strict: self.strict,
        };
        Ok(verdict(runner::run(&plan, &start)? == 0))
    }
}
