//! Integer division. Processors have none of vectors; doubles hold integers of 32 bits and
//! their quotients exactly enough.

use super::linearise::VectorBuilder;
use super::values::components;
use crate::ir::{Opcode, Type, Value};

/// Above 1 by more than what products of doubles are off by, and by less than what a quotient
/// of integers of 32 bits lies below the next integer, relative to it (2^-32): a quotient
/// that is an integer does not fall short of it.
const RECIPROCAL_NUMERATOR: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// Whether an instruction is a division that is done with doubles.
pub fn uses_double_division(instruction: Value) -> bool {
    let divides = matches!(
        instruction.opcode(),
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem
    );
    divides
        // LLVM multiplies then.
        && !instruction.operand(1).is_constant()
        && components(instruction.ty())
            .is_some_and(|parts| parts.iter().all(|part| part.integer_bits() <= 32))
}

impl VectorBuilder<'_> {
    /// Writes such a division.
    pub fn divide_by_doubles(&mut self, division: Value) {
        let is_signed = matches!(division.opcode(), Opcode::LLVMSDiv | Opcode::LLVMSRem);
        let is_quotient = matches!(division.opcode(), Opcode::LLVMUDiv | Opcode::LLVMSDiv);
        let divisor = division.operand(1);
        let by_one = self.shape(divisor).is_uniform();
        let dividends = self.lanes_of(division.operand(0));
        let divisors = self.lanes_of(divisor);
        let reciprocals = by_one.then(|| self.reciprocals(divisor, is_signed));
        let mut made = Vec::new();
        for (part, (&a, &b)) in dividends.iter().zip(&divisors).enumerate() {
            let quotient = match &reciprocals {
                Some(reciprocals) => {
                    let reciprocal = self.b.splat(reciprocals[part], self.width());
                    let a = self.as_doubles(a, is_signed);
                    self.b.binary(Opcode::LLVMFMul, a, reciprocal)
                }
                None => {
                    let (a, b) = (self.as_doubles(a, is_signed), self.as_doubles(b, is_signed));
                    self.b.binary(Opcode::LLVMFDiv, a, b)
                }
            };
            let back = if is_signed {
                Opcode::LLVMFPToSI
            } else {
                Opcode::LLVMFPToUI
            };
            let quotient = self.b.cast(back, quotient, a.ty());
            made.push(if is_quotient {
                quotient
            } else {
                let whole = self.b.multiply(quotient, b);
                self.b.binary(Opcode::LLVMSub, a, whole)
            });
        }
        self.define(division, made);
    }

    /// What to multiply with, for each component of a divisor of all lanes.
    fn reciprocals(&mut self, divisor: Value, is_signed: bool) -> Vec<Value> {
        let divisor = self.scalar(divisor);
        let parts = self.parts_of(divisor);
        let double = Type::double(self.b.context);
        parts
            .into_iter()
            .map(|part| {
                let part = self.b.cast(to_floating(is_signed), part, double);
                self.b
                    .binary(Opcode::LLVMFDiv, double.real(RECIPROCAL_NUMERATOR), part)
            })
            .collect()
    }

    fn as_doubles(&self, integers: Value, is_signed: bool) -> Value {
        let doubles = Type::double(self.b.context).vector(self.width());
        self.b.cast(to_floating(is_signed), integers, doubles)
    }
}

fn to_floating(is_signed: bool) -> Opcode {
    if is_signed {
        Opcode::LLVMSIToFP
    } else {
        Opcode::LLVMUIToFP
    }
}
