//! Where accesses go: which memory, which object in it, and how lanes' places lie.

use crate::analysis::gep::{self, Term};
use crate::intrinsics::address_space;
use crate::ir::{DataLayout, Opcode, Value};

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
        .sort_by_key(|(value, size)| (value.0 as usize, *size));
    sum
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
