//! Branches.

use super::*;

impl Generator {
    pub(super) fn branch(&mut self, flow: Flow, block: &mut Block) {
        let otherwise = self.chance(45);
        let counts = [self.some(), if otherwise { self.some() } else { 0 }];
        let uniform = flow.uniform && self.chance_of(80, 40);
        let condition = self.condition(2, uniform);
        if uniform {
            let entry = self.modes();
            let then = self.block(flow.nested(), counts[0]);
            let after_then = self.modes();
            self.set_modes(&entry);
            let otherwise = self.block(flow.nested(), counts[1]);
            let after_else = self.modes();
            block.push(Statement::If(condition, then, otherwise));
            let barrier = self.merge(&[after_then, after_else], flow);
            block.extend(barrier);
        } else {
            let inner = self.divergent(flow.nested());
            let then = self.block(inner, counts[0]);
            let otherwise = self.block(inner, counts[1]);
            block.push(Statement::If(condition, then, otherwise));
        }
    }

    pub(super) fn switch(&mut self, flow: Flow, block: &mut Block) {
        let uniform = flow.uniform && self.chance_of(80, 40);
        let ty = Type::new(self.pick(&[Scalar::Int, Scalar::Uint, Scalar::Long]), 1);
        let count = self.random.usize(1..=5);
        let value = if self.chance(70) {
            let mask = Expression::constant(ty, if self.random.bool() { 7 } else { 3 });
            let value = self.expression(ty, 2, uniform);
            Expression::binary(Operator::And, value, mask)
        } else {
            self.expression(ty, 2, uniform)
        };
        let mut labels: Vec<i128> = (0..8).collect();
        labels.extend([ty.scalar.min(), ty.scalar.max()]);
        labels.dedup();
        if ty.scalar == Scalar::Uint {
            // The smallest value is in the list already.
            labels.remove(8);
        }
        self.random.shuffle(&mut labels);
        let default = self.random.usize(0..count * 2);
        let entry = self.modes();
        let mut ends = vec![entry.clone()];
        let inner = Flow {
            in_switch: true,
            ..flow.nested()
        };
        let inner = if uniform {
            inner
        } else {
            self.divergent(inner)
        };
        let mut cases = Vec::new();
        for number in 0..count {
            let values = if number == default {
                Vec::new()
            } else {
                let several = self.random.usize(1..=2).min(labels.len());
                labels.drain(..several).collect()
            };
            if uniform {
                self.set_modes(&entry);
            }
            let count = self.some();
            let body = self.block(inner, count);
            ends.push(self.modes());
            let falls_through = !uniform && self.chance(30);
            cases.push(Case {
                values,
                body,
                falls_through,
            });
        }
        block.push(Statement::Switch(value, cases));
        if uniform {
            let barrier = self.merge(&ends, flow);
            block.extend(barrier);
        }
    }
}
