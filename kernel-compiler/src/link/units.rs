//! Links units to one module.

use super::source_names::SourceNames;
use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::{self, Value};
use crate::process_end::Use;
use crate::unit::{Unit, initialise_private_memory, origins};
use host_exec::floating_point::DefaultEnvironment;
use inkwell::context::{AsContextRef, Context};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use std::collections::HashSet;
use std::sync::Arc;

/// The subject of the build failure if the guard stops linking.
pub const LINKING: &str = "linking the program";

/// Links units as they are.
///
/// # Errors
/// Symbols defined twice, or units that are not LLVM 22's.
pub fn link<'c>(context: &'c Context, units: &[&Unit]) -> Result<Module<'c>, BuildFailure> {
    let program = context.create_module("program");
    let mut names = SourceNames::default();
    for unit in units {
        let image = MemoryBuffer::create_from_memory_range_copy(&unit.bitcode, "unit");
        let module = Module::parse_bitcode_from_buffer(&image, context)
            .map_err(|error| BuildFailure::new(format!("error: {error}")))?;
        if let Some(name) = defined_in_both(&program, &module) {
            return Err(BuildFailure::new(format!(
                "error: `{name}` is defined in more than one of the programs linked"
            )));
        }
        names.make_unique(context.as_ctx_ref(), module.as_mut_ptr());
        program
            .link_in_module(module)
            .map_err(|error| BuildFailure::new(format!("error: {error}")))?;
    }
    Ok(program)
}

fn defined_in_both(program: &Module<'_>, unit: &Module<'_>) -> Option<String> {
    let defined = |module: &Module<'_>| -> HashSet<String> {
        ir::functions(module.as_mut_ptr())
            .into_iter()
            .chain(ir::globals(module.as_mut_ptr()))
            .filter(|symbol| !symbol.is_declaration() && symbol.is_external())
            .map(Value::name)
            .collect()
    };
    let mut common: Vec<String> = defined(program)
        .intersection(&defined(unit))
        .cloned()
        .collect();
    common.sort();
    common.into_iter().next()
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
        let library = link(&context, units)?;
        Ok(Arc::from(library.write_bitcode_to_memory().as_slice()))
    });
    Ok(Unit {
        bitcode: bitcode.unwrap_or_else(|stopped| Err(BuildFailure::stopped(LINKING, &stopped)))?,
        log: String::new(),
        initialises_private_memory: initialise_private_memory(units),
        origins: origins(units),
    })
}
