//! Uses of variables of functions and of buffers that were never written. LLVM's MemorySanitizer follows values within a
//! function (`compiler-resources/shim/uninitialised.cpp`); arguments and results of calls count as written. The shadow of other memory than
//! the function's variables is found by address, and the platform says what it is (`check/definedness.rs` of device
//! threads).

use super::origins;
use super::pass::{CheckSite, CheckedVariable, Pass, UndefinedKind, compiled_functions};
use crate::check::access::accesses;
use crate::check::first_values;
use crate::check::places::Places;
use crate::device_c::assembly;
use crate::intrinsics::{CHECK_MOVE, CHECK_UNDEFINED, CHECK_WRITTEN};
use crate::ir::{
    self, Builder, DataLayout, Module, Opcode, Type, TypeKind, UndefinedOrigin, UndefinedUse, Value,
};
use std::collections::HashSet;

/// What the shim calls to report a value, and the prefix of calls that mark a use.
const UNDEFINED_VALUE: &str = "mocl3.undefined_value";
const USED: &str = "mocl3.used.";

/// Functions of which it is known what they write, by how their names begin.
const KNOWN: [&str; 10] = [
    "llvm.", "__ht_", "mocl3.", "dma_", "raw_dma_", "vector_", "scalar_", "hbm_", "free", "realloc",
];

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
    let (variadic, others): (Vec<Value>, Vec<Value>) = compiled_functions(module)
        .into_iter()
        .partition(|one| one.function_type().is_variadic());
    for function in variadic {
        mark_as_defined(pass, function);
    }
    let names: Vec<String> = others.into_iter().map(Value::name).collect();
    for name in names {
        let Some(function) = ir::function(module.handle(), &name) else {
            continue;
        };
        mark_stores(module, function);
        mark_calls(pass, function);
        let found = ir::check_uninitialised_by_address(module, &name);
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

/// What a function that is not followed writes is defined.
fn mark_as_defined(pass: &Pass, function: Value) {
    let b = &pass.b;
    for instruction in function.instructions() {
        for access in accesses(b, pass.layout, instruction) {
            if !access.writes || is_own(access.pointer) {
                continue;
            }
            b.of_the_line_of(instruction);
            b.before(instruction);
            let pointer = Type::pointer(b.context, 0);
            let ty = Type::function(Type::void(b.context), &[pointer, pointer, b.i64()]);
            let called = function_of(pass, CHECK_MOVE, ty);
            b.call(called, &[access.pointer, pointer.zero(), access.bytes]);
        }
    }
    mark_calls(pass, function);
}

/// What functions get pointers to that are not the image's own counts as written.
fn mark_calls(pass: &Pass, function: Value) {
    let b = &pass.b;
    for call in function.instructions() {
        let Some(called) = call.called_function() else {
            continue;
        };
        if !called.is_declaration()
            || assembly::is_assembled(called)
            || KNOWN.iter().any(|known| called.name().starts_with(known))
        {
            continue;
        }
        let parameters = called.parameters().len() as u32;
        for argument in (0..parameters).map(|number| call.operand(number)) {
            let is_pointer = argument.ty().kind() == TypeKind::LLVMPointerTypeKind;
            if !is_pointer || is_own(argument) {
                continue;
            }
            b.of_the_line_of(call);
            b.before(call);
            let pointer = Type::pointer(b.context, 0);
            let ty = Type::function(Type::void(b.context), &[pointer]);
            b.call(function_of(pass, CHECK_WRITTEN, ty), &[argument]);
        }
    }
}

/// A function of the platform that changes shadows, which code accesses.
fn function_of(pass: &Pass, name: &str, ty: Type) -> Value {
    ir::function(pass.module, name).unwrap_or_else(|| ir::add_function(pass.module, name, ty))
}

/// Whether a pointer leads into variables, whose memory keeps no undefined values.
fn is_own(pointer: Value) -> bool {
    origins::all(pointer).iter().all(|origin| {
        origin.is_global_variable() || origin.is_instruction() && origin.is(Opcode::LLVMAlloca)
    })
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
    let pointer = Type::pointer(b.context, 0);
    let parameters = [b.i64(), pointer, pointer];
    let report = pass.platform_function(CHECK_UNDEFINED, Type::void(b.context), &parameters);
    let number = b.i64().constant(number);
    let [origin, destination] = [0, 1].map(|operand| found.call.operand(operand));
    b.call(report, &[number, origin, destination]);
    found.call.erase();
}
