//! Work-group functions as C of the machine's dialect, which m3cc compiles for hthreads programs (MOCL3
//! paper, docs/bibliography.md, translates them to C as well).
//!
//! The IR is that of the work-group function before lanes and the host's optimisation. Each value
//! becomes a variable, each block a label. `kernel` writes what calls the function for the groups of
//! a thread.

mod barriers;
mod body;
mod calls;
mod constants;
mod function;
mod instructions;
mod kernel;
mod print;
mod types;
mod unsupported;

pub use unsupported::Unsupported;

use crate::ir::{self, ModuleRef};
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::work_group::Resources;

/// The C file of a kernel whose module holds its work-group function.
///
/// # Errors
/// What the kernel uses has no counterpart.
pub fn write(
    module: ModuleRef,
    interface: &KernelInterface,
    specialisation: &Specialisation,
    resources: Resources,
) -> Result<String, Unsupported> {
    kernel::check(interface)?;
    let defined = || {
        let functions = ir::functions(module).into_iter();
        functions.filter(|function| !function.is_declaration())
    };
    for global in ir::globals(module) {
        for function in defined() {
            global.expand_constant_users(function);
        }
    }
    let mut types = types::Types::new(module);
    let mut prototypes = String::new();
    let mut bodies = String::new();
    for function in defined() {
        prototypes += &function::prototype(&mut types, function)?;
        prototypes += ";\n";
        bodies += &function::function(&mut types, function)?;
    }
    let mut globals = String::new();
    for global in ir::globals(module) {
        if types.variables.contains(&global) {
            globals += &constants::global(&types, global)?;
        }
    }
    let parts = [
        kernel::comment(interface, specialisation),
        kernel::PRELUDE.to_owned(),
        types.definitions(),
        kernel::RUNTIME.to_owned(),
        barriers::functions(),
        print::functions(&bodies).to_owned(),
        globals,
        prototypes,
        bodies,
        kernel::kernel(interface, specialisation, resources),
    ];
    Ok(parts.join("\n"))
}
