//! The sorts of input.

use crate::input::Input;
use crate::{binaries, builds, machines};
use anyhow::Result;

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

impl Subject {
    /// The subject's command.
    pub fn command(self) -> &'static str {
        match self {
            Self::Binaries => "fuzz-binaries",
            Self::Machines => "fuzz-machines",
            Self::Builds => "fuzz-builds",
        }
    }

    /// What the worker's argument says.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binaries => "binaries",
            Self::Machines => "machines",
            Self::Builds => "builds",
        }
    }

    /// Inputs of one process: the platform reads a machine description once.
    pub fn inputs_per_process(self) -> u64 {
        match self {
            Self::Machines => 1,
            Self::Binaries | Self::Builds => 100,
        }
    }

    /// What gives the platform the inputs of this process.
    pub fn input(self, folder: &std::path::Path) -> Result<Box<dyn Input + '_>> {
        Ok(match self {
            Self::Binaries => Box::new(binaries::Binaries::new(folder)?),
            Self::Machines => Box::new(machines::Machines::new(folder)),
            Self::Builds => Box::new(builds::Builds::new(folder)?),
        })
    }
}
