//! Integers of halves that are rounded first.
//!
//! LLVM 22's X86 back end makes one instruction of `rint` and a conversion to a signed integer, as it does for floats, but for
//! halves one that rounds towards zero. Unsigned integers of less than 32 bits are converted like signed ones.

use crate::ir::{Builder, ModuleRef, Opcode, Type, functions};

/// Has such conversions convert a float.
pub fn widen(module: ModuleRef) {
    for function in functions(module) {
        for conversion in function.instructions() {
            if !matches!(conversion.opcode(), Opcode::LLVMFPToSI | Opcode::LLVMFPToUI) {
                continue;
            }
            let rounded = conversion.operand(0);
            if !rounded.calls("llvm.rint.f16") {
                continue;
            }
            let b = Builder::new(rounded.ty().context());
            b.before(conversion);
            let float = b.cast(Opcode::LLVMFPExt, rounded, Type::float(b.context));
            conversion.set_operand(0, float);
        }
    }
}
