//! Expressions of a given type.

mod builtin;
mod condition;
mod integer;
mod memory;
mod real;
mod vector;

use super::*;
use crate::types::ULONG;

impl Generator {
    fn work_item(&mut self, uniform: bool) -> Expression {
        let functions: &[WorkItem] = if uniform {
            &[
                WorkItem::GroupId,
                WorkItem::GlobalSize,
                WorkItem::LocalSize,
                WorkItem::NumGroups,
                WorkItem::GlobalOffset,
            ]
        } else {
            &[
                WorkItem::GlobalId,
                WorkItem::GlobalId,
                WorkItem::LocalId,
                WorkItem::LocalId,
                WorkItem::GroupId,
                WorkItem::LocalSize,
            ]
        };
        let function = self.pick(functions);
        let dimension = if !self.profile.barriers && self.chance(5) {
            self.index(5, 1, uniform)
        } else {
            let dimension = self.random.usize(0..self.geometry.local.len());
            Expression::constant(UINT, dimension as i128)
        };
        Expression::new(ULONG, Kind::WorkItem(function, Box::new(dimension)))
    }

    /// An expression without operands.
    fn leaf(&mut self, ty: Type, uniform: bool) -> Expression {
        match self.random.u8(0..10) {
            0..7 => {
                if let Some(value) = self.loaded(ty, uniform) {
                    return value;
                }
            }
            7 if ty.width == 1 => return self.work_item(uniform).convert(ty.scalar),
            _ => {}
        }
        let values = self.constant_values(ty);
        Expression::new(ty, Kind::Constant(values))
    }

    /// A value of this type. If `uniform`, it is the same for all work-items of the group.
    pub fn expression(&mut self, ty: Type, depth: usize, uniform: bool) -> Expression {
        let uniform = uniform || self.pure;
        let depth = if self.profile.barriers {
            depth.min(2)
        } else {
            depth
        };
        if depth == 0 || self.chance(20) {
            return self.leaf(ty, uniform);
        }
        let depth = depth - 1;
        for _ in 0..8 {
            let value = if ty.scalar.is_real() {
                self.real(ty, depth, uniform)
            } else {
                self.integer(ty, depth, uniform)
            };
            if let Some(value) = value {
                return value;
            }
        }
        self.leaf(ty, uniform)
    }

    fn boxed(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<Expression> {
        Box::new(self.expression(ty, depth, uniform))
    }

    /// Two operands of a binary operator.
    fn pair(&mut self, ty: Type, depth: usize, uniform: bool) -> Box<[Expression; 2]> {
        let left = self.expression(ty, depth, uniform);
        let right = if ty.width > 1 && self.chance(15) {
            // A scalar for all components.
            let scalar = self.boxed(Type::new(ty.scalar, 1), depth, uniform);
            Expression::new(ty, Kind::Splat(scalar))
        } else {
            self.expression(ty, depth, uniform)
        };
        Box::new([left, right])
    }

    /// A call of a pure helper with a result of this type.
    fn pure_call(&mut self, ty: Type, depth: usize, uniform: bool) -> Option<Expression> {
        let helpers: Vec<usize> = (0..self.signatures.len())
            .filter(|&helper| {
                let signature = &self.signatures[helper];
                signature.kind == HelperKind::Pure && signature.result == Some(Shape::Value(ty))
            })
            .collect();
        if helpers.is_empty() {
            return None;
        }
        let helper = self.pick(&helpers);
        let mut arguments = Vec::new();
        for parameter in self.signatures[helper].parameters.clone() {
            let Parameter::Value(ty) = parameter else {
                return None;
            };
            arguments.push(self.expression(ty, depth.min(1), uniform));
        }
        Some(Expression::new(ty, Kind::Helper(helper, arguments)))
    }
}
