//! The option `--json` of commands that print tables.

use crate::record_run::write_file;
use anyhow::Result;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Whether and where to write JSON.
#[derive(clap::Args)]
// Commands have `Arguments` of their own around these.
#[group(skip)]
pub struct JsonOption {
    /// Print JSON; with a file, write JSON into it and print the tables.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
}

impl JsonOption {
    /// Whether JSON goes to standard output.
    pub fn is_printed(&self) -> bool {
        matches!(self.json, Some(None))
    }

    /// Writes the document, if it is wanted. Returns whether tables are to be printed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, document: &impl Serialize) -> Result<bool> {
        let text = || Ok::<_, anyhow::Error>(serde_json::to_string_pretty(document)? + "\n");
        match &self.json {
            None => return Ok(true),
            Some(Some(path)) => {
                let text = text()?;
                write_file(path, |file| file.write_all(text.as_bytes()))?;
                return Ok(true);
            }
            Some(None) => show(&text()?)?,
        }
        Ok(false)
    }
}

/// Writes text to standard output, whose reader may have closed it.
///
/// # Errors
/// It cannot be written.
pub fn show(text: &str) -> Result<()> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
