//! Integer division of vectors, as a division of doubles.

use super::builder::VectorBuilder;
use crate::ir::{Opcode, Type, Value};

/// The numerator of reciprocals. It exceeds 1 by more than the rounding error of a product of
/// doubles, so that a quotient that is an integer does not fall short of it, and by less than
/// 2^-32, the relative distance of any other quotient of 32-bit integers to the next integer.
const RECIPROCAL_NUMERATOR: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

impl VectorBuilder<'_> {
    /// Writes a division for which `uses_double_division` holds.
    pub fn divide_by_doubles(&mut self, division: Value) {
        let is_signed = matches!(division.opcode(), Opcode::LLVMSDiv | Opcode::LLVMSRem);
        let is_quotient = matches!(division.opcode(), Opcode::LLVMUDiv | Opcode::LLVMSDiv);
        let divisor = division.operand(1);
        let is_uniform = self.shape(divisor).is_uniform();
        let dividends = self.vectors_of(division.operand(0));
        let divisors = self.vectors_of(divisor);
        let reciprocals = is_uniform.then(|| self.reciprocals(divisor, is_signed));
        let mut parts = Vec::new();
        for (part, (&a, &b)) in dividends.iter().zip(&divisors).enumerate() {
            let quotient = match &reciprocals {
                Some(reciprocals) => {
                    let reciprocal = self.ir().splat(reciprocals[part], self.lanes());
                    let a = self.as_doubles(a, is_signed);
                    self.ir().binary(Opcode::LLVMFMul, a, reciprocal)
                }
                None => {
                    let (a, b) = (self.as_doubles(a, is_signed), self.as_doubles(b, is_signed));
                    self.ir().binary(Opcode::LLVMFDiv, a, b)
                }
            };
            let truncate = if is_signed {
                Opcode::LLVMFPToSI
            } else {
                Opcode::LLVMFPToUI
            };
            let quotient = self.ir().cast(truncate, quotient, a.ty());
            parts.push(if is_quotient {
                quotient
            } else {
                let product = self.ir().multiply(quotient, b);
                self.ir().binary(Opcode::LLVMSub, a, product)
            });
        }
        self.define(division, parts);
    }

    /// The reciprocals of a uniform divisor's components.
    fn reciprocals(&mut self, divisor: Value, is_signed: bool) -> Vec<Value> {
        let divisor = self.scalar(divisor);
        let double = Type::double(self.ir().context);
        let reciprocal = |part: Value| {
            let part = self.ir().cast(to_floating(is_signed), part, double);
            let numerator = double.real(RECIPROCAL_NUMERATOR);
            self.ir().binary(Opcode::LLVMFDiv, numerator, part)
        };
        self.parts_of(divisor).into_iter().map(reciprocal).collect()
    }

    fn as_doubles(&self, integers: Value, is_signed: bool) -> Value {
        let doubles = Type::double(self.ir().context).vector(self.lanes());
        self.ir().cast(to_floating(is_signed), integers, doubles)
    }
}

fn to_floating(is_signed: bool) -> Opcode {
    if is_signed {
        Opcode::LLVMSIToFP
    } else {
        Opcode::LLVMUIToFP
    }
}
