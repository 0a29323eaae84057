//! Conditions, comparisons and logical operators.

use super::*;

impl Generator {
    /// A scalar condition of type `int`.
    pub fn condition(&mut self, depth: usize, uniform: bool) -> Expression {
        if !uniform
            && self.chance(15)
            && let Some(condition) = self.by_place()
        {
            return condition;
        }
        match self.random.u8(0..10) {
            7 if self.profile.barriers => self.expression(INT, depth, uniform),
            0..7 => {
                let ty = Type::new(self.component(), 1);
                self.comparison(ty, depth, uniform)
            }
            7 => {
                let ty = self.any_type();
                let ty = ty.with_scalar(ty.scalar.to_signed());
                let compared = if ty.width > 1 {
                    self.comparison(ty, depth, uniform)
                } else {
                    self.expression(ty, depth, uniform)
                };
                let builtin = self.pick(&[Builtin::Any, Builtin::All]);
                Expression::new(INT, Kind::Call(builtin, vec![compared]))
            }
            _ => self.expression(INT, depth, uniform),
        }
    }

    pub(super) fn choice(&mut self, ty: Type, depth: usize, uniform: bool) -> Kind {
        let condition = if ty.width > 1 && self.chance(60) {
            self.expression(ty.with_scalar(ty.scalar.to_signed()), depth, uniform)
        } else {
            self.condition(depth, uniform)
        };
        let a = self.expression(ty, depth, uniform);
        let b = self.expression(ty, depth, uniform);
        Kind::Ternary(Box::new([condition, a, b]))
    }

    fn comparison(&mut self, operand: Type, depth: usize, uniform: bool) -> Expression {
        let sign = self.pick(&Comparison::ALL);
        let operands = self.pair(operand, depth, uniform);
        Expression::new(comparison_type(operand), Kind::Compare(sign, operands))
    }

    /// A comparison or logical operator, if its result can have this type.
    pub(super) fn truth(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let result = if ty.width == 1 { INT } else { ty };
        if ty != result || !ty.scalar.signed() {
            return None;
        }
        let scalar = match (ty.width, self.random.bool()) {
            (1, _) => self.scalar(),
            (_, true) => ty.scalar,
            (_, false) => ty.scalar.to_unsigned(),
        };
        Some(match self.random.u8(0..5) {
            0 => {
                let operand = self.boxed(ty.with_scalar(scalar), depth, uniform);
                Expression::new(ty, Kind::Not(operand))
            }
            1 => {
                let and = self.random.bool();
                // clang 22 folds `&&` and `||` of constant vectors to 1 instead of -1: one operand
                // is not constant.
                let left = if ty.width > 1 {
                    self.loaded(ty, uniform)?
                } else {
                    self.expression(ty, depth, uniform)
                };
                let right = self.expression(ty, depth, uniform);
                let operands = Box::new([left, right]);
                Expression::new(ty, Kind::Logical(and, operands))
            }
            _ => {
                let real = scalar.to_real().filter(|_| self.chance_of(0, 25));
                let scalar = real.unwrap_or(scalar);
                self.comparison(ty.with_scalar(scalar), depth, uniform)
            }
        })
    }
}
