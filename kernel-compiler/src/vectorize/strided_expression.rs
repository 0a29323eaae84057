//! Expressions of strided and uniform values: indices and conditions that depend on the work-item's
//! ids and on nothing else that differs between lanes.

use super::plan::VectorPlan;
use crate::analysis::gep::{self, Term};
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

/// The difference between neighbouring lanes in most vectors, in bytes for an address: 0 where they are the same. These are
/// the vectors in which no row ends, where work-items compute the row and the column of an element as quotient and remainder
/// of an index. None if it is not constant.
pub fn expected_step(plan: &VectorPlan<'_>, value: Value) -> Option<i64> {
    step_within_a_row(plan, value, &mut 0)
}

/// Counts the operations that it follows: one may be reached more than once.
fn step_within_a_row(plan: &VectorPlan<'_>, value: Value, operations: &mut usize) -> Option<i64> {
    use Opcode::*;
    if let Some(step) = plan.shape(value).step() {
        return Some(step);
    }
    *operations += 1;
    if *operations > MAX_OPERATIONS {
        return None;
    }
    let mut of = |index: u32| step_within_a_row(plan, value.operand(index), operations);
    let is_uniform = |index: u32| plan.shape(value.operand(index)).is_uniform();
    let constant = |index: u32| value.operand(index).as_signed_integer();
    match value.opcode() {
        LLVMAdd => of(0)?.checked_add(of(1)?),
        LLVMSub => of(0)?.checked_sub(of(1)?),
        LLVMOr if value.is_disjoint() => of(0)?.checked_add(of(1)?),
        LLVMMul => match (of(0)?, of(1)?) {
            (0, 0) => Some(0),
            (step, 0) => step.checked_mul(constant(1)?),
            (0, step) => step.checked_mul(constant(0)?),
            _ => None,
        },
        LLVMShl => {
            let factor = 1i64.checked_shl(constant(1)?.try_into().ok()?)?;
            of(0)?.checked_mul(factor)
        }
        // Rows are longer than vectors, as a rule.
        LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr if is_uniform(1) => of(0).map(|_| 0),
        LLVMURem | LLVMSRem if is_uniform(1) => of(0),
        LLVMSExt | LLVMZExt | LLVMTrunc | LLVMFreeze => of(0),
        LLVMGetElementPtr => {
            let mut sum = of(0)?;
            for term in gep::terms(value, plan.layout())? {
                if let Term::Element { index, scale } | Term::VectorElement { index, scale } = term
                {
                    let step = step_within_a_row(plan, index, operations)?;
                    sum = sum.checked_add(step.checked_mul(scale.try_into().ok()?)?)?;
                }
            }
            Some(sum)
        }
        _ => None,
    }
}
