//! Turns `or disjoint` back into `add`, from which LLVM made it. LLVM drops `disjoint` where it moves
//! shifts through an `or`, and the stride between lanes can then no longer be derived.

use crate::ir::{Builder, Opcode, Value};

/// Replaces each `or disjoint` by an `add` that does not wrap.
pub fn to_adds(function: Value) {
    let b = Builder::new(function.ty().context());
    for instruction in function.instructions() {
        if instruction.is(Opcode::LLVMOr) && instruction.is_disjoint() {
            b.before(instruction);
            let sum = b
                .add(instruction.operand(0), instruction.operand(1))
                .no_wrap();
            instruction.replace_all_uses_with(sum);
            instruction.erase();
        }
    }
}
