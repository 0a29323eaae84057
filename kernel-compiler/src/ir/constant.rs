//! What is written of constants, comparisons and branches in other languages than LLVM's.

use super::ffi::some;
use super::{Block, Type, TypeKind, Value};
use llvm_sys::core::*;

impl Value {
    /// Whether a constant has no value: undef or poison.
    pub fn is_undefined(self) -> bool {
        llvm!(LLVMIsUndef(self.raw())) != 0
    }

    /// Whether a constant is zero in all bits.
    pub fn is_zero(self) -> bool {
        self.is_constant() && llvm!(LLVMIsNull(self.raw())) != 0
    }

    /// The bits of a floating-point constant of at most 64 bits.
    pub fn float_bits(self) -> Option<u64> {
        let bits = match self.ty().kind() {
            TypeKind::LLVMHalfTypeKind => 16,
            TypeKind::LLVMFloatTypeKind => 32,
            TypeKind::LLVMDoubleTypeKind => 64,
            _ => return None,
        };
        some(llvm!(LLVMIsAConstantFP(self.raw())))?;
        let integer = Type::integer(self.ty().context(), bits);
        Value::new(llvm!(LLVMConstBitCast(self.raw(), integer.raw()))).as_integer()
    }

    /// What an `fcmp` asks.
    pub fn float_predicate(self) -> llvm_sys::LLVMRealPredicate {
        llvm!(LLVMGetFCmpPredicate(self.raw()))
    }

    /// The block that a `switch` leads to where no case matches.
    pub fn switch_default(self) -> Block {
        Block::new(llvm!(LLVMGetSwitchDefaultDest(self.raw())))
    }

    /// The value for which a `switch` takes its successor of that number, which is at least 1.
    pub fn switch_case(self, successor: u32) -> Value {
        Value::new(llvm!(LLVMGetSwitchCaseValue(self.raw(), successor)))
    }
}
