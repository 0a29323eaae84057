//! A setting: one number or choice of a machine with another value, `memory.ddr.bandwidth=85.2GB/s`.

use super::error::{MachineError, SettingError};
use super::flatten::{EXPRESSION, Entry, entries, part_mut};
use super::quantity::Source;
use super::unit;
use toml::{Table, Value};

/// Suggested names at most.
const SUGGESTIONS: usize = 3;

/// Divides what `MOCL3_MACHINE_SET` holds into settings.
pub fn split_settings(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', '\n'])
        .map(str::trim)
        .filter(|one| !one.is_empty())
}

/// Changes the number or choice that a setting names; returns its name.
pub(super) fn apply(table: &mut Table, setting: &str) -> Result<String, MachineError> {
    let result = split(setting).and_then(|(name, value)| {
        change(table, name, value)?;
        Ok(name.to_owned())
    });
    result.map_err(|error| MachineError::Setting {
        setting: setting.to_owned(),
        error,
    })
}

fn split(setting: &str) -> Result<(&str, &str), SettingError> {
    let (name, value) = setting.split_once('=').ok_or(SettingError::Form)?;
    Ok((name.trim(), value.trim()))
}

fn change(table: &mut Table, name: &str, value: &str) -> Result<(), SettingError> {
    if !name.contains('.') || !is_entry(table, name) {
        return Err(SettingError::UnknownName(similar(table, name)));
    }
    let machine = match table.get("name") {
        Some(Value::String(machine)) => machine.clone(),
        _ => String::new(),
    };
    let Some(entry) = place(table, name) else {
        return Err(SettingError::UnknownName(Vec::new()));
    };
    let Value::Table(number) = entry else {
        *entry = Value::String(value.to_owned());
        if let Some(formula) = name.strip_suffix(EXPRESSION)
            && let Some(Value::Table(formula)) = place(table, formula.trim_end_matches('.'))
        {
            let (source, note) = (word(formula, "source"), word(formula, "note"));
            set_source(
                formula,
                format!("set; {machine} has another ({source}: {note})"),
            );
        }
        return Ok(());
    };
    let unit = word(number, "unit");
    let (source, note) = (word(number, "source"), word(number, "note"));
    let present = number.get("value").and_then(Value::as_integer);
    let present = present.map_or(0, i64::unsigned_abs);
    let new = unit::parse(value, &unit, present)?;
    if new == present {
        return Ok(());
    }
    let new = i64::try_from(new).map_err(|_| SettingError::NotWhole(unit.clone()))?;
    let before = unit::format(present, &unit);
    let note = format!("set; {machine} has {before} ({source}: {note})");
    number.insert("value".into(), new.into());
    set_source(number, note);
    Ok(())
}

/// The word that a number or formula has for a key; empty without one.
fn word(entry: &Table, key: &str) -> String {
    let word = entry.get(key).and_then(Value::as_str);
    word.unwrap_or_default().to_owned()
}

fn set_source(entry: &mut Table, note: String) {
    let source = Source::Hypothetical.to_string();
    entry.insert("source".into(), source.into());
    entry.insert("note".into(), note.into());
}

/// Whether the name is that of a number or choice.
fn is_entry(table: &Table, name: &str) -> bool {
    // The names of a description are few, and settings too.
    let all = entries(table).unwrap_or_default();
    all.iter().any(|(known, _)| known == name)
}

fn place<'a>(table: &'a mut Table, name: &str) -> Option<&'a mut Value> {
    let mut names = name.split('.');
    let first = table.get_mut(names.next()?)?;
    names.try_fold(first, part_mut)
}

/// Names with the same last part, or with one that begins as that does.
fn similar(table: &Table, name: &str) -> Vec<String> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let wanted = last(name);
    let all: Vec<(String, Entry)> = entries(table).unwrap_or_default();
    let mut names: Vec<String> = all
        .iter()
        .map(|(known, _)| known.clone())
        .filter(|known| last(known) == wanted)
        .collect();
    if names.is_empty() && !wanted.is_empty() {
        let begins = |known: &String| last(known).starts_with(&wanted);
        names = all.into_iter().map(|(known, _)| known).collect();
        names.retain(begins);
    }
    names.truncate(SUGGESTIONS);
    names
}
