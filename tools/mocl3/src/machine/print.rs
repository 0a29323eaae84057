//! `mocl3 machine print`.

use crate::json_option::{JsonOption, show};
use anyhow::Result;
use device_sim::machine::Entry;
use mocl3_shared::arguments::machine::MachineOptions;
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// Arguments of `mocl3 machine print`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    machine: MachineOptions,
}

/// Prints a machine, with all numbers.
///
/// # Errors
/// The machine is unknown or its description invalid.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let description = arguments.machine.description()?;
    let mut numbers = Map::new();
    for (name, entry) in description.entries()? {
        numbers.insert(name, json_of(&entry));
    }
    let document = json!({
        "name": description.name(),
        "identity": description.identity(),
        "numbers": numbers,
    });
    if arguments.json.write(&document)? {
        show(&description.text())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn json_of(entry: &Entry) -> Value {
    match entry {
        Entry::Number(number) => json!({
            "value": number.value,
            "unit": number.unit,
            "source": number.source,
            "note": number.note,
        }),
        Entry::Choice(word) => json!(word),
    }
}
