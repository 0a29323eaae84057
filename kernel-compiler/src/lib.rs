//! Turns OpenCL C into native work-group functions: front end (clang in process),
//! builtin library, work-group function formation, code generation.
//!
//! Knows the machine description, not the runtime.

mod binary;
mod cache;
pub mod executable;
mod front_end;
mod host_functions;
mod image_access;
pub mod image_argument;
mod interface;
mod intrinsics;
mod ir;
mod link;
mod native;
pub mod options;
mod printf;
mod shim;
mod target;
mod work_group;

pub use front_end::EXTENSIONS;

use inkwell::context::Context;
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

impl BuildFailure {
    fn new(log: impl Into<String>) -> Self {
        Self { log: log.into() }
    }
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
    front_end::unit(source, options, headers)
}

/// Links units into one library (`-create-library`) that can be linked again.
///
/// # Errors
/// Symbols defined twice.
pub fn link_library(units: &[&Unit]) -> Result<Unit, BuildFailure> {
    let context = Context::create();
    let library = link::link(&context, units)?;
    Ok(Unit {
        bitcode: Arc::from(library.write_bitcode_to_memory().as_slice()),
        log: String::new(),
    })
}
