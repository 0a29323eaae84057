//! Which objects a pointer may lead into, found by following it back through address arithmetic,
//! casts, φs and selects.

use super::first_values;
use crate::analysis::gep::{self, Term};
use crate::ir::{Builder, DataLayout, Opcode, Type, Value};
use crate::kernel::interface::{ArgumentKind, KernelInterface};
use std::collections::HashSet;

/// Where a pointer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// The start of what an argument of this number points to.
    Argument(usize, Value),
    /// The start of a variable: an `alloca`, a global variable, or an argument passed by value.
    Variable(Value),
    /// The null pointer.
    Null,
    /// Memory of the implementation, such as the descriptor of an image.
    Trusted,
    /// A pointer from memory, or made of an integer.
    Unknown(Value),
}

impl Root {
    /// The pointer itself; none for those that are no one object.
    pub fn pointer(self) -> Option<Value> {
        match self {
            Self::Argument(_, pointer) | Self::Variable(pointer) => Some(pointer),
            Self::Null | Self::Trusted | Self::Unknown(_) => None,
        }
    }
}

/// The pointers of a kernel.
pub struct Provenance<'a> {
    pub kernel: Value,
    pub interface: &'a KernelInterface,
    pub layout: DataLayout,
}

impl Provenance<'_> {
    /// All roots of a pointer, each once.
    pub fn roots(&self, pointer: Value) -> Vec<Root> {
        let mut roots = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.step(value) {
                Step::From(values) => pending.extend(values),
                Step::Root(root) if !roots.contains(&root) => roots.push(root),
                Step::Root(_) => {}
            }
        }
        roots
    }

    fn step(&self, value: Value) -> Step {
        if let Some(root) = self.parameter(value) {
            return Step::Root(root);
        }
        if value.is_global_variable() {
            return Step::Root(Root::Variable(value));
        }
        if !value.is_instruction() {
            return Step::Root(match value.is_constant() && value == value.ty().zero() {
                true => Root::Null,
                false => Root::Unknown(value),
            });
        }
        match value.opcode() {
            Opcode::LLVMAlloca => Step::Root(Root::Variable(value)),
            _ => match sources(value) {
                from if from.is_empty() => Step::Root(self.made(value)),
                from => Step::From(from),
            },
        }
    }

    fn parameter(&self, value: Value) -> Option<Root> {
        let parameters = self.kernel.parameters();
        let index = parameters.iter().position(|p| *p == value)?;
        if self.kernel.by_value_type(index as u32).is_some() {
            return Some(Root::Variable(value));
        }
        Some(match self.interface.arguments.get(index)?.kind {
            ArgumentKind::GlobalPointer
            | ArgumentKind::ConstantPointer
            | ArgumentKind::LocalPointer => Root::Argument(index, value),
            ArgumentKind::Image | ArgumentKind::Sampler => Root::Trusted,
            ArgumentKind::Value => Root::Unknown(value),
        })
    }

    /// The root that an instruction makes. What the implementation's memory points to is its own.
    fn made(&self, value: Value) -> Root {
        if first_values::is_marker(value) {
            return Root::Null;
        }
        let is_trusted = match value.opcode() {
            Opcode::LLVMCall => true,
            Opcode::LLVMLoad => self.roots(value.operand(0)) == [Root::Trusted],
            _ => false,
        };
        match is_trusted {
            true => Root::Trusted,
            false => Root::Unknown(value),
        }
    }

    /// The bytes from a root to a pointer that leads to no other, 64 bits; computed of the indices
    /// themselves, since an address that is out of bounds may be poison.
    pub fn offset(&self, b: &Builder, pointer: Value, root: Value) -> Value {
        let mut sum = b.i64().constant(0);
        let mut at = pointer;
        while at != root {
            if at.is(Opcode::LLVMGetElementPtr)
                && let Some(terms) = gep::terms(at, self.layout)
            {
                for term in terms {
                    sum = b.add(sum, bytes(b, term));
                }
            } else if source(at).is_none() {
                let distance = b.binary(Opcode::LLVMSub, address(b, at), address(b, root));
                return b.add(sum, distance);
            }
            match source(at) {
                Some(from) => at = from,
                None => break,
            }
        }
        sum
    }

    /// Whether a pointer is a multiple of `alignment` bytes away from `root`, whatever its indices
    /// are.
    pub fn keeps_alignment(&self, pointer: Value, root: Value, alignment: u64) -> bool {
        let mut at = pointer;
        while at != root {
            if at.is(Opcode::LLVMGetElementPtr) {
                let terms = gep::terms(at, self.layout).unwrap_or_default();
                let is_multiple = |term: &Term| match *term {
                    Term::Field { offset } => offset % alignment == 0,
                    Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                        scale % alignment == 0
                            || index.as_integer().is_some_and(|index| {
                                index.wrapping_mul(scale).is_multiple_of(alignment)
                            })
                    }
                };
                if terms.is_empty() || !terms.iter().all(is_multiple) {
                    return false;
                }
            }
            match source(at) {
                Some(from) => at = from,
                None => return false,
            }
        }
        true
    }
}

enum Step {
    From(Vec<Value>),
    Root(Root),
}

/// The pointers that an instruction makes a pointer of, by arithmetic, as a φ or by a choice; none of others.
pub fn sources(value: Value) -> Vec<Value> {
    if !value.is_instruction() {
        return Vec::new();
    }
    match value.opcode() {
        Opcode::LLVMPHI => value.incoming().into_iter().map(|(v, _)| v).collect(),
        Opcode::LLVMSelect => vec![value.operand(1), value.operand(2)],
        _ => source(value).into_iter().collect(),
    }
}

/// The pointer that address arithmetic or a cast starts from.
pub fn source(value: Value) -> Option<Value> {
    if !value.is_instruction() {
        return None;
    }
    match value.opcode() {
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMBitCast
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMFreeze => Some(value.operand(0)),
        Opcode::LLVMIntToPtr => {
            let integer = value.operand(0);
            integer.is(Opcode::LLVMPtrToInt).then(|| integer.operand(0))
        }
        _ => None,
    }
}

fn bytes(b: &Builder, term: Term) -> Value {
    match term {
        Term::Field { offset } => b.i64().constant(offset),
        Term::Element { index, scale } | Term::VectorElement { index, scale } => {
            let index = match index.ty() == b.i64() {
                true => index,
                false => b.sign_extend(index, b.i64()),
            };
            b.multiply(index, b.i64().constant(scale))
        }
    }
}

/// A pointer as an integer of 64 bits.
pub fn address(b: &Builder, pointer: Value) -> Value {
    b.cast(Opcode::LLVMPtrToInt, pointer, b.i64())
}

/// The type of the variable at a root.
pub fn variable_type(kernel: Value, variable: Value) -> Option<Type> {
    if variable.is_global_variable() {
        return Some(variable.function_type());
    }
    if variable.is_instruction() {
        return Some(variable.allocated_type());
    }
    let parameters = kernel.parameters();
    let index = parameters.iter().position(|p| *p == variable)?;
    kernel.by_value_type(index as u32)
}
