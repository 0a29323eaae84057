//! The options by which commands select the machine.

use anyhow::{Result, anyhow};
use device_sim::machine::{Description, split_settings};
use environment::{MACHINE, MACHINE_SET};
use std::ffi::OsString;

/// The machine, unless the environment's is meant.
#[derive(clap::Args, Clone, Default)]
// Commands have `Arguments` of their own around these.
#[group(skip)]
pub struct MachineOptions {
    /// Simulate this machine: one that `mocl3 machine list` names, or a file.
    #[arg(long, value_name = "MACHINE")]
    machine: Option<String>,
    /// Give a number of the machine another value, such as memory.ddr.bandwidth=85.2GB/s; may be
    /// repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl MachineOptions {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.machine.is_none() && self.settings.is_empty()
    }

    /// Adds a setting.
    pub fn set(&mut self, setting: String) {
        self.settings.push(setting);
    }

    /// The machine: that of the environment, unless there are options.
    ///
    /// # Errors
    /// The machine is unknown or its description invalid, or a setting cannot be applied.
    pub fn description(&self) -> Result<Description> {
        self.description_of(self.machine.as_deref())
    }

    /// The machine: that of option or environment, or else the one that ships by this name.
    ///
    /// # Errors
    /// Those of `description`.
    pub fn description_or(&self, default: &str) -> Result<Description> {
        let is_selected = self.machine.is_some() || MACHINE.get().is_some();
        self.description_of(match is_selected {
            true => self.machine.as_deref(),
            false => Some(default),
        })
    }

    fn description_of(&self, machine: Option<&str>) -> Result<Description> {
        let mut description = match machine {
            Some(name) => {
                let mut description = Description::select(name)?;
                for setting in split_settings(&environment_settings()) {
                    description.set(setting)?;
                }
                description
            }
            None => Description::from_environment().map_err(|sentence| anyhow!(sentence))?,
        };
        for setting in &self.settings {
            description.set(setting)?;
        }
        description.machine()?;
        Ok(description)
    }

    /// The variables for a program that uses this machine. The machine is checked here, so that the
    /// program does not start without devices.
    ///
    /// # Errors
    /// Those of `description`.
    pub fn variables(&self) -> Result<Vec<(&'static str, OsString)>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        self.description()?;
        let mut variables = Vec::new();
        if let Some(machine) = &self.machine {
            variables.push((MACHINE.name, machine.into()));
        }
        if !self.settings.is_empty() {
            let mut all = environment_settings();
            for setting in &self.settings {
                all.push(',');
                all.push_str(setting);
            }
            variables.push((MACHINE_SET.name, all.into()));
        }
        Ok(variables)
    }
}

/// The settings in the environment.
fn environment_settings() -> String {
    let value = MACHINE_SET.get().unwrap_or_default();
    value.to_string_lossy().into_owned()
}
