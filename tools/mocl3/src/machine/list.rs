//! `mocl3 machine list`.

use super::sources::by_source;
use crate::json_option::{JsonOption, show};
use anyhow::Result;
use device_sim::machine::{Description, SHIPPED};
use mocl3_shared::table::Table;
use mocl3_shared::terminal::columns;
use serde_json::{Value, json};
use std::io;
use std::process::ExitCode;

/// Arguments of `mocl3 machine list`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    json: JsonOption,
}

/// Lists the machines that ship.
///
/// # Errors
/// None, for machines that are tested.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut table = Table::of_words(
        &["name", "machine", "differs from", "numbers by source"],
        &[1],
        0,
    );
    let mut machines: Vec<Value> = Vec::new();
    for shipped in SHIPPED {
        let description = Description::parse(shipped.text)?;
        let identity = description.identity();
        let base = identity.base.as_ref().map_or_else(String::new, |base| {
            format!("{base} in {}", identity.differences())
        });
        let sources = by_source(&description)?;
        machines.push(json!({
            "name": shipped.name,
            "machine": description.name(),
            "base": identity.base,
            "differences": identity.differences(),
        }));
        table.row(vec![
            shipped.name.to_owned(),
            description.name().to_owned(),
            base,
            sources,
        ]);
    }
    if arguments.json.write(&machines)? {
        let text = table.text(columns(&io::stdout()));
        show(&format!("{}\n", text.trim_end()))?;
    }
    Ok(ExitCode::SUCCESS)
}
