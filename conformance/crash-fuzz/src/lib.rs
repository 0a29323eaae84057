//! Damaged input of three sorts, made from seeds: program binaries, machine descriptions,
//! and sources with build options.
//!
//! Nothing is known of what they should give. The platform accepts the input or refuses it
//! with an error code and a log: the end of the process, a hang, a panic or a log that blames our
//! own passes is a failure. Crashes of clang and LLVM that stay within the build are counted. Inputs run in processes of their own, and each follows from its seed alone.

mod binaries;
mod builds;
pub mod command_line;
mod corpus;
mod exercise;
mod machines;
mod mutation;
mod runner;
mod worker;

use anyhow::Result;
use serde::{Deserialize, Serialize};

/// What is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Subject {
    /// Program binaries for `clCreateProgramWithBinary`.
    Binaries,
    /// Files that `MOCL3_MACHINE` names.
    Machines,
    /// Sources and options for `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.
    Builds,
}

/// What the platform did with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Verdict {
    Accepted,
    Refused,
    /// A build or a launch failed because the compiler crashed; the process goes on.
    CompilerCrashed,
}

impl Subject {
    /// The subject's command.
    fn command(self) -> &'static str {
        match self {
            Self::Binaries => "fuzz-binaries",
            Self::Machines => "fuzz-machines",
            Self::Builds => "fuzz-builds",
        }
    }

    /// What the worker's argument says.
    fn name(self) -> &'static str {
        match self {
            Self::Binaries => "binaries",
            Self::Machines => "machines",
            Self::Builds => "builds",
        }
    }

    /// Inputs of one process: the platform reads a machine description once.
    fn inputs_per_process(self) -> u64 {
        match self {
            Self::Machines => 1,
            Self::Binaries | Self::Builds => 100,
        }
    }

    /// What gives the platform the inputs of this process.
    fn input(self, folder: &std::path::Path) -> Result<Box<dyn Input + '_>> {
        Ok(match self {
            Self::Binaries => Box::new(binaries::Binaries::new(folder)?),
            Self::Machines => Box::new(machines::Machines::new(folder)),
            Self::Builds => Box::new(builds::Builds::new(folder)?),
        })
    }
}

/// Inputs of one sort, in the process that hands them to the platform.
trait Input {
    /// Makes the input of the seed, writes it to the folder, where it stays if the process
    /// ends, and hands it to the platform.
    ///
    /// # Errors
    /// What the platform did is wrong.
    fn run(&mut self, seed: u64) -> Result<Verdict>;
}
