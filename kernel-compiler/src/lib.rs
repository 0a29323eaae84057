//! Turns OpenCL C into native work-group functions: front end (clang in process),
//! builtin library, work-group function formation, code generation.
//!
//! Knows the machine description, not the runtime.

pub mod executable;
pub mod options;

use std::sync::Arc;

/// A header given to `clCompileProgram`: the name by which `#include` finds it.
#[derive(Clone, Debug)]
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
}

/// A compile or link that failed; `log` is what `CL_PROGRAM_BUILD_LOG` shows.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{log}")]
pub struct BuildFailure {
    /// Diagnostics with file, line, column and caret, or the linker's message.
    pub log: String,
}

/// Compiles OpenCL C source text. Thread-safe.
///
/// # Errors
/// Any diagnostic of clang's that is an error, or a crash inside clang.
pub fn compile(
    source: &str,
    options: &options::BuildOptions,
    headers: &[Header],
) -> Result<Unit, BuildFailure> {
    let _ = (source, options, headers);
    todo!()
}

/// Links units into one library (`-create-library`) that can be linked again.
///
/// # Errors
/// Symbols defined twice.
pub fn link_library(units: &[&Unit]) -> Result<Unit, BuildFailure> {
    let _ = units;
    todo!()
}
