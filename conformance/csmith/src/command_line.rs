//! The arguments of `conformance csmith`, and what they start.

use super::configurations::{self, Configuration};
use super::runner::{self, Plan};
use super::{external, translation};
use anyhow::{Context, Result};
use clap::Subcommand;
use harness::command::{new_seed, processors, verdict};
use harness::sanitized;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// The tasks of this crate.
#[derive(Subcommand)]
pub enum Task {
    /// Run programs of the generator csmith, and compare with the host's compiler.
    Csmith(Arguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// It could not be run.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::Csmith(arguments) => arguments.run(),
        }
    }
}

/// What to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 50)]
    programs: u64,
    /// The first program's seed; the others' follow. Without it, one that is new.
    #[arg(long)]
    seed: Option<u64>,
    /// How many at a time; as many as processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Only this configuration: default, lanes-0, lanes-8, lanes-16, general, unoptimised,
    /// timed or sse2.
    #[arg(long)]
    configuration: Option<String>,
    /// Seconds that a program may take in one configuration.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Print the program of the seed, which is C and OpenCL C, and run nothing.
    #[arg(long)]
    show: bool,
    /// Run this program instead, for example one of `--show` that was made smaller.
    #[arg(long, conflicts_with = "show")]
    file: Option<PathBuf>,
}

impl Arguments {
    /// Runs the programs.
    ///
    /// # Errors
    /// csmith, gcc or the platform is missing; the file cannot be read.
    pub fn run(&self) -> Result<ExitCode> {
        let seed = self.seed.unwrap_or_else(new_seed);
        if self.show {
            let text = external::csmith(seed)?;
            print!("{}", translation::translate(&text, runner::ITEMS)?);
            return Ok(ExitCode::SUCCESS);
        }
        let executable = std::env::current_exe()?;
        let start = move |configuration: &Configuration, recordings: &Path| {
            let mut worker = Command::new(&executable);
            worker
                .args(["random-kernels-worker", "--platform", "MOCL3"])
                .envs(configuration.variables.iter().copied())
                // Each program is built once: it need not be kept.
                .env("MOCL3_CACHE", "0");
            if configuration.recorded {
                worker.env("MOCL3_RECORD", recordings);
            }
            worker
        };
        let plan = Plan {
            seed,
            programs: self.programs,
            jobs: self.jobs.unwrap_or_else(processors),
            configurations: self.configurations()?,
            limit: Duration::from_secs(self.limit) * sanitized::PATIENCE,
        };
        if let Some(file) = &self.file {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            return runner::run_text(&text, &plan, &start).map(verdict);
        }
        Ok(verdict(runner::run(&plan, &start)? == 0))
    }

    fn configurations(&self) -> Result<Vec<&'static Configuration>> {
        let all = configurations::ALL.iter();
        let Some(name) = &self.configuration else {
            return Ok(all.collect());
        };
        let one = all.filter(|one| one.name == name).collect::<Vec<_>>();
        anyhow::ensure!(!one.is_empty(), "there is no configuration `{name}`");
        Ok(one)
    }
}
