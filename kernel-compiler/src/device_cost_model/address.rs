//! Where accesses go: which memory, which object in it, and how lanes' places lie.

use super::loops::signed;
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, TypeKind, Value};

/// What an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A private variable.
    Variable(Value),
    /// The function's own parameters: the argument block and the group's context.
    Parameter(Value),
    /// A kernel argument: so many bytes into the argument block.
    Argument(u64),
    /// What the group's context names: so many bytes into it.
    Field(u64),
    /// A global variable.
    Global(Value),
    /// Something else.
    Other,
}

/// Steps that are followed.
const DEPTH: u32 = 32;

/// What an address comes from.
pub fn root(pointer: Value, layout: DataLayout) -> Root {
    follow(pointer, layout, DEPTH)
}

fn follow(pointer: Value, layout: DataLayout, depth: u32) -> Root {
    if depth == 0 {
        return Root::Other;
    }
    if pointer.is_global_variable() {
        return Root::Global(pointer);
    }
    if !pointer.is_instruction() {
        if pointer.is_constant_expression() {
            return follow(pointer.operand(0), layout, depth - 1);
        }
        return if pointer.is_constant() {
            Root::Other
        } else {
            Root::Parameter(pointer)
        };
    }
    let from = |index: u32| follow(pointer.operand(index), layout, depth - 1);
    match pointer.opcode() {
        Opcode::LLVMAlloca => Root::Variable(pointer),
        Opcode::LLVMGetElementPtr => {
            let base = from(0);
            // A local argument is a distance from the base of local memory.
            let operands = pointer.operands();
            let distances = operands[1..]
                .iter()
                .filter(|index| index.is(Opcode::LLVMLoad));
            let mut arguments = distances.filter_map(|load| argument(*load, layout));
            match arguments.next_back() {
                Some(offset) if !matches!(base, Root::Argument(_)) => Root::Argument(offset),
                _ => base,
            }
        }
        Opcode::LLVMBitCast
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMFreeze
        | Opcode::LLVMIntToPtr
        | Opcode::LLVMPtrToInt
        | Opcode::LLVMExtractElement
        | Opcode::LLVMExtractValue
        | Opcode::LLVMShuffleVector => from(0),
        Opcode::LLVMInsertElement => match from(1) {
            Root::Other => from(0),
            found => found,
        },
        Opcode::LLVMSelect => match from(1) {
            // Lanes that take no part are sent elsewhere.
            Root::Other | Root::Variable(_) => match from(2) {
                Root::Other => from(1),
                found => found,
            },
            found => found,
        },
        Opcode::LLVMPHI => {
            let incoming = pointer.incoming();
            let others = incoming.iter().filter(|(value, _)| *value != pointer);
            others
                .map(|(value, _)| follow(*value, layout, depth / 2))
                .find(|root| *root != Root::Other)
                .unwrap_or(Root::Other)
        }
        Opcode::LLVMLoad => match parameter_offset(pointer, layout) {
            Some((0, offset)) => Root::Argument(offset),
            Some((1, offset)) => Root::Field(offset),
            _ => Root::Other,
        },
        _ => Root::Other,
    }
}

/// Bytes into the argument block, if that is what is loaded: the function's first parameter.
pub fn argument(load: Value, layout: DataLayout) -> Option<u64> {
    match parameter_offset(load, layout)? {
        (0, offset) => Some(offset),
        _ => None,
    }
}

/// Which parameter a load reads from, and how many bytes behind where it points to.
fn parameter_offset(load: Value, layout: DataLayout) -> Option<(usize, u64)> {
    if !load.is(Opcode::LLVMLoad) {
        return None;
    }
    let (base, offset) = based(load.operand(0), layout);
    let parameters = load.block().function().parameters();
    let number = parameters.iter().position(|parameter| *parameter == base)?;
    Some((number, u64::try_from(offset).ok()?))
}

/// A pointer without what constant numbers add to it, and these.
pub fn based(pointer: Value, layout: DataLayout) -> (Value, i64) {
    let (mut base, mut offset) = (pointer, 0i64);
    for _ in 0..DEPTH {
        if !base.is_instruction() {
            break;
        }
        match base.opcode() {
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => base = base.operand(0),
            Opcode::LLVMGetElementPtr => match constant_offset(base, layout) {
                Some(more) => {
                    offset = offset.wrapping_add(more);
                    base = base.operand(0);
                }
                None => break,
            },
            _ => break,
        }
    }
    (base, offset)
}

/// An address as a sum: where it begins, what constants add, and what others add so many times.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    pub base: Value,
    pub offset: i64,
    pub terms: Vec<(Value, i64)>,
}

/// Terms of a sum at most.
const TERMS: usize = 4;

/// An address as a sum.
pub fn sum(pointer: Value, layout: DataLayout) -> Sum {
    let (base, offset) = based(pointer, layout);
    let mut sum = Sum {
        base,
        offset,
        terms: Vec::new(),
    };
    while sum.base.is(Opcode::LLVMGetElementPtr) && sum.terms.len() < TERMS {
        let operands = sum.base.operands();
        let [inner, index] = operands.as_slice() else {
            break;
        };
        let Ok(size) = i64::try_from(layout.size(sum.base.indexed_type())) else {
            break;
        };
        sum.terms.push((*index, size));
        let (base, more) = based(*inner, layout);
        sum.base = base;
        sum.offset = sum.offset.wrapping_add(more);
    }
    sum.terms
        .sort_by_key(|(value, size)| (value.0 as usize, *size));
    sum
}

