//! Integers as sums of products of values, for differences in which what work-items do not share cancels out.

use crate::ir::{Builder, Opcode, Type, Value};

/// Operations followed from a value to what it is computed from.
const MAX_DEPTH: u32 = 8;

/// Most terms of a sum.
const MAX_TERMS: usize = 8;

/// Most factors of a product.
const MAX_FACTORS: usize = 2;

/// Which integer the bits of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Any of those that are the same modulo a power of two.
    Modulo,
    /// A signed number.
    Signed,
    /// An unsigned number.
    Unsigned,
}

impl Reading {
    /// Whether an operation computes the integer that the operands' are added or multiplied to.
    fn is_exact(self, operation: Value) -> bool {
        match self {
            Self::Modulo => true,
            Self::Signed => operation.has_no_signed_wrap(),
            Self::Unsigned => operation.has_no_unsigned_wrap(),
        }
    }

    /// The integer of a constant.
    fn constant(self, value: Value) -> Option<i64> {
        match self {
            Self::Modulo | Self::Signed => value.as_signed_integer(),
            Self::Unsigned => i64::try_from(value.as_integer()?).ok(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    coefficient: i64,
    factors: Vec<(Value, Reading)>,
}

impl Term {
    fn has_same_factors(&self, other: &Self) -> bool {
        let mut left: Vec<_> = other.factors.clone();
        self.factors.len() == left.len()
            && self.factors.iter().all(|factor| {
                let at = left.iter().position(|other| other == factor);
                at.map(|at| left.swap_remove(at)).is_some()
            })
    }
}

/// A sum of products of integers.
#[derive(Clone, Debug)]
pub struct Polynomial {
    terms: Vec<Term>,
}

impl Polynomial {
    /// The integer that a value is.
    pub fn of(value: Value, reading: Reading) -> Self {
        Self::follow(value, reading, MAX_DEPTH).unwrap_or_else(|| Self::atom(value, reading))
    }

    /// A constant.
    pub fn constant(coefficient: i64) -> Self {
        let term = Term {
            coefficient,
            factors: Vec::new(),
        };
        Self { terms: vec![term] }.without_zeros()
    }

    fn atom(value: Value, reading: Reading) -> Self {
        let term = Term {
            coefficient: 1,
            factors: vec![(value, reading)],
        };
        Self { terms: vec![term] }
    }

    fn without_zeros(mut self) -> Self {
        self.terms.retain(|term| term.coefficient != 0);
        self
    }

    /// The sum with `factor` times another one; none if it has too many terms.
    pub fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        for term in &other.terms {
            let more = term.coefficient.checked_mul(factor)?;
            match self.terms.iter_mut().find(|own| own.has_same_factors(term)) {
                Some(own) => own.coefficient = own.coefficient.checked_add(more)?,
                None => self.terms.push(Term {
                    coefficient: more,
                    factors: term.factors.clone(),
                }),
            }
        }
        let sum = self.without_zeros();
        (sum.terms.len() <= MAX_TERMS).then_some(sum)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self { terms: Vec::new() };
        for a in &self.terms {
            for b in &other.terms {
                let factors = [a.factors.as_slice(), &b.factors].concat();
                let term = Term {
                    coefficient: a.coefficient.checked_mul(b.coefficient)?,
                    factors,
                };
                if term.factors.len() > MAX_FACTORS {
                    return None;
                }
                product = product.plus(&Self { terms: vec![term] }, 1)?;
            }
        }
        Some(product)
    }

    fn follow(value: Value, reading: Reading, depth: u32) -> Option<Self> {
        if let Some(constant) = reading.constant(value) {
            return Some(Self::constant(constant));
        }
        if depth == 0 || !value.is_instruction() {
            return None;
        }
        let read = |index: u32, reading| {
            let operand = value.operand(index);
            Self::follow(operand, reading, depth - 1)
                .unwrap_or_else(|| Self::atom(operand, reading))
        };
        let operand = |index| read(index, reading);
        match value.opcode() {
            Opcode::LLVMAdd if reading.is_exact(value) => operand(0).plus(&operand(1), 1),
            Opcode::LLVMOr if value.is_disjoint() => operand(0).plus(&operand(1), 1),
            Opcode::LLVMSub if reading.is_exact(value) => operand(0).plus(&operand(1), -1),
            Opcode::LLVMMul if reading.is_exact(value) => operand(0).times(&operand(1)),
            Opcode::LLVMShl if reading.is_exact(value) => {
                let factor = 1i64.checked_shl(value.operand(1).as_integer()?.try_into().ok()?)?;
                operand(0).times(&Self::constant(factor))
            }
            // A number that is not negative is the same in both readings.
            Opcode::LLVMZExt if value.is_of_not_negative() => Some(read(0, Reading::Signed)),
            Opcode::LLVMZExt => Some(read(0, Reading::Unsigned)),
            Opcode::LLVMSExt => Some(read(0, Reading::Signed)),
            Opcode::LLVMTrunc if reading.is_exact(value) => Some(operand(0)),
            _ => None,
        }
    }

    /// The values in it.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let factors = self.terms.iter().flat_map(|term| &term.factors);
        factors.map(|(value, _)| *value)
    }

    /// Computes it as a number of a type, modulo a power of two.
    pub fn compute(&self, b: &Builder, ty: Type) -> Value {
        let converted = |&(value, reading): &(Value, Reading)| match (
            value.ty().integer_bits(),
            ty.integer_bits(),
        ) {
            (has, wanted) if has > wanted => b.truncate(value, ty),
            (has, wanted) if has == wanted => value,
            _ if reading == Reading::Signed => b.sign_extend(value, ty),
            _ => b.zero_extend(value, ty),
        };
        let terms = self.terms.iter().map(|term| {
            let coefficient = ty.constant(term.coefficient as u64);
            let factors = term.factors.iter().map(converted);
            match factors.reduce(|product, factor| b.multiply(product, factor)) {
                Some(product) if term.coefficient == 1 => product,
                Some(product) => b.multiply(product, coefficient),
                None => coefficient,
            }
        });
        let sum = terms.reduce(|sum, term| b.add(sum, term));
        sum.unwrap_or_else(|| ty.zero())
    }
}
