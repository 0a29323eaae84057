//! Bounds of the ids and sizes of a small launch, from which LLVM concludes which sums of them do not wrap.

use crate::intrinsics::Query;
use crate::ir::Value;
use crate::kernel::specialisation::SMALL_GRID;

/// Adds ranges to the queries of a kernel's global ids, groups and sizes.
pub fn mark(kernel: Value) {
    for call in kernel.instructions() {
        let query = call
            .called_function()
            .and_then(|function| Query::parse(&function.name()));
        match query {
            Some(Query::GlobalId | Query::GroupId) => call.mark_range(0, SMALL_GRID),
            Some(Query::GlobalSize | Query::GroupCount) => call.mark_range(1, SMALL_GRID + 1),
            Some(Query::GlobalOffset) => call.mark_range(0, SMALL_GRID + 1),
            _ => {}
        }
    }
}
