//! `mocl3 machine limits`.

use crate::json_option::{JsonOption, show};
use crate::limits::Limits;
use anyhow::Result;
use mocl3_shared::arguments::machine::MachineOptions;
use mocl3_shared::table::Table;
use mocl3_shared::terminal::columns;
use std::io;
use std::process::ExitCode;

/// Arguments of `mocl3 machine limits`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Measure again, even if the limits of the machine are known.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    machine: MachineOptions,
}

/// Measures and prints the limits of a machine.
///
/// # Errors
/// The machine is unknown or its description invalid, or a micro-benchmark cannot be run.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let limits = Limits::of_machine(&arguments.machine, arguments.again)?;
    let mut table = Table::new(&["micro-benchmark", "measured", "peak", "of it"]);
    for limit in limits.iter() {
        let mut row = vec![limit.title.to_owned(), limit.value()];
        if let Some((peak, percent)) = limit.peak() {
            row.extend([peak, format!("{percent:.1} %")]);
        }
        table.row(row);
    }
    if arguments.json.write(&limits)? {
        let text = table.text(columns(&io::stdout()));
        show(&format!("{}\n", text.trim_end()))?;
    }
    Ok(ExitCode::SUCCESS)
}
