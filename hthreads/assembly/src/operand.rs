//! Operands of instructions.

use crate::control_register::ControlRegister;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An address or offset register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AddressRegister {
    /// Its number, 0 to 15. Those from 8 on are of the scalar unit.
    pub number: u8,
    /// Whether it is an offset register.
    pub is_offset: bool,
}

impl AddressRegister {
    /// Whether the vector unit addresses memory with it.
    #[inline]
    pub fn is_vector(self) -> bool {
        self.number < 8
    }

    /// Its place among all of them.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.number) + 16 * usize::from(self.is_offset)
    }
}

impl fmt::Display for AddressRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_offset { "OR" } else { "AR" };
        write!(f, "{kind}{}", self.number)
    }
}

/// What is added to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Offset {
    /// That many elements.
    Constant(u32),
    /// As many elements as an offset register says.
    Register(u8),
}

/// How an access uses its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Update {
    /// It is added to the address.
    Add,
    /// It is subtracted from the address.
    Subtract,
    /// It is added to the register after the access.
    AddAfter,
    /// It is subtracted from the register after the access.
    SubtractAfter,
}

/// The address of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The number of the address register.
    pub base: u8,
    /// The offset.
    pub offset: Offset,
    /// What the offset does.
    pub update: Update,
}

impl Memory {
    /// Whether the address register is written.
    pub fn changes_base(self) -> bool {
        matches!(self.update, Update::AddAfter | Update::SubtractAfter)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = match self.offset {
            Offset::Constant(number) => number.to_string(),
            Offset::Register(number) => format!("OR{number}"),
        };
        let base = self.base;
        match self.update {
            Update::Add if self.offset == Offset::Constant(0) => write!(f, "*AR{base}"),
            Update::Add => write!(f, "*+AR{base}[{offset}]"),
            Update::Subtract => write!(f, "*-AR{base}[{offset}]"),
            Update::AddAfter => write!(f, "*AR{base}++[{offset}]"),
            Update::SubtractAfter => write!(f, "*AR{base}--[{offset}]"),
        }
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operand {
    /// A scalar register.
    Scalar(u8),
    /// A pair of scalar registers, by the even one.
    ScalarPair(u8),
    /// A vector register.
    Vector(u8),
    /// A pair of vector registers, by the even one.
    VectorPair(u8),
    /// An address or offset register.
    Address(AddressRegister),
    /// A control register.
    Control(ControlRegister),
    /// One of SVR0 to SVR15.
    Exchange(u8),
    /// All of them.
    AllExchange,
    /// A constant.
    Constant(u64),
    /// A place of this program, by the number of the packet.
    Code(u32),
    /// The address of a symbol, by its number, and what is added.
    Symbol(u32, i64),
    /// A place in memory.
    Memory(Memory),
}

/// The condition of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predicate {
    /// The number of the register.
    pub register: u8,
    /// Whether it is a vector register, whose lanes are conditions of lanes.
    pub is_vector: bool,
    /// Whether the condition is that it is zero.
    pub is_negated: bool,
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = if self.is_negated { "!" } else { "" };
        let kind = if self.is_vector { "VR" } else { "R" };
        write!(f, "[{not}{kind}{}]", self.register)
    }
}
