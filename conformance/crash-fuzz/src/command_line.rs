//! The arguments of `conformance fuzz-binaries`, `fuzz-machines` and `fuzz-builds`, and what
//! they start.

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

/// Bytes that a process may map; a build takes less than 1 GiB.
const ADDRESS_SPACE: u64 = 8 << 30;

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Hand damaged program binaries to the platform: it must not crash, hang or panic.
    FuzzBinaries(Arguments),
    /// The same with descriptions of machines.
    FuzzMachines(Arguments),
    /// The same with sources and build options.
    FuzzBuilds(Arguments),
    /// Hand damaged input to the platform in this process.
    #[command(hide = true)]
    CrashFuzzWorker(WorkerArguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// It could not be run, or a worker found a failure.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::FuzzBinaries(arguments) => arguments.run(Subject::Binaries),
            Self::FuzzMachines(arguments) => arguments.run(Subject::Machines),
            Self::FuzzBuilds(arguments) => arguments.run(Subject::Builds),
            Self::CrashFuzzWorker(arguments) => arguments.run().map(|()| ExitCode::SUCCESS),
        }
    }
}

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// How long to begin with new inputs.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// How many inputs, however long that takes.
    #[arg(long)]
    inputs: Option<u64>,
    /// The first input's seed; the others' follow. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// Processes at a time; as many as processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds that an input may take.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Count crashes of the compiler that do not end the process among the failures.
    #[arg(long)]
    strict: bool,
}

/// What a process runs.
#[derive(clap::Args)]
pub struct WorkerArguments {
    /// What is damaged.
    #[arg(long)]
    subject: Subject,
    /// The first input's.
    #[arg(long)]
    seed: u64,
    /// How many.
    #[arg(long)]
    inputs: u64,
    /// Where inputs and errors are written.
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

/// Other processes must not suffer from an input that takes all memory.
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
        // Binaries are made of the same few programs in each process.
        let cache = tempfile::tempdir()?;
        let start = |seed: u64, inputs: u64, folder: &Path| {
            let mut worker = Command::new(&executable);
            worker
                .args(["crash-fuzz-worker", "--seed", &seed.to_string()])
                .args(["--inputs", &inputs.to_string(), "--subject"])
                .arg(subject.name())
                .arg("--folder")
                .arg(folder)
                // Options may name files.
                .current_dir(folder)
                .env("MOCL3_CACHE_DIR", cache.path())
                .env(
                    "MOCL3_CACHE",
                    if subject == Subject::Builds { "0" } else { "1" },
                );
            // A sanitizer's own memory takes more addresses than there are within the limit.
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
