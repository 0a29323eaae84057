//! Expressions of strided and uniform values: indices and conditions that depend on the work-item's
//! ids and on nothing else that differs between lanes.

use super::plan::VectorPlan;
use crate::analysis::integer_range::Bound;
use crate::ir::{Opcode, Value};

/// Most operations of an expression.
const MAX_OPERATIONS: usize = 32;

/// The varying operations that compute a value from scalar-shaped ones; none if some of them are no
/// arithmetic, or there are many.
pub fn operations(plan: &VectorPlan<'_>, value: Value) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if plan.shape(value).is_scalar() || found.contains(&value) {
            continue;
        }
        if !is_arithmetic(value.opcode()) && !is_bound(value) || found.len() == MAX_OPERATIONS {
            return None;
        }
        found.push(value);
        pending.extend(value.operands().into_iter().filter(|o| !o.is_function()));
    }
    Some(found)
}

/// Whether an operation is the smaller or the larger of two integers, as in `clamp`.
pub fn is_bound(operation: Value) -> bool {
    Bound::recognize(operation).is_some_and(|bound| bound != Bound::Absolute)
}

fn is_arithmetic(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMUDiv
            | LLVMSDiv
            | LLVMURem
            | LLVMSRem
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMSExt
            | LLVMZExt
            | LLVMTrunc
            | LLVMICmp
            | LLVMSelect
            | LLVMFreeze
            | LLVMGetElementPtr
    )
}
