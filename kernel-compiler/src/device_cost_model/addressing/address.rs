//! Where accesses go: which memory, and which object in it.

use super::device_functions::DeviceFunction;
use super::space::Space;
use crate::analysis::gep::{self, Term};
use crate::ir::{DataLayout, Opcode, Value};

/// The object that an address is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A private variable.
    Variable(Value),
    /// What a parameter of the function points to: the argument block or the group's context.
    Parameter(Value),
    /// What a kernel argument points to, by its offset in the argument block, in bytes.
    Argument(u64),
    /// What a field of the group's context points to, by the field's offset in bytes.
    Field(u64),
    /// A global variable.
    Global(Value),
    /// A buffer that a call of device C gives, in that memory.
    Allocation(Value, Space),
    /// An object that is not known.
    Other,
}

/// Instructions followed from an address to its object.
const MAX_DEPTH: u32 = 32;

/// The object that an address is derived from, in a work-group function.
pub fn root(pointer: Value, layout: DataLayout) -> Root {
    follow(pointer, layout, true, MAX_DEPTH)
}

/// The object that an address is derived from, in device C.
pub fn root_of_object(pointer: Value, layout: DataLayout) -> Root {
    follow(pointer, layout, false, MAX_DEPTH)
}

/// `has_block`: whether the function is a work-group function, whose arguments are in a block.
fn follow(pointer: Value, layout: DataLayout, has_block: bool, depth: u32) -> Root {
    if depth == 0 {
        return Root::Other;
    }
    if pointer.is_global_variable() {
        return Root::Global(pointer);
    }
    if !pointer.is_instruction() {
        if pointer.is_constant_expression() {
            return follow(pointer.operand(0), layout, has_block, depth - 1);
        }
        return if pointer.is_constant() {
            Root::Other
        } else {
            Root::Parameter(pointer)
        };
    }
    let from = |index: u32| follow(pointer.operand(index), layout, has_block, depth - 1);
    match pointer.opcode() {
        Opcode::LLVMAlloca => Root::Variable(pointer),
        Opcode::LLVMGetElementPtr if !has_block => from(0),
        Opcode::LLVMGetElementPtr => {
            let base = from(0);
            // A local argument is an offset from the base of local memory.
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
            // The vectoriser redirects inactive lanes to a variable.
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
                .map(|(value, _)| follow(*value, layout, has_block, depth / 2))
                .find(|root| *root != Root::Other)
                .unwrap_or(Root::Other)
        }
        Opcode::LLVMCall if !has_block => match DeviceFunction::called(pointer) {
            Some(DeviceFunction::Allocation(space) | DeviceFunction::Address(space)) => {
                Root::Allocation(pointer, space)
            }
            _ => Root::Other,
        },
        Opcode::LLVMLoad if !has_block => Root::Other,
        Opcode::LLVMLoad => match parameter_offset(pointer, layout) {
            Some((0, offset)) => Root::Argument(offset),
            Some((1, offset)) => Root::Field(offset),
            _ => Root::Other,
        },
        _ => Root::Other,
    }
}

/// The offset in the argument block, the function's first parameter, that a load reads from.
pub fn argument(load: Value, layout: DataLayout) -> Option<u64> {
    match parameter_offset(load, layout)? {
        (0, offset) => Some(offset),
        _ => None,
    }
}

/// The number of the parameter that a load reads through, and the offset in bytes.
fn parameter_offset(load: Value, layout: DataLayout) -> Option<(usize, u64)> {
    if !load.is(Opcode::LLVMLoad) {
        return None;
    }
    let (base, offset) = based(load.operand(0), layout);
    let parameters = load.block().function().parameters();
    let number = parameters.iter().position(|parameter| *parameter == base)?;
    Some((number, u64::try_from(offset).ok()?))
}

/// A pointer without its constant offsets, and their sum in bytes.
pub fn based(pointer: Value, layout: DataLayout) -> (Value, i64) {
    let (mut base, mut offset) = (pointer, 0i64);
    for _ in 0..MAX_DEPTH {
        if !base.is_instruction() {
            break;
        }
        match base.opcode() {
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => base = base.operand(0),
            Opcode::LLVMGetElementPtr => match gep::constant_offset(base, layout) {
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

/// An address as the sum of a base, a constant offset and terms `index * scale`, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    pub base: Value,
    pub offset: i64,
    pub terms: Vec<(Value, i64)>,
}

/// Terms of a sum; further ones stay part of the base.
const MAX_TERMS: usize = 4;

/// Decomposes an address.
pub fn sum(pointer: Value, layout: DataLayout) -> Sum {
    let (base, offset) = based(pointer, layout);
    let mut sum = Sum {
        base,
        offset,
        terms: Vec::new(),
    };
    while sum.base.is(Opcode::LLVMGetElementPtr) && sum.terms.len() < MAX_TERMS {
        let Some(&[Term::Element { index, scale }]) = gep::terms(sum.base, layout).as_deref()
        else {
            break;
        };
        let Ok(scale) = i64::try_from(scale) else {
            break;
        };
        sum.terms.push((index, scale));
        let (base, more) = based(sum.base.operand(0), layout);
        sum.base = base;
        sum.offset = sum.offset.wrapping_add(more);
    }
    sum.terms
        .sort_by_key(|(value, size)| (value.order(), *size));
    sum
}
