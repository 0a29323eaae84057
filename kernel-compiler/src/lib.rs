//! Compiles OpenCL C to native work-group functions: front end (clang in process), builtin library,
//! work-group function formation, vectorisation, the cost model of the simulated device, code
//! generation, the compile cache. Compiles device C, the language of hthreads, with the same front
//! end and code generation (`device_c`).
//!
//! Uses the machine description (`device-sim`) and the functions that compiled code calls
//! (`host-exec`); knows no OpenCL objects (`runtime`).

mod analysis;
pub mod byte_size;
mod cache;
pub mod check;
pub mod debugger;
pub mod device_c;
mod device_cost_model;
mod failure;
mod fault;
mod front_end;
mod guard;
mod inspect;
mod intrinsics;
mod ir;
mod jit;
mod kernel;
mod link;
mod m3000_c;
pub mod pass_runner;
mod passes;
mod pipeline;
mod printf;
pub mod process_end;
mod program;
mod shim;
mod size_limits;
mod target;
mod target_pool;
mod unit;
mod vectorize;
mod work_group;
mod work_items;

pub use cache::bypass as bypass_cache;
pub use failure::{BuildFailure, Cause};
pub use front_end::{extension, options};
pub use inspect::stage;
pub use jit::source_place::SourcePlace;
pub use kernel::image_argument;
pub use link::link_library;
pub use m3000_c::Unsupported;
pub use pipeline::fallback::count as fallbacks;
pub use program::build_input::BuildInput;
pub use program::container::MAKER;
pub use program::{binary as program_binary, executable};
pub use unit::{Header, PROGRAM_NAME, Unit};

use front_end::clang::Program;
use host_exec::floating_point::DefaultEnvironment;
use process_end::Use;

/// Compiles OpenCL C source text. Thread-safe.
///
/// # Errors
/// Any diagnostic of clang's that is an error, or a crash inside clang.
pub fn compile(
    source: &str,
    options: &options::BuildOptions,
    headers: &[Header],
) -> Result<Unit, BuildFailure> {
    compile_named(PROGRAM_NAME, source, options, headers)
}

/// As `compile`, for a program with a name: the path of a file, which need not exist. Diagnostics
/// show it, and `#include` searches its folder first.
///
/// # Errors
/// As `compile`.
pub fn compile_named(
    name: &str,
    source: &str,
    options: &options::BuildOptions,
    headers: &[Header],
) -> Result<Unit, BuildFailure> {
    let _in_use = Use::begin()?;
    // Constants are folded in the rounding mode of this thread.
    let _environment = DefaultEnvironment::begin();
    let shown;
    let mut options = options;
    if let Some(with_files) = debugger::options(name, source, options, headers) {
        shown = with_files;
        options = &shown;
    }
    front_end::unit_cache::unit(&Program {
        name,
        source,
        options,
        headers,
    })
}

/// Remarks on how each kernel of a program is vectorised, with source lines
/// (`-cl-mocl3-remarks`). Compiles the program again, with line tables.
///
/// # Errors
/// As `compile` and `Executable::link`.
pub fn remarks(source: &str, options: &options::BuildOptions) -> Result<String, BuildFailure> {
    let _in_use = Use::begin()?;
    let options = options.clone().with_line_tables();
    let unit = compile(source, &options, &[])?;
    Ok(executable::Executable::link(&[&unit])?.remarks())
}
