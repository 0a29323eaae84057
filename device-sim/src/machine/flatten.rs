//! Flattens a machine description: all its numbers, by name.

use super::error::MachineError;
use super::quantity::Quantity;
use serde::Deserialize;

/// The numbers of a description with their full names (`memory.ddr.latency`), in the order of
/// the names.
///
/// # Errors
/// Text that is no TOML, numbers without value, source and note.
pub fn flatten(description: &str) -> Result<Vec<(String, Quantity)>, MachineError> {
    let mut found = Vec::new();
    collect("", &description.parse()?, &mut found)?;
    Ok(found)
}

fn collect(
    prefix: &str,
    table: &toml::Table,
    found: &mut Vec<(String, Quantity)>,
) -> Result<(), MachineError> {
    for (key, value) in table {
        let toml::Value::Table(inner) = value else {
            continue;
        };
        let name = format!("{prefix}{key}");
        if inner.contains_key("value") {
            found.push((name, Quantity::deserialize(inner.clone())?));
        } else {
            collect(&format!("{name}."), inner, found)?;
        }
    }
    Ok(())
}
