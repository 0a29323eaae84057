//! Propagates a known work-group size into a kernel, so that loops over it have constant trip counts.

use crate::intrinsics::Query;
use crate::ir::Value;

/// Replaces queries of the size by constants, and adds ranges to local ids.
pub fn fix(kernel: Value, local_size: [u64; 3]) {
    for call in kernel.instructions() {
        let Some(query) = call.called_function().and_then(|f| Query::parse(&f.name())) else {
            continue;
        };
        if !matches!(query, Query::LocalId | Query::LocalSize) {
            continue;
        }
        let size = call
            .operand(0)
            .as_integer()
            .and_then(|dimension| local_size.get(dimension as usize).copied());
        match (query, size) {
            (Query::LocalSize, Some(size)) => replace(call, size),
            (Query::LocalId, Some(1)) => replace(call, 0),
            (Query::LocalId, Some(size)) => call.mark_range(0, size),
            _ => {}
        }
    }
}

fn replace(call: Value, number: u64) {
    call.replace_all_uses_with(call.ty().constant(number));
    call.erase();
}
