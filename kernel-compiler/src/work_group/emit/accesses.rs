//! Loads and stores.

use crate::intrinsics::address_space;
use crate::ir::{Opcode, Value};

/// Where a load or store goes.
pub fn access_pointer(access: Value) -> Value {
    access.operand(if access.opcode() == Opcode::LLVMStore {
        1
    } else {
        0
    })
}

/// Whether an access depends on no other work-item's within a region: within one, barriers
/// order nothing. Those of private memory count only where each work-item has its own.
pub fn is_parallel_access(access: Value, annotate_private: bool) -> bool {
    matches!(access.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore)
        && !access.is_volatile()
        && !access.is_atomic()
        && (annotate_private
            || access_pointer(access).ty().address_space() != address_space::PRIVATE)
}
