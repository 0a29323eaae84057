//! `mocl3 machine diff`.

use crate::json_option::{JsonOption, show};
use anyhow::Result;
use device_sim::machine::{Description, Entry};
use mocl3_shared::table::Table;
use mocl3_shared::terminal::columns;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

/// Arguments of `mocl3 machine diff`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A machine: one that ships, or a file.
    #[arg(value_name = "MACHINE")]
    first: String,
    /// The machine to compare it with.
    #[arg(value_name = "MACHINE")]
    second: String,
    #[command(flatten)]
    json: JsonOption,
}

/// Shows the differences. The exit code is 1 if there are any, as that of `diff`.
///
/// # Errors
/// A machine is unknown or its description invalid.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let first = Description::select(&arguments.first)?;
    let second = Description::select(&arguments.second)?;
    let names = [first.name(), second.name()];
    let mut all: BTreeMap<String, [Option<Entry>; 2]> = BTreeMap::new();
    for (place, description) in [&first, &second].into_iter().enumerate() {
        for (name, entry) in description.entries()? {
            all.entry(name).or_default()[place] = Some(entry);
        }
    }
    let value = |entry: &Option<Entry>| entry.as_ref().map(ToString::to_string);
    all.retain(|_, [one, other]| value(one) != value(other));
    let mut table = Table::of_words(&["number", names[0], "", names[1], ""], &[0], 0);
    let mut rows: Vec<Value> = Vec::new();
    for (name, [one, other]) in &all {
        rows.push(json!({
            "name": name,
            "values": [value(one), value(other)],
            "sources": [source(one), source(other)],
        }));
        let cell = |entry: &Option<Entry>| value(entry).unwrap_or_else(|| "-".into());
        table.row(vec![
            name.clone(),
            cell(one),
            source(one).unwrap_or_default(),
            cell(other),
            source(other).unwrap_or_default(),
        ]);
    }
    let document = json!({ "machines": names, "differences": rows });
    if arguments.json.write(&document)? && !all.is_empty() {
        let text = table.text(columns(&io::stdout()));
        show(&format!("{}\n", text.trim_end()))?;
    }
    Ok(ExitCode::from(u8::from(!all.is_empty())))
}

fn source(entry: &Option<Entry>) -> Option<String> {
    match entry {
        Some(Entry::Number(number)) => Some(number.source.to_string()),
        _ => None,
    }
}
