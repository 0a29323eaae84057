//! Links units to one module.

use super::source_names::SourceNames;
use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::{self, Context, Module, Value};
use crate::process_end::Use;
use crate::unit::{Unit, initialise_private_memory, origins};
use host_exec::floating_point::DefaultEnvironment;
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
        let module = context
            .parse_bitcode(&unit.bitcode)
            .map_err(|error| BuildFailure::new(format!("error: {error}")))?;
        if let Some(name) = defined_in_both(&program, &module) {
            return Err(BuildFailure::new(format!(
                "error: `{name}` is defined in more than one of the programs linked"
            )));
        }
        names.make_unique(context.handle(), module.handle());
        program
            .link(module)
            .map_err(|error| BuildFailure::new(format!("error: {error}")))?;
    }
    Ok(program)
}

fn defined_in_both(program: &Module<'_>, unit: &Module<'_>) -> Option<String> {
    let defined = |module: &Module<'_>| -> HashSet<String> {
        ir::functions(module.handle())
            .into_iter()
            .chain(ir::globals(module.handle()))
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
        Ok(Arc::from(library.bitcode()))
    });
    Ok(Unit {
        bitcode: bitcode.unwrap_or_else(|stopped| Err(BuildFailure::stopped(LINKING, &stopped)))?,
        log: String::new(),
        initialises_private_memory: initialise_private_memory(units),
        origins: origins(units),
    })
}
