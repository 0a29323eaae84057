//! The symbols of a compiled file.

use super::entry_points;
use crate::failure::BuildFailure;
use crate::guard;
use crate::ir::{self, Context, DataLayout, Value};
use crate::process_end::Use;
use device_image::{Symbol, SymbolKind};

/// The symbols of a file, functions first.
///
/// # Errors
/// The file is no bitcode of this version of LLVM.
pub fn symbols(bitcode: &[u8]) -> Result<Vec<Symbol>, BuildFailure> {
    let _in_use = Use::begin()?;
    let found = guard::run(|| {
        let context = Context::create();
        let module = context.parse_bitcode(bitcode)?;
        let layout = DataLayout::of_module(module.handle());
        let functions = ir::functions(module.handle()).into_iter();
        let functions = functions.filter(|function| !is_intrinsic(*function));
        let functions = functions.map(|function| (function, kind_of_function(function)));
        let variables = ir::globals(module.handle()).into_iter();
        let variables = variables.map(|variable| (variable, kind_of_variable(variable, layout)));
        let all = functions.chain(variables);
        let all = all.filter(|(value, _)| !value.is_local());
        Ok(all
            .map(|(value, kind)| Symbol {
                name: value.name(),
                kind,
                is_overridable: !value.is_external(),
            })
            .collect())
    });
    match found {
        Ok(symbols) => symbols.map_err(|error: String| BuildFailure::new(error)),
        Err(stopped) => Err(BuildFailure::stopped("reading symbols", &stopped)),
    }
}

fn is_intrinsic(function: Value) -> bool {
    function.name().starts_with("llvm.")
}

fn kind_of_function(function: Value) -> SymbolKind {
    if function.is_declaration() {
        return SymbolKind::Undefined;
    }
    SymbolKind::Function {
        is_kernel: entry_points::is_kernel(function),
    }
}

fn kind_of_variable(variable: Value, layout: DataLayout) -> SymbolKind {
    if variable.is_declaration() {
        return SymbolKind::Undefined;
    }
    SymbolKind::Variable {
        bytes: layout.size(variable.value_type()),
        in_gsm: variable.section() == super::gsm::SECTION,
    }
}
