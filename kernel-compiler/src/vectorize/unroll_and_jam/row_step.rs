//! How much values change from one row to the next, where code may rely on it. Unlike `iteration_step`,
//! which the cost models use, it takes into account where values may wrap.

use crate::analysis::gep::{self, Term};
use crate::ir::{DataLayout, Opcode, Value};
use std::collections::HashSet;

/// Operations followed from a value to what it is computed from.
const MAX_DEPTH: u32 = 24;

/// The integers whose difference is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Those that a value has modulo two to the power of its bits.
    Modular,
    /// A value as a signed number: no operation that it is computed by may wrap.
    Signed,
    /// The same as an unsigned number.
    Unsigned,
}

/// The values of a loop over rows.
pub struct RowSteps<'a> {
    /// The φ that counts rows from 0.
    pub induction: Value,
    /// Values that differ between rows.
    pub varies_by_row: &'a HashSet<Value>,
    pub layout: DataLayout,
}

impl RowSteps<'_> {
    /// The bytes from a row's address to the next row's; none if these may differ between rows.
    pub fn of_address(&self, pointer: Value) -> Option<i64> {
        self.follow(pointer, Reading::Modular, MAX_DEPTH)
    }

    fn follow(&self, value: Value, reading: Reading, depth: u32) -> Option<i64> {
        if !self.varies_by_row.contains(&value) {
            return Some(0);
        }
        if value == self.induction {
            return Some(1);
        }
        let depth = depth.checked_sub(1)?;
        let of = |index: u32, reading: Reading| self.follow(value.operand(index), reading, depth);
        let constant = |index: u32| value.operand(index).as_signed_integer();
        let keeps_reading = || match reading {
            Reading::Modular => true,
            Reading::Signed => value.has_no_signed_wrap(),
            Reading::Unsigned => value.has_no_unsigned_wrap(),
        };
        match value.opcode() {
            Opcode::LLVMAdd if keeps_reading() => of(0, reading)?.checked_add(of(1, reading)?),
            Opcode::LLVMOr if value.is_disjoint() => of(0, reading)?.checked_add(of(1, reading)?),
            Opcode::LLVMSub if keeps_reading() => of(0, reading)?.checked_sub(of(1, reading)?),
            Opcode::LLVMMul if keeps_reading() => {
                let is_read = |factor: &i64| *factor >= 0 || reading != Reading::Unsigned;
                of(0, reading)?.checked_mul(constant(1).filter(is_read)?)
            }
            Opcode::LLVMShl if keeps_reading() => {
                let factor = 1i64.checked_shl(constant(1)?.try_into().ok()?)?;
                of(0, reading)?.checked_mul(factor)
            }
            Opcode::LLVMTrunc if reading == Reading::Modular => of(0, reading),
            Opcode::LLVMSExt if reading != Reading::Unsigned => of(0, Reading::Signed),
            // A number that is not negative is the same in both readings.
            Opcode::LLVMZExt => of(0, Reading::Unsigned)
                .or_else(|| value.is_of_not_negative().then(|| of(0, Reading::Signed))?),
            Opcode::LLVMGetElementPtr => {
                let mut step = of(0, reading)?;
                for term in gep::terms(value, self.layout)? {
                    if let Term::Element { index, scale } | Term::VectorElement { index, scale } =
                        term
                    {
                        // Narrower ones are extended.
                        let reading = match index.ty().integer_bits() {
                            64 => Reading::Modular,
                            _ => Reading::Signed,
                        };
                        let index = self.follow(index, reading, depth)?;
                        step = step.checked_add(index.checked_mul(scale.try_into().ok()?)?)?;
                    }
                }
                Some(step)
            }
            _ => None,
        }
    }
}
