//! Loads and stores of a kernel.

use crate::intrinsics::address_space;
use crate::ir::{Opcode, Value};

/// The address of a load or store.
pub fn access_pointer(access: Value) -> Value {
    access.operand(if access.opcode() == Opcode::LLVMStore {
        1
    } else {
        0
    })
}

/// Whether an access is independent of other work-items' within a region, which no barrier orders.
/// Accesses of private memory are, if `annotate_private`: if each work-item has a copy.
pub fn is_parallel_access(access: Value, annotate_private: bool) -> bool {
    matches!(access.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore)
        && !access.is_volatile()
        && !access.is_atomic()
        && (annotate_private
            || access_pointer(access).ty().address_space() != address_space::PRIVATE)
}
