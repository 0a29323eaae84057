//! The arguments of `conformance csmith`.

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
    /// Run programs of the generator csmith, and compare the results with the host's compiler.
    Csmith(Arguments),
}

impl Task {
    /// Runs the task.
    ///
    /// # Errors
    /// The task could not be run.
    pub fn run(self) -> Result<ExitCode> {
        match self {
            Self::Csmith(arguments) => arguments.run(),
        }
    }
}

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of programs.
    #[arg(long, default_value_t = 50)]
    programs: u64,
    /// Seed of the first program; each further program has the next one. A new one by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Maximum number of concurrent programs; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Only this configuration: default, lanes-0, lanes-8, lanes-16, general, unoptimised,
    /// timed or sse2.
    #[arg(long)]
    configuration: Option<String>,
    /// Time limit of a program in one configuration, seconds.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Print the program of the seed, which is both C and OpenCL C, and run nothing.
    #[arg(long)]
    show: bool,
    /// Run this program instead, for example a minimised one of `--show`.
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
                // Each program is built once, so that caching is useless.
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
