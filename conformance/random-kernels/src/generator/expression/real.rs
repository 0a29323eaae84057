//! Floating-point expressions.

use super::*;

impl Generator {
    /// An operation with a floating-point result; `None` if the chosen one has no result of this type.
    pub(super) fn real(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let kind = match self.random.u8(0..100) {
            0..35 => {
                let operator = self.pick(&[Operator::Add, Operator::Subtract, Operator::Multiply]);
                Kind::Binary {
                    operator,
                    plain: false,
                    operands: self.pair(ty, depth, uniform),
                }
            }
            35..45 => self.choice(ty, depth, uniform),
            45..55 => {
                let from = ty.with_scalar(self.component());
                if from.scalar == ty.scalar {
                    return None;
                }
                Kind::Convert {
                    saturate: false,
                    value: self.boxed(from, depth, uniform),
                }
            }
            55..63 => {
                let builtin = self.pick(&[
                    Builtin::Fabs,
                    Builtin::Floor,
                    Builtin::Ceil,
                    Builtin::Rint,
                    Builtin::Trunc,
                ]);
                Kind::Call(builtin, vec![self.expression(ty, depth, uniform)])
            }
            63..68 => {
                let mut operand = || self.expression(ty, depth, uniform);
                Kind::Call(Builtin::Fma, vec![operand(), operand(), operand()])
            }
            68..71 => {
                let value = self.expression(ty, depth, uniform);
                let divisors = (0..ty.width).map(|_| self.random.i32(1..50).into());
                let divisors = Expression::new(ty, Kind::Constant(divisors.collect()));
                Kind::Call(Builtin::Fmod, vec![value, divisors])
            }
            71..76 => self.swizzle(ty, depth, uniform)?,
            76..80 if ty.width > 1 => self.assemble(ty, depth, uniform),
            80..92 => return self.builtin(ty, depth, uniform),
            92..95 => return self.vector_load(ty, uniform),
            95..98 if !uniform => return self.guarded_load(ty),
            _ => return self.pure_call(ty, depth, uniform),
        };
        Some(Expression::new(ty, kind))
    }
}
