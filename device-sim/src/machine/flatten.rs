//! Flattens a machine description: all its numbers and choices, by name.

use super::error::MachineError;
use super::quantity::Quantity;
use serde::Deserialize;

/// The key that names the function of accelerators.
const FUNCTION: &str = "function";

/// The key of a formula's expression, next to its source and note.
pub(super) const EXPRESSION: &str = "expression";

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
        match value {
            toml::Value::Table(inner) => collect(&format!("{key}."), inner, &mut found)?,
            toml::Value::Array(rows) => {
                for row in rows.iter().filter_map(toml::Value::as_table) {
                    if let Some(function) = function(row) {
                        collect(&format!("{key}.{function}."), row, &mut found)?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// What distinguishes a table `[[accelerator]]` from the others: its numbers are
/// `accelerator.FUNCTION.KEY`.
pub(super) fn function(row: &toml::Table) -> Option<&str> {
    row.get(FUNCTION)?.as_str()
}

/// The part of a description or section with that name.
pub(super) fn part<'a>(value: &'a toml::Value, name: &str) -> Option<&'a toml::Value> {
    match value {
        toml::Value::Table(table) => table.get(name),
        toml::Value::Array(rows) => rows
            .iter()
            .find(|row| row.as_table().and_then(function) == Some(name)),
        _ => None,
    }
}

/// As `part`, to be changed.
pub(super) fn part_mut<'a>(value: &'a mut toml::Value, name: &str) -> Option<&'a mut toml::Value> {
    match value {
        toml::Value::Table(table) => table.get_mut(name),
        toml::Value::Array(rows) => rows
            .iter_mut()
            .find(|row| row.as_table().and_then(function) == Some(name)),
        _ => None,
    }
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
            // Of a formula only the expression is a value.
            toml::Value::String(_) if table.contains_key(EXPRESSION) && key != EXPRESSION => {}
            toml::Value::String(_) if key == FUNCTION => {}
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
