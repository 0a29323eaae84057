//! The kinds of input.

use crate::input::Input;
use crate::{binaries, builds, machines};
use anyhow::Result;

/// The kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Subject {
    /// Program binaries for `clCreateProgramWithBinary`.
    Binaries,
    /// Files that `MOCL3_MACHINE` names.
    Machines,
    /// Sources and options for `clBuildProgram`, `clCompileProgram` and `clLinkProgram`.
    Builds,
}

impl Subject {
    /// The subject's command.
    pub fn command(self) -> &'static str {
        match self {
            Self::Binaries => "fuzz-binaries",
            Self::Machines => "fuzz-machines",
            Self::Builds => "fuzz-builds",
        }
    }

    /// The name in the worker's arguments.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binaries => "binaries",
            Self::Machines => "machines",
            Self::Builds => "builds",
        }
    }

    /// Number of inputs of one process: the platform reads a machine description once per process.
    pub fn inputs_per_process(self) -> u64 {
        match self {
            Self::Machines => 1,
            Self::Binaries | Self::Builds => 100,
        }
    }

    /// The inputs of this process.
    pub fn input(self, folder: &std::path::Path) -> Result<Box<dyn Input + '_>> {
        Ok(match self {
            Self::Binaries => Box::new(binaries::Binaries::new(folder)?),
            Self::Machines => Box::new(machines::Machines::new(folder)),
            Self::Builds => Box::new(builds::Builds::new(folder)?),
        })
    }
}
