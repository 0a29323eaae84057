//! Writes complete descriptions in TOML.

use super::flatten::is_number;
use std::fmt::Write;
use toml::{Table, Value};

/// A complete description: names first, then the sections.
pub(super) fn description(table: &Table) -> String {
    let mut text = String::new();
    section(table, "", &mut text);
    text
}

fn section(table: &Table, prefix: &str, text: &mut String) {
    let is_section = |value: &Value| matches!(value, Value::Table(inner) if !is_number(inner));
    let own = table.iter().filter(|(_, value)| !is_section(value));
    let mut is_first = !prefix.is_empty();
    for (key, value) in own {
        if is_first {
            is_first = false;
            let _ = writeln!(text, "\n[{}]", prefix.trim_end_matches('.'));
        }
        let _ = match value {
            Value::Table(number) => writeln!(text, "{key} = {}", inline(number)),
            other => writeln!(text, "{key} = {other}"),
        };
    }
    for (key, value) in table {
        if let Value::Table(inner) = value
            && is_section(value)
        {
            section(inner, &format!("{prefix}{key}."), text);
        }
    }
}

/// A number in the form of the built-in file.
fn inline(number: &Table) -> String {
    let parts = ["value", "unit", "source", "note"];
    let parts: Vec<String> = parts
        .iter()
        .filter_map(|key| Some(format!("{key} = {}", number.get(*key)?)))
        .collect();
    format!("{{ {} }}", parts.join(", "))
}
