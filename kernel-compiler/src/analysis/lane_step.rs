//! How the elements of a vector lie apart: the step from one lane to the next in code that has been
//! vectorised.

use super::gep::{self, Term};
use crate::ir::{DataLayout, Opcode, Value};

/// Operations followed from a vector to what it is computed from.
const MAX_DEPTH: u32 = 12;

/// The constant difference between neighbouring elements of a vector, bytes for addresses; 0 for a
/// scalar and for equal elements, none if it is not known to be constant. Wrapping is ignored: the
/// result serves estimates only.
pub fn lane_step(value: Value, layout: DataLayout) -> Option<i64> {
    step(value, layout, MAX_DEPTH)
}

fn step(value: Value, layout: DataLayout, depth: u32) -> Option<i64> {
    if !value.ty().is_vector() {
        return Some(0);
    }
    if depth == 0 {
        return None;
    }
    if !value.is_instruction() {
        return value.is_constant().then(|| constant_step(value)).flatten();
    }
    let of = |index: u32| step(value.operand(index), layout, depth - 1);
    let factor = |index: u32| {
        (of(index)? == 0)
            .then(|| element(value.operand(index), 0).and_then(Value::as_signed_integer))
            .flatten()
    };
    match value.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMOr => of(0)?.checked_add(of(1)?),
        Opcode::LLVMSub => of(0)?.checked_sub(of(1)?),
        Opcode::LLVMMul => match (of(0)?, of(1)?) {
            (0, 0) => Some(0),
            (step, 0) => step.checked_mul(factor(1)?),
            (0, step) => step.checked_mul(factor(0)?),
            _ => None,
        },
        Opcode::LLVMShl => match of(0)? {
            0 => Some(0),
            step => step.checked_mul(1i64.checked_shl(u32::try_from(factor(1)?).ok()?)?),
        },
        Opcode::LLVMAShr | Opcode::LLVMLShr => {
            let by = 1i64.checked_shl(u32::try_from(factor(1)?).ok()?)?;
            let step = of(0)?;
            (step % by == 0).then_some(step / by)
        }
        Opcode::LLVMSExt
        | Opcode::LLVMZExt
        | Opcode::LLVMTrunc
        | Opcode::LLVMBitCast
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMIntToPtr
        | Opcode::LLVMPtrToInt
        | Opcode::LLVMFreeze => of(0),
        // The vectoriser redirects inactive lanes to one address.
        Opcode::LLVMSelect => match (of(1), of(2)) {
            (Some(0), other) | (other, Some(0)) => other,
            (a, b) => (a == b).then_some(a).flatten(),
        },
        Opcode::LLVMShuffleVector => {
            let mask = value.shuffle_mask();
            mask.iter().all(|from| *from == mask[0]).then_some(0)
        }
        Opcode::LLVMGetElementPtr => {
            let mut sum = of(0)?;
            for term in gep::terms(value, layout)? {
                if let Term::Element { index, scale } | Term::VectorElement { index, scale } = term
                {
                    let scale = i64::try_from(scale).ok()?;
                    let index = step(index, layout, depth - 1)?;
                    sum = sum.checked_add(index.checked_mul(scale)?)?;
                }
            }
            Some(sum)
        }
        _ => None,
    }
}

/// An element of a vector, if it is plain to see: of a constant, or what all are.
fn element(value: Value, number: u32) -> Option<Value> {
    if !value.ty().is_vector() {
        return Some(value);
    }
    if value.is_instruction() || !value.is_constant() {
        return None;
    }
    value.constant_element(number)
}

fn constant_step(value: Value) -> Option<i64> {
    let (ty, count) = value.ty().vector_elements();
    if !ty.is_integer() {
        // Equal pointers, or constants without arithmetic on them.
        let first = element(value, 0)?;
        return (1..count)
            .all(|number| element(value, number) == Some(first))
            .then_some(0);
    }
    let first = element(value, 0)?.as_signed_integer()?;
    let second = element(value, 1.min(count - 1))?.as_signed_integer()?;
    let step = second.checked_sub(first)?;
    let mut expected = second;
    for number in 2..count {
        expected = expected.checked_add(step)?;
        if element(value, number)?.as_signed_integer()? != expected {
            return None;
        }
    }
    Some(step)
}
