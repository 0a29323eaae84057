//! Turns OpenCL C into native work-group functions: front end (clang in process),
//! builtin library, work-group function formation, code generation.
//!
//! Knows the machine description, not the runtime.

mod analysis;
mod byte_size;
mod cache;
mod device_cost_model;
mod fault;
mod front_end;
mod guard;
mod inspect;
mod intrinsics;
mod ir;
mod jit;
mod kernel;
mod link;
pub mod pass_runner;
mod passes;
mod pipeline;
mod printf;
pub mod process_end;
mod program;
mod shim;
mod size_limits;
mod target;
mod vectorize;
mod work_group;

pub use cache::bypass as bypass_cache;
pub use front_end::{extension, options};
pub use inspect::stage;
pub use kernel::image_argument;
pub use pipeline::fallback::count as fallbacks;
pub use program::container::MAKER;
pub use program::{binary as program_binary, executable};

use guard::Stopped;
use host_exec::floating_point::DefaultEnvironment;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use process_end::Use;
use std::sync::Arc;

/// What a link that is stopped was about.
const LINKING: &str = "linking the program";

/// The name by which diagnostics call a program that came without one.
pub const PROGRAM_NAME: &str = "program.cl";

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
    /// Private variables begin as zeros.
    pub initialises_private_memory: bool,
    /// What it was compiled from, if anybody may want to see that (`dump::is_on`).
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
        let image = MemoryBuffer::create_from_memory_range_copy(bitcode, "bitcode");
        match Module::parse_bitcode_from_buffer(&image, &context) {
            Ok(module) => module.print_to_string().to_string(),
            Err(error) => format!("; this is no bitcode of LLVM's: {error}\n"),
        }
    });
    text.unwrap_or_else(|stopped| format!("; {stopped}\n"))
}

/// A compile or link that failed; `log` is what `CL_PROGRAM_BUILD_LOG` shows.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{log}")]
pub struct BuildFailure {
    /// Diagnostics with file, line, column and caret, or the linker's message.
    pub log: String,
    /// Where its cause is.
    pub cause: Cause,
}

/// Where the cause of a failed build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// In the program, or in the compiler: it fails each time.
    Program,
    /// The host had no memory for the compiler.
    HostMemory,
    /// The host had no thread for the compiler.
    HostThreads,
}

impl BuildFailure {
    /// A failure that comes again each time.
    pub fn new(log: impl Into<String>) -> Self {
        Self {
            log: log.into(),
            cause: Cause::Program,
        }
    }

    /// As `stopped`, for kernel `name`.
    fn of_kernel(name: &str, stopped: &Stopped) -> Self {
        Self::stopped(&format!("kernel `{name}`"), stopped)
    }

    /// A compilation that was stopped while it worked on `what`.
    fn stopped(what: &str, stopped: &Stopped) -> Self {
        Self {
            log: format!("error: {what}: {stopped}\n"),
            cause: match stopped {
                Stopped::NoMemory => Cause::HostMemory,
                Stopped::NoThread(_) => Cause::HostThreads,
                _ => Cause::Program,
            },
        }
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
    compile_named(PROGRAM_NAME, source, options, headers)
}

/// As `compile`, for a program that has a name: the path of its file. Diagnostics call it
/// by it, and `#include` looks into its folder first. The file need not be there.
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
    // Folding of constants depends on it.
    let _environment = DefaultEnvironment::begin();
    front_end::unit(name, source, options, headers)
}

/// What of each kernel of a program runs as lanes and what does not, with the program's lines,
/// for people to read (`-cl-mocl3-remarks`): the program is compiled with line tables just to
/// be told.
///
/// # Errors
/// As `compile` and `Executable::link`.
pub fn remarks(source: &str, options: &options::BuildOptions) -> Result<String, BuildFailure> {
    let _in_use = Use::begin()?;
    let options = options.clone().with_line_tables();
    let unit = compile(source, &options, &[])?;
    Ok(executable::Executable::link(&[&unit])?.remarks())
}

/// Links units into one library (`-create-library`) that can be linked again.
///
/// # Errors
/// Symbols defined twice.
pub fn link_library(units: &[&Unit]) -> Result<Unit, BuildFailure> {
    let _in_use = Use::begin()?;
    let _environment = DefaultEnvironment::begin();
    let bitcode = guard::run(|| {
        let context = Context::create();
        let library = link::link(&context, units)?;
        Ok(Arc::from(library.write_bitcode_to_memory().as_slice()))
    });
    Ok(Unit {
        bitcode: bitcode.unwrap_or_else(|stopped| Err(BuildFailure::stopped(LINKING, &stopped)))?,
        log: String::new(),
        initialises_private_memory: initialise_private_memory(units),
        origins: origins(units),
    })
}

/// Whether the private variables of all of them begin as zeros.
pub(crate) fn initialise_private_memory(units: &[&Unit]) -> bool {
    units.iter().all(|unit| unit.initialises_private_memory)
}

/// What several units were compiled from.
pub(crate) fn origins(units: &[&Unit]) -> Vec<Arc<Origin>> {
    let origins = units.iter().flat_map(|unit| &unit.origins);
    origins.cloned().collect()
}
