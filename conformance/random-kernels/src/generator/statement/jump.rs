//! `goto`, and exits from loops and functions.

use super::repetition::LoopFrame;
use super::*;

impl Generator {
    /// A forward `goto`, a loop made of one, or one into the middle of a loop.
    pub(super) fn go(&mut self, flow: Flow, block: &mut Block) {
        self.labels += 1;
        let label = self.labels;
        let count = self.some();
        match self.random.u8(0..10) {
            0..5 => self.forward_goto(label, count, flow, block),
            5..8 if flow.rounds < MOST_ROUNDS => self.backward_goto(label, count, flow, block),
            _ if flow.rounds < MOST_ROUNDS && !self.profile.reducible => {
                self.goto_into_loop(label, count, flow, block);
            }
            _ => {}
        }
    }

    /// A conditional `goto` over `count` statements.
    fn forward_goto(&mut self, label: Label, count: usize, flow: Flow, block: &mut Block) {
        let uniform = flow.uniform && self.chance_of(80, 40);
        let condition = self.condition(2, uniform);
        let jump = vec![Statement::Goto(label)];
        block.push(Statement::If(condition, jump, Vec::new()));
        let entry = self.modes();
        let inner = if uniform {
            flow.nested()
        } else {
            self.divergent(flow.nested())
        };
        let skipped = self.block(inner, count);
        block.push(Statement::Block(skipped));
        block.push(Statement::Label(label));
        if uniform {
            let end = self.modes();
            let barrier = self.merge(&[entry, end], flow);
            block.extend(barrier);
        }
    }

    /// A loop of `count` statements that ends with a conditional `goto` to its start.
    fn backward_goto(&mut self, label: Label, count: usize, flow: Flow, block: &mut Block) {
        let names = self.scope.len();
        let group = flow.uniform && self.chance_of(80, 50);
        let trips = self.random.usize(1..=4);
        let mut inner = Flow {
            enclosing: None,
            in_group_loop: flow.in_group_loop || group,
            rounds: flow.rounds * trips,
            escape: None,
            ..flow.nested()
        };
        if !group {
            inner = self.divergent(inner);
        }
        let frame = LoopFrame {
            group,
            trips,
            flow: inner,
            entry: self.modes(),
            barriers: self.barriers,
        };
        let counter = self.counter(group || self.pure, block);
        let mut body = vec![Self::counted(counter)];
        body.extend(self.block(inner, count));
        self.close(&frame, &mut body);
        let hidden = std::mem::replace(&mut self.hide_shared, group);
        let condition = self.again(counter, trips, group);
        self.hide_shared = hidden;
        block.push(Statement::Label(label));
        block.push(Statement::Block(body));
        let jump = vec![Statement::Goto(label)];
        block.push(Statement::If(condition, jump, Vec::new()));
        self.scope.truncate(names);
    }

    /// A conditional `goto` into the middle of a `while`: the control flow is irreducible.
    fn goto_into_loop(&mut self, label: Label, count: usize, flow: Flow, block: &mut Block) {
        let names = self.scope.len();
        let trips = self.random.usize(1..=4);
        let inner = self.divergent(Flow {
            enclosing: Some(LoopKind::Free),
            in_switch: false,
            escape: None,
            rounds: flow.rounds * trips,
            ..flow.nested()
        });
        let condition = self.condition(2, false);
        let counter = self.counter(self.pure, block);
        let jump = vec![Statement::Goto(label)];
        block.push(Statement::If(condition, jump, Vec::new()));
        let again = self.again(counter, trips, false);
        let first = self.block(inner, count);
        let count = self.some();
        let second = self.block(inner, count);
        let body = vec![
            Self::counted(counter),
            Statement::Block(first),
            Statement::Label(label),
            Statement::Block(second),
        ];
        block.push(Statement::While(again, body));
        self.scope.truncate(names);
    }

    /// `break`, `continue`, `return` or `goto` on a condition.
    pub(super) fn leave(&mut self, flow: Flow, block: &mut Block) {
        let uniform = flow.uniform && (self.pure || self.chance_of(85, 50));
        let mut jumps = Vec::new();
        let leaves_loop = match flow.enclosing {
            Some(LoopKind::Free) => true,
            Some(LoopKind::Group) => uniform,
            None => false,
        };
        if leaves_loop {
            jumps.push(Statement::Continue);
            if !flow.in_switch {
                jumps.push(Statement::Break);
            }
        }
        if let Some(label) = flow.escape {
            jumps.push(Statement::Goto(label));
        }
        let mut jump_body = Vec::new();
        if jumps.is_empty() || self.chance(20) {
            // All work-items must reach a barrier after a return: either all return, or no barrier
            // follows. The callers of a helper depend on its modes at the end.
            let allowed = if uniform {
                !self.group_function || self.signatures_end_freely()
            } else {
                !flow.in_group_loop
            };
            if !allowed || (self.group_function && flow.uniform && self.chance(60)) {
                return;
            }
            let returned = match self.result.clone() {
                None => Some(Statement::Return(None)),
                Some(Shape::Value(ty)) => {
                    Some(Statement::Return(Some(self.expression(ty, 2, false))))
                }
                Some(shape) => self
                    .objects(&shape, false, self.pure)
                    .map(Statement::ReturnObject),
            };
            let Some(returned) = returned else {
                return;
            };
            let condition = self.condition(2, uniform);
            if !uniform {
                self.returned = true;
            }
            block.push(Statement::If(condition, vec![returned], Vec::new()));
            return;
        }
        let condition = self.condition(2, uniform);
        if flow.enclosing == Some(LoopKind::Group) && self.barrier_allowed(flow) {
            // The code after the loop, and the next iteration, may use all arrays.
            let modes = self.modes();
            let barrier = self.barrier();
            jump_body.push(barrier);
            self.set_modes(&modes);
        }
        jump_body.push(self.pick(&jumps));
        block.push(Statement::If(condition, jump_body, Vec::new()));
    }

    /// Whether the function may end with any modes, as the kernel may.
    pub(super) fn signatures_end_freely(&self) -> bool {
        self.item.is_some()
    }
}
