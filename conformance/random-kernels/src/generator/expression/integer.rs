//! Integer expressions.

use super::*;

impl Generator {
    /// An operation with an integer result; `None` if the chosen one has no result of this type.
    pub(super) fn integer(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        // The first kinds are arithmetic, comparisons and choices.
        let kinds = if self.profile.barriers { 54 } else { 100 };
        let kind = match self.random.u8(0..kinds) {
            0..22 => {
                let operator = self.pick(&[
                    Operator::Add,
                    Operator::Subtract,
                    Operator::Multiply,
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                ]);
                Kind::Binary {
                    operator,
                    plain: false,
                    operands: self.pair(ty, depth, uniform),
                }
            }
            22..28 => self.plain(ty, depth, uniform),
            28..34 => self.shift(ty, depth, uniform),
            34..39 => self.quotient(ty, depth, uniform),
            39..47 => return self.truth(ty, depth, uniform),
            47..54 => {
                if !uniform && self.chance(25) {
                    return self.guarded_load(ty);
                }
                self.choice(ty, depth, uniform)
            }
            54..60 => {
                let from = ty.with_scalar(self.component());
                if from.scalar == ty.scalar {
                    return None;
                }
                Kind::Convert {
                    saturate: self.chance(40),
                    value: self.boxed(from, depth, uniform),
                }
            }
            60..64 => self.reinterpretation(ty, depth, uniform)?,
            64..69 => self.swizzle(ty, depth, uniform)?,
            69..73 if ty.width > 1 => self.assemble(ty, depth, uniform),
            69..73 => Kind::Negate(self.boxed(ty, depth, uniform)),
            73..76 => {
                if self.random.bool() {
                    Kind::Negate(self.boxed(ty, depth, uniform))
                } else {
                    Kind::Complement(self.boxed(ty, depth, uniform))
                }
            }
            76..93 => return self.builtin(ty, depth, uniform),
            93..96 => return self.vector_load(ty, uniform),
            96..98 if !uniform => return self.guarded_load(ty),
            _ => return self.pure_call(ty, depth, uniform),
        };
        Some(Expression::new(ty, kind))
    }

    /// Signed arithmetic on numbers too small to overflow.
    fn plain(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let operator = self.pick(&[Operator::Add, Operator::Subtract, Operator::Multiply]);
        let mask = if operator == Operator::Multiply {
            (1 << (ty.scalar.bits() / 2 - 1)) - 1
        } else {
            ty.scalar.to_signed().max() >> 1
        };
        let mut small = || {
            let value = self.expression(ty, depth, uniform);
            Expression::binary(Operator::And, value, Expression::constant(ty, mask))
        };
        let operands = Box::new([small(), small()]);
        Kind::Binary {
            operator,
            // Products of `ushort` would overflow `int`.
            plain: ty.width > 1 || ty.scalar.signed() || ty.scalar.bits() >= 32,
            operands,
        }
    }

    /// A division whose divisor is not zero.
    fn quotient(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let operator = self.pick(&[Operator::Divide, Operator::Remainder]);
        let left = self.expression(ty, depth, uniform);
        if ty.width == 1 && !ty.scalar.signed() && self.chance(50) {
            // The division is guarded: compilers must not execute it speculatively.
            let divisor = self.leaf(ty, uniform);
            let quotient = Kind::Binary {
                operator,
                plain: false,
                operands: Box::new([left, divisor.clone()]),
            };
            let zero = Expression::constant(ty, 0);
            return Kind::Ternary(Box::new([
                Expression::compare(Comparison::NotEqual, divisor, zero),
                Expression::new(ty, quotient),
                self.leaf(ty, uniform),
            ]));
        }
        let value = self.expression(ty, depth, uniform);
        let mask = if ty.scalar.signed() {
            ty.scalar.max() >> self.random.u32(0..7)
        } else {
            ty.scalar.max()
        };
        let masked = Expression::binary(Operator::And, value, Expression::constant(ty, mask));
        let divisor = Expression::binary(Operator::Or, masked, Expression::constant(ty, 1));
        Kind::Binary {
            operator,
            plain: false,
            operands: Box::new([left, divisor]),
        }
    }

    fn shift(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let operator = self.pick(&[Operator::ShiftLeft, Operator::ShiftRight]);
        let left = self.expression(ty, depth, uniform);
        let amount = if ty.width == 1 {
            Type::new(self.scalar(), 1)
        } else {
            ty
        };
        let right = self.expression(amount, depth, uniform);
        Kind::Binary {
            operator,
            plain: false,
            operands: Box::new([left, right]),
        }
    }

    /// `as_type` of another type of the same size.
    fn reinterpretation(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Kind> {
        let width = self.pick(&WIDTHS);
        let scalar = self.scalar();
        let from = Type::new(scalar, width);
        let bits = |ty: Type| ty.scalar.bits() as usize * ty.width;
        if bits(from) != bits(ty) || (from.width == 3) != (ty.width == 3) || from == ty {
            return None;
        }
        Some(Kind::Reinterpret(self.boxed(from, depth, uniform)))
    }
}