/// Bytes that a `getelementptr` with constant indices adds.
pub fn constant_offset(gep: Value, layout: DataLayout) -> Option<i64> {
    let operands = gep.operands();
    let mut ty = gep.indexed_type();
    let mut offset = 0i64;
    for (place, index) in operands[1..].iter().enumerate() {
        let index = signed(*index)?;
        if place > 0 {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = u32::try_from(index).ok()?;
                    let before = i64::try_from(layout.field_offset(ty, field)).ok()?;
                    ty = *ty.fields().get(field as usize)?;
                    offset = offset.checked_add(before)?;
                    continue;
                }
                TypeKind::LLVMArrayTypeKind => ty = ty.array_elements().0,
                TypeKind::LLVMVectorTypeKind => ty = ty.vector_elements().0,
                _ => return None,
            }
        }
        let size = i64::try_from(layout.size(ty)).ok()?;
        offset = offset.checked_add(index.checked_mul(size)?)?;
    }
    Some(offset)
}

/// The memory that a pointer, or a vector of them, names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global and constant memory: outside.
    Outside,
    /// Local memory.
    Local,
    /// Private memory.
    Private,
}

/// By its type.
pub fn space(pointer: Value) -> Space {
    let ty = pointer.ty();
    let ty = if ty.is_vector() {
        ty.vector_elements().0
    } else {
        ty
    };
    if !ty.is_pointer() {
        return Space::Private;
    }
    match ty.address_space() {
        address_space::LOCAL => Space::Local,
        address_space::PRIVATE => Space::Private,
        _ => Space::Outside,
    }
}

/// By how much a vector's elements go up from one to the next; 0 if all are the same, none if
/// that is not known.
pub fn lane_step(value: Value, layout: DataLayout) -> Option<i64> {
    step(value, layout, 12)
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
            .then(|| element(value.operand(index), 0).and_then(signed))
            .flatten()
    };
    match value.opcode() {
        Opcode::LLVMAdd | Opcode::LLVMOr => of(0)?.checked_add(of(1)?),
        Opcode::LLVMSub => of(0)?.checked_sub(of(1)?),
        Opcode::LLVMMul => match (of(0)?, of(1)?) {
            (0, 0) => Some(0),
            (moves, 0) => moves.checked_mul(factor(1)?),
            (0, moves) => moves.checked_mul(factor(0)?),
            _ => None,
        },
        Opcode::LLVMShl => match of(0)? {
            0 => Some(0),
            moves => moves.checked_mul(1i64.checked_shl(u32::try_from(factor(1)?).ok()?)?),
        },
        Opcode::LLVMAShr | Opcode::LLVMLShr => {
            let by = 1i64.checked_shl(u32::try_from(factor(1)?).ok()?)?;
            let moves = of(0)?;
            (moves % by == 0).then_some(moves / by)
        }
        Opcode::LLVMSExt
        | Opcode::LLVMZExt
        | Opcode::LLVMTrunc
        | Opcode::LLVMBitCast
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMIntToPtr
        | Opcode::LLVMPtrToInt
        | Opcode::LLVMFreeze => of(0),
        // Lanes that take no part are sent elsewhere, all to one place.
        Opcode::LLVMSelect => match (of(1), of(2)) {
            (Some(0), other) | (other, Some(0)) => other,
            (a, b) => (a == b).then_some(a).flatten(),
        },
        Opcode::LLVMShuffleVector => {
            let mask = value.shuffle_mask();
            mask.iter().all(|from| *from == mask[0]).then_some(0)
        }
        Opcode::LLVMGetElementPtr => {
            let operands = value.operands();
            let mut moves = of(0)?;
            let mut ty = value.indexed_type();
            for (place, index) in operands[1..].iter().enumerate() {
                if place > 0 {
                    match ty.kind() {
                        TypeKind::LLVMArrayTypeKind => ty = ty.array_elements().0,
                        TypeKind::LLVMVectorTypeKind => ty = ty.vector_elements().0,
                        TypeKind::LLVMStructTypeKind => {
                            let field = element(*index, 0).and_then(signed)?;
                            ty = *ty.fields().get(usize::try_from(field).ok()?)?;
                            continue;
                        }
                        _ => return None,
                    }
                }
                let size = i64::try_from(layout.size(ty)).ok()?;
                let index = step(*index, layout, depth - 1)?;
                moves = moves.checked_add(index.checked_mul(size)?)?;
            }
            Some(moves)
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
        // Pointers: all the same, or constants that nobody computes with.
        let first = element(value, 0)?;
        return (1..count)
            .all(|number| element(value, number) == Some(first))
            .then_some(0);
    }
    let first = signed(element(value, 0)?)?;
    let second = signed(element(value, 1.min(count - 1))?)?;
    let step = second.checked_sub(first)?;
    let mut expected = second;
    for number in 2..count {
        expected = expected.checked_add(step)?;
        if signed(element(value, number)?)? != expected {
            return None;
        }
    }
    Some(step)
}
