//! Loads and stores, and whether two of them may access the same memory.

use super::addressing::address::{self, Root};
use super::addressing::objects::Addressing;
use super::addressing::space::Space;
use super::code::Code;
use crate::ir::{Opcode, Type, Value};

/// A load or a store.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// One address, or a vector of addresses.
    pub pointer: Value,
    /// The value stored; none for loads.
    pub stored: Option<Value>,
    /// The type loaded or stored.
    pub ty: Type,
}

impl Access {
    /// The access of an instruction; none if it is neither a load nor a store.
    pub fn recognize(instruction: Value) -> Option<Self> {
        match instruction.opcode() {
            Opcode::LLVMLoad => Some(Self {
                pointer: instruction.operand(0),
                stored: None,
                ty: instruction.ty(),
            }),
            Opcode::LLVMStore => Some(Self {
                pointer: instruction.operand(1),
                stored: Some(instruction.operand(0)),
                ty: instruction.operand(0).ty(),
            }),
            Opcode::LLVMCall => {
                let name = instruction.called_function()?.name();
                let kind = name.strip_prefix("llvm.masked.")?;
                let stores = ["store", "scatter", "compressstore"]
                    .iter()
                    .any(|start| kind.starts_with(start));
                let stored = stores.then(|| instruction.operand(0));
                Some(Self {
                    pointer: instruction.operand(u32::from(stores)),
                    stored,
                    ty: stored.unwrap_or(instruction).ty(),
                })
            }
            _ => None,
        }
    }

    /// The value that `instruction`, whose access this is, loads or stores.
    pub fn data(&self, instruction: Value) -> Value {
        self.stored.unwrap_or(instruction)
    }
}

impl Code<'_> {
    /// The memory that an access touches. In device C vectors are in AM, wherever they are derived
    /// from: the lanes access nothing else.
    pub fn space_of(&self, access: &Access, instruction: Value) -> Space {
        let space = self.space(access.pointer);
        let is_device_c = matches!(self.addressing(), Addressing::Objects(_));
        match space {
            Space::Outside(_) | Space::Sm
                if is_device_c && self.is_of_lanes(access.data(instruction)) =>
            {
                Space::Am
            }
            _ => space,
        }
    }
}

/// The memory that an access touches.
#[derive(Clone, Debug)]
pub struct Location {
    space: Space,
    root: Root,
    sum: address::Sum,
    /// The address, or the vector of addresses.
    pub pointer: Value,
    /// Size of the access.
    pub bytes: i64,
    /// Whether each lane has an address of its own.
    is_gathered: bool,
}

impl Location {
    /// The `bytes` at `pointer`.
    pub fn new(code: &Code<'_>, pointer: Value, bytes: u64) -> Self {
        let (space, root) = match (code.addressing(), code.root(pointer)) {
            (Addressing::AddressSpaces, root) => (code.space(pointer), root),
            // Parameters may point to the same object, in any memory.
            (Addressing::Objects(_), Root::Parameter(_)) => (Space::Private, Root::Other),
            (Addressing::Objects(_), root) => (Space::Private, root),
        };
        Self {
            space,
            root,
            sum: address::sum(pointer, code.layout),
            pointer,
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            is_gathered: pointer.ty().is_vector(),
        }
    }

    /// The distance in bytes from the start of `other` to the start of this location, if it is a
    /// constant.
    pub fn distance_from(&self, other: &Self) -> Option<i64> {
        let is_constant = !self.is_gathered
            && !other.is_gathered
            && self.space == other.space
            && self.sum.base == other.sum.base
            && self.sum.terms == other.sum.terms;
        is_constant.then(|| self.sum.offset.saturating_sub(other.sum.offset))
    }

    /// Whether two accesses may overlap within one iteration of a loop.
    pub fn may_overlap(&self, other: &Self) -> bool {
        match self.distance_from(other) {
            Some(distance) => distance < other.bytes && -distance < self.bytes,
            None => self.may_alias(other),
        }
    }

    /// Whether two accesses may overlap in any two iterations. Different kernel arguments are taken
    /// to be different buffers.
    pub fn may_alias(&self, other: &Self) -> bool {
        if self.space != other.space {
            return false;
        }
        match (self.root, other.root) {
            (Root::Other, _) | (_, Root::Other) => true,
            (a, b) => a == b,
        }
    }
}
