//! The exceptions to the rules of structure, from `tools/xtask/limits.toml`.

use super::limits::{Excess, Measure};
use crate::platform;
use anyhow::{Context, Result};
use serde::Deserialize;

/// The file's contents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    /// Crates with cycles between their modules.
    #[serde(default)]
    pub cyclic_crates: Vec<String>,
    #[serde(default)]
    file: Vec<Exception>,
    #[serde(default)]
    function: Vec<Exception>,
    #[serde(default)]
    folder: Vec<Exception>,
}

/// A file, folder or function (`path::name`) that may exceed its limit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    path: String,
    why: String,
}

/// Reads the exceptions.
///
/// # Errors
/// The file cannot be read or parsed.
pub fn read() -> Result<Exceptions> {
    let file = platform::root().join("tools/xtask/limits.toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    toml::from_str(&text).with_context(|| file.display().to_string())
}

impl Exceptions {
    fn list(&self, measure: Measure) -> &[Exception] {
        match measure {
            Measure::FileLines => &self.file,
            Measure::FunctionLines => &self.function,
            Measure::FolderFiles => &self.folder,
        }
    }

    /// The reason for which an excess is allowed; `None` if it is not.
    pub fn reason(&self, excess: &Excess) -> Option<&str> {
        let list = self.list(excess.measure);
        let exception = list
            .iter()
            .find(|exception| exception.path == excess.path)?;
        Some(&exception.why)
    }

    /// The exceptions without an excess, one line each.
    #[cfg(test)]
    pub fn unneeded(&self, excesses: &[Excess]) -> Vec<String> {
        let mut lines = Vec::new();
        for measure in Measure::ALL {
            for exception in self.list(measure) {
                let needed = excesses
                    .iter()
                    .any(|excess| excess.measure == measure && excess.path == exception.path);
                if !needed {
                    let path = &exception.path;
                    lines.push(format!("{path} is within its limit: take it off the list"));
                }
            }
        }
        lines
    }
}
