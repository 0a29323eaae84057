//! `mocl3 machine new`.

use anyhow::{Context, Result, bail};
use device_sim::machine::{Description, Entry};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `mocl3 machine new`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file, which must not exist.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The machine that it is based on: one that ships, or a file.
    #[arg(long, value_name = "MACHINE", default_value = "mt3000")]
    base: String,
    /// The machine's name, which devices and reports show; without it, that of the file.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Give a number of the machine another value, such as memory.ddr.bandwidth=85.2GB/s; may be
    /// repeated.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

/// Writes an overlay.
///
/// # Errors
/// The base is unknown, a setting cannot be applied, or the file exists or cannot be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let path = &arguments.file;
    let mut description = Description::select(&arguments.base)?;
    for setting in &arguments.settings {
        description.set(setting)?;
    }
    description.machine()?;
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let name = arguments
        .name
        .clone()
        .or(stem)
        .context("the file has no name")?;
    let text = overlay(&arguments.base_from(path)?, &name, &description)?;
    let file = File::create_new(path);
    let mut file = match file {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{} exists: edit it, or name another file", path.display())
        }
        file => file.with_context(|| format!("cannot write {}", path.display()))?,
    };
    file.write_all(text.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Description::read(path)?;
    eprintln!(
        "{0}: {name}; `mocl3 machine check {0}` after editing, `mocl3 stat --machine {0} -- program` \
         simulates it",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The base as the file names it: files are relative to the new file's folder.
    fn base_from(&self, path: &Path) -> Result<String> {
        if device_sim::machine::Shipped::find(&self.base).is_some() {
            return Ok(self.base.clone());
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        if folder == Path::new("") {
            return Ok(self.base.clone());
        }
        let base = std::fs::canonicalize(&self.base)?;
        Ok(base.display().to_string())
    }
}

/// The text of an overlay with the settings of a description.
fn overlay(base: &str, name: &str, description: &Description) -> Result<String> {
    let mut text = format!(
        "# What this machine has other than its base; `mocl3 machine print` lists all numbers.\n\
         # A number that is not hypothetical needs a source of its own, and a note that says where it\n\
         # comes from: docs/machine-files.md.\n\n\
         base = {}\nname = {}\n",
        quoted(base),
        quoted(name)
    );
    let entries: BTreeMap<String, Entry> = description.entries()?.into_iter().collect();
    let mut section = "";
    let mut changes: Vec<_> = description.identity().set().collect();
    // A section once: its own numbers are not next to each other in the order of the full names.
    changes.sort_by_key(|change| change.name.rsplit_once('.'));
    for change in changes {
        let Some((own, key)) = change.name.rsplit_once('.') else {
            continue;
        };
        if own != section {
            section = own;
            text += &format!("\n[{section}]\n");
        }
        text += &match entries.get(&change.name) {
            Some(Entry::Number(number)) => {
                let unit = match number.unit.as_str() {
                    "" => String::new(),
                    unit => format!("unit = {}, ", quoted(unit)),
                };
                format!(
                    "{key} = {{ value = {}, {unit}source = \"{}\", note = {} }}\n",
                    number.value,
                    number.source,
                    quoted(&number.note)
                )
            }
            Some(Entry::Choice(word)) => {
                let own = format!("{key} = {}\n", quoted(word));
                match key {
                    // A formula has a source and a note, as a number has.
                    "expression" => own + "source = \"hypothetical\"\nnote = \"set\"\n",
                    _ => own,
                }
            }
            None => continue,
        };
    }
    Ok(text)
}

/// A TOML string: JSON's escapes are TOML's.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
