//! Integer divisions that have no result. In LLVM a divisor of zero is undefined, and so is
//! the quotient of the most negative number and -1; x86 processors raise an exception, which
//! ends the process. OpenCL C says that there is no exception and the result is unspecified
//! (OpenCL 1.2, section 6.3.a). So such divisions get 1 for their divisor.

use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;

/// Guards all integer divisions and remainders of the module. Has to come before LLVM
/// concludes anything from a division.
pub fn guard(module: ModuleRef) {
    for function in ir::functions(module) {
        for instruction in function.instructions() {
            match instruction.opcode() {
                Opcode::LLVMSDiv | Opcode::LLVMSRem => guard_one(instruction, true),
                Opcode::LLVMUDiv | Opcode::LLVMURem => guard_one(instruction, false),
                _ => {}
            }
        }
    }
}

fn guard_one(division: Value, signed: bool) {
    let (dividend, divisor) = (division.operand(0), division.operand(1));
    let ty = divisor.ty();
    let element = ty.scalar();
    let minus_one = u64::MAX >> (64 - element.integer_bits());
    if divisor
        .as_integer()
        .is_some_and(|value| value != 0 && value != minus_one)
    {
        return;
    }
    let builder = Builder::new(ty.context());
    builder.before(division);
    let is = |value: Value, number| builder.compare(LLVMIntEQ, value, each(ty, element, number));
    let mut without_result = is(divisor, 0);
    if signed {
        let overflows = builder.and(
            is(dividend, 1 << (element.integer_bits() - 1)),
            is(divisor, minus_one),
        );
        without_result = builder.binary(Opcode::LLVMOr, without_result, overflows);
    }
    let divisor = builder.select(without_result, each(ty, element, 1), divisor);
    division.set_operand(1, divisor);
}

/// `number` in each element of a vector, or as the one that `ty` is.
fn each(ty: Type, element: Type, number: u64) -> Value {
    let number = element.constant(number);
    if ty == element {
        number
    } else {
        number.in_all_elements(ty.vector_elements().1)
    }
}
