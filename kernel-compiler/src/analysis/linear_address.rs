//! Addresses as sums of scaled values and a constant, from which the distance of two addresses follows, or
//! that of one in two iterations. Where values may wrap, the sum has them as they are.

use super::gep::{self, Term};
use super::lane_shape;
use crate::ir::{DataLayout, Opcode, Value};

/// Most operations that the indices of an address are followed through.
const MAX_OPERATIONS: u32 = 64;

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
        let mut operations = 0;
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
                        address.add(index, extension, scale.try_into().ok()?, &mut operations)?;
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

    /// By how many bytes an address grows where its values grow by the numbers that `growth` gives; none
    /// if that of one of them is not known.
    pub fn growth(&self, growth: impl Fn(Value) -> Option<i64>) -> Option<i64> {
        let of_term =
            |(value, _, scale): &(Value, Extension, i64)| growth(*value)?.checked_mul(*scale);
        let terms = self.terms.iter().map(of_term);
        std::iter::once(growth(self.base))
            .chain(terms)
            .try_fold(0i64, |sum, term| sum.checked_add(term?))
    }

    fn add_constant(&mut self, constant: i64, scale: i64) -> Option<()> {
        self.constant = self.constant.checked_add(constant.checked_mul(scale)?)?;
        Some(())
    }

    /// Adds `scale` times a value. Counts the operations that it follows.
    fn add(
        &mut self,
        value: Value,
        extension: Extension,
        scale: i64,
        operations: &mut u32,
    ) -> Option<()> {
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
        let opcode = value.is_instruction().then(|| value.opcode());
        let Some(opcode) = opcode.filter(|_| *operations < MAX_OPERATIONS) else {
            return self.add_term(value, extension, scale);
        };
        *operations += 1;
        let mut add = |index: u32, extension, factor: i64| {
            let scale = scale.checked_mul(factor)?;
            self.add(value.operand(index), extension, scale, operations)
        };
        match opcode {
            Opcode::LLVMAdd if keeps_extension() => {
                add(0, extension, 1)?;
                add(1, extension, 1)
            }
            Opcode::LLVMOr if value.is_disjoint() => {
                add(0, extension, 1)?;
                add(1, extension, 1)
            }
            Opcode::LLVMSub if keeps_extension() => {
                add(0, extension, 1)?;
                add(1, extension, -1)
            }
            Opcode::LLVMMul | Opcode::LLVMShl
                if keeps_extension()
                    && let Some((operand, factor)) = lane_shape::scaled_operand(value)
                    && (factor > 0 || extension != Extension::Unsigned) =>
            {
                add(operand as u32, extension, factor)
            }
            Opcode::LLVMSExt if extension != Extension::Unsigned => add(0, Extension::Signed, 1),
            // A number that is not negative is the same in both readings.
            Opcode::LLVMZExt
                if value.is_of_not_negative() && wraps_as_unsigned_only(value.operand(0)) =>
            {
                add(0, Extension::Signed, 1)
            }
            Opcode::LLVMZExt => add(0, Extension::Unsigned, 1),
            _ => self.add_term(value, extension, scale),
        }
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

/// Whether an operation may wrap as an unsigned number, and not as a signed one.
fn wraps_as_unsigned_only(value: Value) -> bool {
    let is_arithmetic = value.is_instruction()
        && matches!(
            value.opcode(),
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl
        );
    is_arithmetic && value.has_no_signed_wrap() && !value.has_no_unsigned_wrap()
}
