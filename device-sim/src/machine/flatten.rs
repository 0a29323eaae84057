//! Flattens a machine description: all its numbers and choices, by name.

use super::error::MachineError;
use super::quantity::Quantity;
use serde::Deserialize;

/// What a name of a description denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A number.
    Number(Quantity),
    /// A choice among words.
    Choice(String),
}

impl std::fmt::Display for Entry {
    /// The value, with its unit.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Choice(word) => formatter.write_str(word),
        }
    }
}

/// The numbers of a description with their full names (`memory.ddr.latency`), in the order of
/// the names.
///
/// # Errors
/// Text that is no TOML, numbers without value, source and note.
pub fn flatten(description: &str) -> Result<Vec<(String, Quantity)>, MachineError> {
    let all = entries(&description.parse()?)?.into_iter();
    let number = |(name, entry)| match entry {
        Entry::Number(number) => Some((name, number)),
        Entry::Choice(_) => None,
    };
    Ok(all.filter_map(number).collect())
}

/// The numbers and choices of a description with their full names, in the order of the names. The
/// keys at the top are names of the whole machine, and not among them.
pub(super) fn entries(table: &toml::Table) -> Result<Vec<(String, Entry)>, MachineError> {
    let mut found = Vec::new();
    for (key, value) in table {
        if let toml::Value::Table(inner) = value {
            collect(&format!("{key}."), inner, &mut found)?;
        }
    }
    Ok(found)
}

fn collect(
    prefix: &str,
    table: &toml::Table,
    found: &mut Vec<(String, Entry)>,
) -> Result<(), MachineError> {
    for (key, value) in table {
        let name = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) if is_number(inner) => {
                found.push((name, Entry::Number(Quantity::deserialize(inner.clone())?)));
            }
            toml::Value::Table(inner) => collect(&format!("{name}."), inner, found)?,
            toml::Value::String(word) => found.push((name, Entry::Choice(word.clone()))),
            // Refused when the machine is read.
            _ => {}
        }
    }
    Ok(())
}

/// Whether a table describes a number, and is no section.
pub(super) fn is_number(table: &toml::Table) -> bool {
    table.contains_key("value")
}
