//! Uses of variables of functions that were never written. LLVM's MemorySanitizer follows values within a function
//! (`shim/uninitialised.cpp`); arguments, results of calls, and all other memory count as written.

use super::origins;
use super::pass::{CheckSite, CheckedVariable, Pass, UndefinedKind, compiled_functions};
use crate::check::first_values;
use crate::check::places::Places;
use crate::intrinsics::CHECK_UNDEFINED;
use crate::ir::{
    self, ArgumentShadow, Builder, DataLayout, Module, Opcode, Type, UndefinedOrigin, UndefinedUse,
    Value,
};
use std::collections::HashSet;

/// What the shim calls to report a value, and the prefix of calls that mark a use.
const UNDEFINED_VALUE: &str = "mocl3.undefined_value";
const USED: &str = "mocl3.used.";

/// Gives variables that become registers a first value, before they do.
pub fn mark_variables(module: &Module<'_>) {
    for function in compiled_functions(module) {
        if !function.function_type().is_variadic() {
            first_values::mark_variables(function);
        }
    }
}

/// Inserts the checks of all functions.
pub fn insert(pass: &mut Pass, module: &Module<'_>) {
    let names = compiled_functions(module).into_iter();
    let names = names.filter(|one| !one.function_type().is_variadic());
    let names: Vec<String> = names.map(Value::name).collect();
    for name in names {
        let Some(function) = ir::function(module.handle(), &name) else {
            continue;
        };
        mark_stores(module, function);
        let arguments = vec![ArgumentShadow::None; function.parameters().len()];
        let found = ir::check_uninitialised(module, &name, &arguments);
        let Some(function) = ir::function(module.handle(), &name) else {
            continue;
        };
        // Handles from before cannot be used.
        pass.b = Builder::new(function.ty().context());
        pass.places = Places::default();
        pass.module = module.handle();
        pass.layout = DataLayout::of_module(pass.module);
        for one in &found {
            report(pass, one);
        }
        first_values::drop_markers(function);
    }
    if let Some(function) = ir::function(module.handle(), UNDEFINED_VALUE) {
        function.delete_function();
    }
}

/// Marks computed values that are stored elsewhere than in the function's variables. Copies are no uses: what is
/// copied may be padding, or a part of a structure that has no meaning yet.
fn mark_stores(module: &Module<'_>, function: Value) {
    let b = Builder::new(function.ty().context());
    for store in function.instructions() {
        if !store.is(Opcode::LLVMStore) {
            continue;
        }
        let value = store.operand(0);
        let is_own = |origin: &Value| origin.is_instruction() && origin.is(Opcode::LLVMAlloca);
        if !is_computed(value) || origins::all(store.operand(1)).iter().any(is_own) {
            continue;
        }
        let ty = value.ty();
        let name = format!("{USED}{}", ty.text());
        let used = ir::function(module.handle(), &name).unwrap_or_else(|| {
            let ty = Type::function(Type::void(b.context), &[ty]);
            ir::add_function(module.handle(), &name, ty)
        });
        b.of_the_line_of(store);
        b.before(store);
        b.call(used, &[value]);
    }
}

/// Whether a value is, or may be, the result of arithmetic. Bits that are put together may be a structure's, whose other
/// parts have no value.
fn is_computed(value: Value) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        match value.opcode() {
            Opcode::LLVMPHI => pending.extend(value.incoming().into_iter().map(|(from, _)| from)),
            Opcode::LLVMBitCast => pending.push(value.operand(0)),
            Opcode::LLVMSelect => pending.extend([value.operand(1), value.operand(2)]),
            Opcode::LLVMCall => {
                let called = value.called_function();
                if called.is_some_and(|called| called.name().starts_with("llvm.")) {
                    return true;
                }
            }
            Opcode::LLVMAdd
            | Opcode::LLVMFAdd
            | Opcode::LLVMSub
            | Opcode::LLVMFSub
            | Opcode::LLVMMul
            | Opcode::LLVMFMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMFDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMFRem
            | Opcode::LLVMFNeg => return true,
            _ => {}
        }
    }
    false
}

fn report(pass: &mut Pass, found: &UndefinedUse) {
    let access = pass.site(found.call);
    let variable = match &found.origin {
        None => None,
        Some(UndefinedOrigin::Object(variable)) => {
            let bytes = match variable.is(Opcode::LLVMAlloca) {
                true => pass.layout.size(variable.allocated_type()),
                false => 0,
            };
            Some(pass.variable(*variable, bytes))
        }
        Some(UndefinedOrigin::Variable(name, bytes)) => Some(CheckedVariable {
            name: name.split('.').next().unwrap_or_default().to_owned(),
            bytes: *bytes,
        }),
    };
    let number = pass.add(CheckSite {
        access,
        variable,
        undefined: Some(match found.kind {
            0 => UndefinedKind::Branch,
            1 => UndefinedKind::Address,
            2 => UndefinedKind::Stored,
            _ => UndefinedKind::Operand,
        }),
        ..CheckSite::default()
    });
    let b = &pass.b;
    b.before(found.call);
    b.of_the_line_of(found.call);
    let report = pass.platform_function(CHECK_UNDEFINED, Type::void(b.context), &[b.i64()]);
    b.call(report, &[b.i64().constant(number)]);
    found.call.erase();
}
