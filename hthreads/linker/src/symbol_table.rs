//! What the files that are linked define and lack.

use anyhow::{Result, bail};
use device_image::{Symbol, SymbolKind};
use std::collections::{BTreeMap, HashMap};

/// Definitions and references of the files linked so far.
#[derive(Debug, Default)]
pub struct SymbolTable {
    /// By symbol: the file, and whether the definition yields to another one.
    defined: HashMap<String, (String, bool)>,
    /// By symbol: the first file that uses it.
    used: BTreeMap<String, String>,
    /// Bytes of variables in GSM.
    pub gsm_bytes: u64,
}

impl SymbolTable {
    /// Adds a file.
    ///
    /// # Errors
    /// It defines what another file defines.
    pub fn add(&mut self, file: &str, symbols: &[Symbol]) -> Result<()> {
        for symbol in symbols {
            match symbol.kind {
                SymbolKind::Undefined => {
                    let first = self.used.entry(symbol.name.clone());
                    first.or_insert_with(|| file.to_owned());
                    continue;
                }
                SymbolKind::Variable {
                    bytes,
                    in_gsm: true,
                } => self.gsm_bytes += bytes.next_multiple_of(8),
                _ => {}
            }
            let definition = (file.to_owned(), symbol.is_overridable);
            match self.defined.get(&symbol.name) {
                Some((first, false)) if !symbol.is_overridable => bail!(
                    "{file}: multiple definition of `{}'; {first}: first defined here",
                    symbol.name
                ),
                Some((_, false)) => {}
                Some((_, true)) | None => {
                    self.defined.insert(symbol.name.clone(), definition);
                }
            }
        }
        Ok(())
    }

    /// Whether the definition of a symbol is that of a file.
    pub fn is_defined_by(&self, symbol: &str, file: &str) -> bool {
        let defined = self.defined.get(symbol);
        defined.is_some_and(|(by, _)| by == file)
    }

    /// Whether a file uses a symbol that none defines.
    pub fn lacks(&self, symbol: &str) -> bool {
        self.used.contains_key(symbol) && !self.defined.contains_key(symbol)
    }

    /// The symbols that no file defines, with the first file that uses each.
    pub fn lacking(&self) -> impl Iterator<Item = (&str, &str)> {
        let used = self.used.iter();
        let lacking = used.filter(|(symbol, _)| !self.defined.contains_key(*symbol));
        lacking.map(|(symbol, file)| (symbol.as_str(), file.as_str()))
    }
}
