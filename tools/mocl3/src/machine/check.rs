//! `mocl3 machine check`.

use super::sources::by_source;
use crate::json_option::show;
use anyhow::Result;
use device_sim::machine::Description;
use std::process::ExitCode;

/// Arguments of `mocl3 machine check`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file, or the name of a machine that ships.
    #[arg(value_name = "MACHINE")]
    machine: String,
}

/// Checks a machine, and says what it is.
///
/// # Errors
/// The description is invalid; the error names the number, and its line where there is one.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let description = Description::select(&arguments.machine)?;
    description.machine()?;
    let mut text = format!(
        "{}: valid; numbers: {}\n",
        description.name(),
        by_source(&description)?
    );
    let identity = description.identity();
    if let Some(base) = &identity.base {
        text += &format!(
            "based on {base}, from which {} differ:\n",
            identity.differences()
        );
        for change in &identity.changes {
            text += &format!("  {}\n", change.sentence());
        }
    }
    show(&text)?;
    Ok(ExitCode::SUCCESS)
}
