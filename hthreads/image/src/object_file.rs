//! Object files, and what the linker makes of them: modules of bitcode with their symbols, so that they are linked
//! and made images without LLVM.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeSet;

/// What a file begins with. Its last byte is the version of the format.
const MAGIC: &[u8; 8] = b"m3cc-o\0\x01";

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A function of the file; `is_kernel` if threads can be started at it: its parameters are
    /// numbers and pointers.
    Function {
        /// See above.
        is_kernel: bool,
    },
    /// A variable of the file.
    Variable {
        /// Its size.
        bytes: u64,
        /// Whether it is in GSM.
        in_gsm: bool,
    },
    /// A function or variable of another file.
    Undefined,
}

/// A symbol that other files see or define.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it names.
    pub kind: SymbolKind,
    /// Whether a definition in another file is no conflict: the symbol is weak, or a tentative
    /// definition of a variable.
    pub is_overridable: bool,
}

/// An object file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectFile {
    /// Symbols that other files see or define.
    pub symbols: Vec<Symbol>,
    /// Those that the platform defines when an image is loaded.
    pub provided: BTreeSet<String>,
    /// Whether some of the code is in assembly.
    pub has_assembly: bool,
    /// The modules.
    pub modules: Vec<ByteBuf>,
}

impl ObjectFile {
    /// The object file with these contents; none if the contents are something else.
    pub fn parse(contents: &[u8]) -> Option<Self> {
        let file = contents.strip_prefix(MAGIC)?;
        postcard::from_bytes(file).ok()
    }

    /// The contents of the file.
    pub fn contents(&self) -> Vec<u8> {
        postcard::to_extend(self, MAGIC.to_vec()).expect("a Vec accepts all bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_refused() {
        let file = ObjectFile {
            provided: BTreeSet::from(["printf".to_owned()]),
            has_assembly: true,
            modules: vec![ByteBuf::from([1, 2, 3])],
            ..ObjectFile::default()
        };
        let contents = file.contents();
        assert_eq!(ObjectFile::parse(&contents), Some(file));
        for end in 0..contents.len() {
            assert_eq!(ObjectFile::parse(&contents[..end]), None);
        }
    }
}
