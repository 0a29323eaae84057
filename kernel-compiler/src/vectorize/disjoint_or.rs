//! Sums that LLVM has made `or`s of, since their operands have no bit in common, become sums again:
//! it forgets that they have none where it moves shifts through them, and then nobody knows how
//! lanes' values differ.

use crate::ir::{Builder, Opcode, Value};

/// Makes them sums that do not wrap.
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
