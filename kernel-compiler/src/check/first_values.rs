//! First values of variables without memory. LLVM concludes from an undefined value what suits it, so
//! that each variable of a program to be checked gets its first value from a call, the marker.

use crate::ir::{self, Builder, MARKER, Opcode, Type, TypeKind, Value};

/// Whether an instruction gives a variable its first value, which is undefined.
pub fn is_marker(instruction: Value) -> bool {
    instruction
        .called_function()
        .is_some_and(|called| called.name().starts_with(MARKER))
}

/// Gives each variable of a function that becomes a register a first value.
pub fn mark_variables(function: Value) {
    let module = function.module();
    let b = Builder::new(function.ty().context());
    for variable in function.entry_block().instructions() {
        if !variable.is(Opcode::LLVMAlloca) || variable.operand(0).as_integer() != Some(1) {
            continue;
        }
        let ty = variable.allocated_type();
        let is_register = matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMHalfTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
                | TypeKind::LLVMVectorTypeKind
                | TypeKind::LLVMPointerTypeKind
        );
        let Some(next) = variable.next_instruction().filter(|_| is_register) else {
            continue;
        };
        let name = format!("{MARKER}{}", ty.text());
        let marker = ir::function(module, &name)
            .unwrap_or_else(|| ir::add_query(module, &name, Type::function(ty, &[])));
        b.before(next);
        let value = b.call(marker, &[]);
        value.set_name(&format!("{}.undefined", variable.name()));
        b.store(value, variable, variable.alignment());
    }
}

/// Has variables of a function begin with zero.
pub fn drop_markers(function: Value) {
    for instruction in function.instructions() {
        if is_marker(instruction) {
            instruction.replace_all_uses_with(instruction.ty().zero());
            instruction.erase();
        }
    }
}
