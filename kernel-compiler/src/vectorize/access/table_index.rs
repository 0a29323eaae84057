//! Accesses to a table by numbers of up to 32 bits: `table[number]`. Lanes differ only in the number, of which a register
//! holds twice as many as of addresses.

use super::AccessKind;
use crate::analysis::gep::{self, Term};
use crate::ir::{Opcode, Value};
use crate::vectorize::instruction_queries::pointer_of;
use crate::vectorize::plan::VectorPlan;
use std::collections::HashSet;

/// Most operations between a number and an address.
const MAX_OPERATIONS: usize = 8;

/// The address of each lane's element: that of the table, and of that many bytes further on for each 1 of the lane's number.
pub struct TableIndex {
    /// The uniform address that the lanes' indices start from.
    pub table: Value,
    /// Uniform numbers of 64 bits or less, signed, that all lanes' indices have in common, each with the bytes for 1.
    pub offsets: Vec<(Value, i64)>,
    /// Bytes that all lanes have in common.
    pub constant: i64,
    pub number: TableNumber,
}

/// A number that lanes have each their own of.
#[derive(Clone, Copy)]
pub struct TableNumber {
    /// An integer of 8, 16 or 32 bits.
    pub value: Value,
    pub range: NumberRange,
    /// Bytes for each 1.
    pub scale: i64,
}

/// What numbers the bits of a lane's integer mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NumberRange {
    Signed,
    Unsigned,
    /// Signed and unsigned are the same.
    NotNegative,
}

impl TableIndex {
    /// The values that addresses are computed from.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let offsets = self.offsets.iter().map(|(offset, _)| *offset);
        [self.table, self.number.value].into_iter().chain(offsets)
    }
}

impl VectorPlan<'_> {
    /// The values that the addresses of other blocks' gathers and scatters are computed from.
    pub fn values_of_table_indices(&self) -> HashSet<Value> {
        let accesses = self
            .instructions()
            .filter(|access| access.is(Opcode::LLVMLoad) || access.is(Opcode::LLVMStore))
            .filter(|access| self.access_kind(*access) == AccessKind::GatherScatter);
        accesses
            .flat_map(|access| {
                let index = self.table_index(pointer_of(access));
                let values: Vec<Value> = index.iter().flat_map(TableIndex::values).collect();
                values
                    .into_iter()
                    .filter(move |value| value.is_instruction() && value.block() != access.block())
            })
            .collect()
    }

    /// The table and the numbers of a pointer that has a value of its own in each lane.
    pub fn table_index(&self, pointer: Value) -> Option<TableIndex> {
        let mut index = TableSearch {
            plan: self,
            table: pointer,
            offsets: Vec::new(),
            constant: 0,
            number: None,
        };
        index.follow_pointer()?;
        Some(TableIndex {
            table: index.table,
            offsets: index.offsets,
            constant: index.constant,
            number: index.number?,
        })
    }
}

/// What is known of an address so far.
struct TableSearch<'a> {
    plan: &'a VectorPlan<'a>,
    table: Value,
    offsets: Vec<(Value, i64)>,
    constant: i64,
    number: Option<TableNumber>,
}

impl TableSearch<'_> {
    /// Follows a pointer to a uniform one.
    fn follow_pointer(&mut self) -> Option<()> {
        for _ in 0..MAX_OPERATIONS {
            let gep = self.table;
            if self.plan.shape(gep).is_uniform() {
                return Some(());
            }
            if !gep.is_instruction() || !gep.is(Opcode::LLVMGetElementPtr) {
                return None;
            }
            for term in gep::terms(gep, self.plan.layout())? {
                match term {
                    Term::Field { offset } => self.add_constant(1, offset.try_into().ok()?)?,
                    Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                        self.follow_index(index, scale.try_into().ok()?)?;
                    }
                }
            }
            self.table = gep.operand(0);
        }
        None
    }

    /// Follows an index to the number that it is computed from.
    fn follow_index(&mut self, mut index: Value, mut scale: i64) -> Option<()> {
        for _ in 0..MAX_OPERATIONS {
            if let Some(constant) = index.as_signed_integer() {
                return self.add_constant(constant, scale);
            }
            if !index.ty().is_integer() {
                return None;
            }
            if self.plan.shape(index).is_uniform() {
                self.offsets.push((index, scale));
                return Some(());
            }
            if index.ty().integer_bits() == u32::BITS {
                return self.set_number(index, NumberRange::Signed, scale);
            }
            let opcode = Some(index.opcode()).filter(|_| index.is_instruction())?;
            let uniform = |operand: u32| self.plan.shape(index.operand(operand)).is_uniform();
            match opcode {
                Opcode::LLVMSExt => {
                    return self.set_number(index.operand(0), NumberRange::Signed, scale);
                }
                Opcode::LLVMZExt if index.is_of_not_negative() => {
                    return self.set_number(index.operand(0), NumberRange::NotNegative, scale);
                }
                Opcode::LLVMZExt => {
                    return self.set_number(index.operand(0), NumberRange::Unsigned, scale);
                }
                Opcode::LLVMAdd if uniform(1) => {
                    self.follow_index(index.operand(1), scale)?;
                    index = index.operand(0);
                }
                Opcode::LLVMAdd if uniform(0) => {
                    self.follow_index(index.operand(0), scale)?;
                    index = index.operand(1);
                }
                Opcode::LLVMSub if uniform(1) => {
                    self.follow_index(index.operand(1), scale.checked_neg()?)?;
                    index = index.operand(0);
                }
                Opcode::LLVMMul if let Some(factor) = index.operand(1).as_signed_integer() => {
                    scale = scale.checked_mul(factor)?;
                    index = index.operand(0);
                }
                Opcode::LLVMShl if let Some(bits @ 0..31) = index.operand(1).as_integer() => {
                    scale = scale.checked_mul(1 << bits)?;
                    index = index.operand(0);
                }
                _ => return None,
            }
        }
        None
    }

    fn add_constant(&mut self, constant: i64, scale: i64) -> Option<()> {
        self.constant = self.constant.checked_add(constant.checked_mul(scale)?)?;
        Some(())
    }

    /// An address has one number.
    fn set_number(&mut self, value: Value, range: NumberRange, scale: i64) -> Option<()> {
        let is_of_size =
            value.ty().is_integer() && matches!(value.ty().integer_bits(), 8 | 16 | 32);
        if self.number.is_some() || !is_of_size || !value.is_instruction() {
            return None;
        }
        self.number = Some(TableNumber {
            value,
            range,
            scale,
        });
        Some(())
    }
}
