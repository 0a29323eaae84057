//! Compiled but not linked programs.

use crate::guard;
use crate::ir::Context;
use crate::process_end::Use;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The name that diagnostics show for a program without one.
pub const PROGRAM_NAME: &str = "program.cl";

/// A header given to `clCompileProgram`: the name by which `#include` finds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Name as written in the `#include` directive.
    pub name: String,
    /// Its text.
    pub source: String,
}

/// A compiled but not linked program (OpenCL 1.2, 5.6.3: "compiled object" or "library").
#[derive(Clone)]
pub struct Unit {
    /// LLVM bitcode.
    pub bitcode: Arc<[u8]>,
    /// Warnings of the front end.
    pub log: String,
    /// Private variables begin as zeros.
    pub initialises_private_memory: bool,
    /// What it was compiled from, if dumps are on (`dump::is_on`).
    pub(crate) origins: Vec<Arc<Origin>>,
}

/// What one program was compiled from, and what clang made of it.
pub(crate) struct Origin {
    pub name: String,
    pub source: String,
    pub clang_arguments: Vec<String>,
    pub optimise: bool,
    pub headers: Vec<Header>,
    /// Bitcode of the front end; none if it refused the program.
    pub bitcode: Option<Arc<[u8]>>,
}

impl Unit {
    /// Its LLVM IR as text.
    pub fn text(&self) -> String {
        text_of(&self.bitcode)
    }
}

/// LLVM IR of a bitcode image, as text.
pub(crate) fn text_of(bitcode: &[u8]) -> String {
    let _in_use = match Use::begin() {
        Ok(in_use) => in_use,
        Err(failure) => return format!("; {failure}"),
    };
    let text = guard::run(|| {
        let context = Context::create();
        match context.parse_bitcode(bitcode) {
            Ok(module) => module.text(),
            Err(error) => format!("; this is no bitcode of LLVM's: {error}\n"),
        }
    });
    text.unwrap_or_else(|stopped| format!("; {stopped}\n"))
}

/// Whether the private variables of all units begin as zeros.
pub(crate) fn initialise_private_memory(units: &[&Unit]) -> bool {
    units.iter().all(|unit| unit.initialises_private_memory)
}

/// What the units were compiled from.
pub(crate) fn origins(units: &[&Unit]) -> Vec<Arc<Origin>> {
    let origins = units.iter().flat_map(|unit| &unit.origins);
    origins.cloned().collect()
}
