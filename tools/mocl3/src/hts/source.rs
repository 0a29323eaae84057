//! The files that the commands read, and their machine.

use anyhow::{Context, Result};
use device_sim::machine::{Description, Shipped};
use environment::files;
use mocl3_shared::arguments::machine::MachineOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use task_isa::{AssemblyError, Functions};
use task_scheduler::Settings;

/// Maximum size of a source, bytes.
const LARGEST_SOURCE: u64 = 1 << 28;

/// A source and its machine.
#[derive(clap::Args)]
pub struct Source {
    /// The file; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    machine: MachineOptions,
}

impl Source {
    /// The text.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> Result<String> {
        if self.file != Path::new("-") {
            let text = files::read_text(&self.file, LARGEST_SOURCE);
            return text.with_context(|| format!("cannot read {}", self.name()));
        }
        let mut text = String::new();
        std::io::stdin()
            .take(LARGEST_SOURCE)
            .read_to_string(&mut text)
            .context("cannot read standard input")?;
        Ok(text)
    }

    /// The machine: that of the options or of the environment, or the system for signal processing.
    ///
    /// # Errors
    /// The machine is unknown or its description invalid.
    pub fn machine(&self) -> Result<Description> {
        self.machine.description_or(Shipped::DSP)
    }

    /// The functions of the machine.
    ///
    /// # Errors
    /// Those of `machine`, or it cannot run tasks.
    pub fn functions(&self) -> Result<Functions> {
        let settings = Settings::new(&self.machine()?.machine()?)?;
        Ok(settings.names()?)
    }

    /// The name of the file in messages.
    pub fn name(&self) -> String {
        match self.file == Path::new("-") {
            true => "standard input".to_owned(),
            false => self.file.display().to_string(),
        }
    }

    /// The error with the file's name, as compilers print it.
    pub fn error(&self, error: &AssemblyError) -> anyhow::Error {
        anyhow::anyhow!("{}:{error}", self.name())
    }
}
