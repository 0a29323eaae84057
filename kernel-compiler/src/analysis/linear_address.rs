//! Addresses as sums of scaled values and a constant, by which those of neighbouring elements are
//! recognised.

use super::gep::{self, Term};
use super::lane_shape;
use crate::ir::{DataLayout, Opcode, Value};

/// Operations followed from an index to what it is computed from.
const MAX_DEPTH: u32 = 8;

/// Most values of a sum.
const MAX_TERMS: usize = 16;

/// How the bits of an index above those of a value are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extension {
    /// There are none, or they do not matter: addresses are modulo two to 64.
    None,
    Signed,
    Unsigned,
}

/// A base pointer, and the bytes that are added to it.
#[derive(Clone, Debug)]
pub struct LinearAddress {
    base: Value,
    /// Different values or extensions of them, with the bytes for each 1.
    terms: Vec<(Value, Extension, i64)>,
    constant: i64,
}

impl LinearAddress {
    /// Of a pointer; none if it has many terms.
    pub fn of(pointer: Value, layout: DataLayout) -> Option<Self> {
        let mut address = Self {
            base: pointer,
            terms: Vec::new(),
            constant: 0,
        };
        while address.base.is_instruction() && address.base.is(Opcode::LLVMGetElementPtr) {
            let gep = address.base;
            for term in gep::terms(gep, layout)? {
                match term {
                    Term::Field { offset } => address.add_constant(1, offset.try_into().ok()?)?,
                    Term::Element { index, scale } | Term::VectorElement { index, scale } => {
                        let extension = match index.ty() {
                            ty if !ty.is_integer() => return None,
                            ty if ty.integer_bits() < 64 => Extension::Signed,
                            _ => Extension::None,
                        };
                        address.add(index, extension, scale.try_into().ok()?, MAX_DEPTH)?;
                    }
                }
            }
            address.base = gep.operand(0);
        }
        Some(address)
    }

    /// The bytes from an address to another one; none if these are not known.
    pub fn bytes_to(&self, other: &Self) -> Option<i64> {
        let is_same = self.base == other.base
            && self.terms.len() == other.terms.len()
            && self.terms.iter().all(|term| other.terms.contains(term));
        is_same.then(|| other.constant.checked_sub(self.constant))?
    }

    fn add_constant(&mut self, constant: i64, scale: i64) -> Option<()> {
        self.constant = self.constant.checked_add(constant.checked_mul(scale)?)?;
        Some(())
    }

    /// Adds `scale` times a value.
    fn add(&mut self, value: Value, extension: Extension, scale: i64, depth: u32) -> Option<()> {
        if let Some(constant) = value.as_signed_integer() {
            let constant = match extension {
                Extension::Unsigned => value.as_integer()?.try_into().ok()?,
                _ => constant,
            };
            return self.add_constant(constant, scale);
        }
        let keeps_extension = || match extension {
            Extension::None => true,
            Extension::Signed => value.has_no_signed_wrap(),
            Extension::Unsigned => value.has_no_unsigned_wrap(),
        };
        let below = depth.checked_sub(1).filter(|_| value.is_instruction());
        match (below, below.map(|_| value.opcode())) {
            (Some(depth), Some(Opcode::LLVMAdd)) if keeps_extension() => {
                self.add(value.operand(0), extension, scale, depth)?;
                return self.add(value.operand(1), extension, scale, depth);
            }
            (Some(depth), Some(Opcode::LLVMMul | Opcode::LLVMShl)) if keeps_extension() => {
                let scaled = lane_shape::scaled_operand(value).filter(|(_, factor)| *factor > 0);
                if let Some((operand, factor)) = scaled {
                    let scale = scale.checked_mul(factor)?;
                    return self.add(value.operand(operand as u32), extension, scale, depth);
                }
            }
            (Some(depth), Some(Opcode::LLVMSExt)) if extension != Extension::Unsigned => {
                return self.add(value.operand(0), Extension::Signed, scale, depth);
            }
            (Some(depth), Some(Opcode::LLVMZExt)) => {
                return self.add(value.operand(0), Extension::Unsigned, scale, depth);
            }
            _ => {}
        }
        self.add_term(value, extension, scale)
    }

    fn add_term(&mut self, value: Value, extension: Extension, scale: i64) -> Option<()> {
        let mut terms = self.terms.iter_mut();
        match terms.find(|(of, by, _)| *of == value && *by == extension) {
            Some((_, _, sum)) => *sum = sum.checked_add(scale)?,
            None => self.terms.push((value, extension, scale)),
        }
        (self.terms.len() <= MAX_TERMS).then_some(())
    }
}
