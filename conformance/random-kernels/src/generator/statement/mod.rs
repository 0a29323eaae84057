//! Statements.

mod assignment;
mod branch;
mod call;
mod declaration;
mod group;
mod jump;
mod repetition;

use super::shared::{any_kind, like};
use super::*;

/// Maximum number of iterations of all enclosing loops together; no loop is added beyond it.
const MOST_ROUNDS: usize = 60;

impl Flow {
    /// The control flow at the start of a function.
    pub fn start(uniform: bool) -> Self {
        Self {
            uniform,
            enclosing: None,
            in_switch: false,
            in_group_loop: false,
            escape: None,
            depth: 4,
            rounds: 1,
        }
    }

    pub fn nested(self) -> Self {
        Self {
            depth: self.depth - 1,
            ..self
        }
    }
}

impl Generator {
    /// The control flow in a divergent branch.
    pub fn divergent(&self, flow: Flow) -> Flow {
        Flow {
            uniform: self.pure && flow.uniform,
            ..flow
        }
    }

    /// A block of `count` statements with its own scope.
    pub fn block(&mut self, flow: Flow, count: usize) -> Block {
        let names = self.scope.len();
        let mut block = Vec::new();
        self.statements(flow, count, &mut block);
        self.scope.truncate(names);
        block
    }

    pub fn statements(&mut self, flow: Flow, count: usize, block: &mut Block) {
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(flow, block);
        }
    }

    fn some(&mut self) -> usize {
        self.random.usize(1..=4)
    }

    fn statement(&mut self, flow: Flow, block: &mut Block) {
        // A third of the statements show the profile's features, where that is possible.
        if self.profile.barriers && self.chance(35) {
            match self.random.u8(0..100) {
                0..35 if self.barrier_allowed(flow) => {
                    let barrier = self.barrier();
                    block.push(barrier);
                }
                35..55 if flow.depth > 0 => self.branch(flow, block),
                55..65 if flow.depth > 0 => self.switch(flow, block),
                65..85 if flow.depth > 0 && flow.rounds < MOST_ROUNDS => self.repeat(flow, block),
                85..93 => self.call(flow, block),
                _ => self.exchange(flow, block),
            }
            return;
        }
        match self.random.u8(0..100) {
            0..14 => self.declare_value(flow, block),
            14..19 => self.declare_object(flow, block),
            19..22 => self.declare_pointer(block),
            22..39 => self.assign(flow, block),
            39..42 => self.accumulate(flow, block),
            42..45 => self.guarded_statements(flow, block),
            45..46 => self.fence(block),
            46..49 => self.vector_store(block),
            49..57 if flow.depth > 0 => self.branch(flow, block),
            57..60 if flow.depth > 0 => self.switch(flow, block),
            60..70 if flow.depth > 0 && flow.rounds < MOST_ROUNDS => self.repeat(flow, block),
            70..74 if flow.depth > 0 => self.go(flow, block),
            74..79 => self.leave(flow, block),
            79..84 if self.barrier_allowed(flow) => {
                let barrier = self.barrier();
                block.push(barrier);
            }
            84..87 => self.leader(flow, block),
            87..90 => self.atomic(flow, block),
            90..92 => self.ticket(flow, block),
            92..94 => self.group_copy(flow, block),
            94..99 => self.call(flow, block),
            _ => self.assign(flow, block),
        }
    }
}
