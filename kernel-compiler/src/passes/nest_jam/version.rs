//! Writes the version of a nest that executes several iterations of the outer loop at once.

use super::{FACTOR, Nest};
use crate::analysis::loop_mark::LoopMark;
use crate::ir::{Block, Builder, Opcode, Value};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

/// Of a φ and a block that is its predecessor by how the nest was recognised.
const COMES_FROM: &str = "control comes from the block";

/// The copies of a nest's values in its version.
struct Copies<'a> {
    nest: &'a Nest,
    b: Builder,
    /// Of those that iterations have in common.
    shared: HashMap<Value, Value>,
    /// Of the others, in each iteration.
    own: [HashMap<Value, Value>; FACTOR],
}

impl Nest {
    /// Writes the version before the nest, and has what remains follow it.
    pub fn add_version(&self) {
        let header = self.fore[0];
        let new_block = |name| header.insert_before(name);
        let [check, fore, inner, aft, end, rest] =
            ["jam", "jam.fore", "jam.inner", "jam.aft", "jam.end", "rest"].map(new_block);
        let mut copies = Copies {
            nest: self,
            b: Builder::new(header.function().ty().context()),
            shared: HashMap::new(),
            own: Default::default(),
        };
        let start = self
            .counted
            .counter
            .incoming_from(self.preheader)
            .expect(COMES_FROM);
        self.preheader.terminator().set_successor(0, check);
        copies.write_check(start, [check, fore, rest]);
        copies.write_fore(start, check, [fore, inner]);
        copies.write_inner([fore, inner, aft]);
        let (next, left) = copies.write_aft([fore, aft, end]);
        copies.write_end(left, end, rest);
        let b = &copies.b;
        b.at_end(rest);
        let begin = b.phi(start.ty(), "");
        begin.add_incoming(start, check);
        begin.add_incoming(next, end);
        b.branch(header);
        self.begin_at(begin, rest, b);
        LoopMark::Remainder.set(*self.aft.last().expect("there is the latch"));
    }

    /// Has the nest begin with a value of the counter, from a block.
    fn begin_at(&self, begin: Value, from: Block, b: &Builder) {
        let counter = self.counted.counter;
        b.before(counter);
        let phi = b.phi(counter.ty(), "");
        phi.add_incoming(begin, from);
        for (value, block) in counter.incoming() {
            if block != self.preheader {
                phi.add_incoming(value, block);
            }
        }
        counter.replace_all_uses_with(phi);
        counter.erase();
    }
}

impl Copies<'_> {
    /// Whether there are iterations enough. No number of the counter is negative then, so that it does not matter how it is
    /// compared.
    fn write_check(&mut self, start: Value, [check, fore, rest]: [Block; 3]) {
        self.b.at_end(check);
        let nest = self.nest;
        let (limit, ty) = (nest.counted.limit, start.ty());
        let mut conditions = Vec::new();
        if let Some((guard, enters)) = nest.guard {
            let guard = self.before_the_nest(guard, &mut HashMap::new());
            let entered = guard.ty().constant(u64::from(enters));
            conditions.push(self.b.compare(LLVMIntEQ, guard, entered));
        }
        let b = &self.b;
        let count = b.binary(Opcode::LLVMSub, limit, start);
        conditions.push(b.compare(LLVMIntSGT, limit, start));
        conditions.push(b.compare(LLVMIntSGE, start, ty.constant(0)));
        conditions.push(b.compare(LLVMIntUGE, count, ty.constant(FACTOR as u64)));
        let all = conditions.into_iter().reduce(|a, other| b.and(a, other));
        b.branch_if(all.expect("there are conditions"), fore, rest);
    }

    fn write_fore(&mut self, start: Value, check: Block, [fore, inner]: [Block; 2]) {
        let nest = self.nest;
        let (counter, next) = (nest.counted.counter, nest.counted.next);
        self.b.at_end(fore);
        let first = self.b.phi(start.ty(), "");
        first.add_incoming(start, check);
        let mut number = first;
        for own in &mut self.own {
            own.insert(counter, number);
            // Without a wrap that the nest would not have.
            let following = next.clone_instruction();
            following.set_operand(0, number);
            self.b.insert(following);
            own.insert(next, following);
            number = following;
        }
        for block in &nest.fore {
            self.copy_instructions(block);
        }
        self.b.branch(inner);
    }

    fn write_inner(&mut self, [fore, inner, aft]: [Block; 3]) {
        let nest = self.nest;
        self.b.at_end(inner);
        let phis = nest.inner.phis();
        for phi in &phis {
            self.for_each_copy(*phi, |this, _| this.b.phi(phi.ty(), ""));
        }
        self.copy_instructions(&nest.inner);
        for phi in phis {
            for (value, from) in phi.incoming() {
                let from = if from == nest.inner { inner } else { fore };
                for iteration in 0..self.number_of_copies(phi) {
                    let value = self.of(value, iteration);
                    self.of(phi, iteration).add_incoming(value, from);
                }
            }
        }
        let branch = nest.inner.terminator();
        let condition = self.of(branch.operand(0), 0);
        match branch.successors()[0] == nest.inner {
            true => self.b.branch_if(condition, inner, aft),
            false => self.b.branch_if(condition, aft, inner),
        };
    }

    /// Returns the counter of the next iteration, and the number of iterations that are left.
    fn write_aft(&mut self, [fore, aft, end]: [Block; 3]) -> (Value, Value) {
        let nest = self.nest;
        self.b.at_end(aft);
        for iteration in 0..FACTOR {
            let mut from = nest.inner;
            for block in &nest.aft {
                for phi in block.phis() {
                    let value = self.of(phi.incoming_from(from).expect(COMES_FROM), iteration);
                    self.own[iteration].insert(phi, value);
                }
                for instruction in block.instructions() {
                    if self.is_copied(instruction) {
                        let copy = self.copy(instruction, iteration);
                        self.own[iteration].insert(instruction, copy);
                    }
                }
                from = *block;
            }
        }
        let next = self.own[FACTOR - 1][&nest.counted.next];
        let b = &self.b;
        let left = b.binary(Opcode::LLVMSub, nest.counted.limit, next);
        let again = b.compare(LLVMIntUGE, left, next.ty().constant(FACTOR as u64));
        b.branch_if(again, fore, end);
        self.own[0][&nest.counted.counter].add_incoming(next, aft);
        (next, left)
    }

    fn write_end(&mut self, left: Value, end: Block, rest: Block) {
        let nest = self.nest;
        self.b.at_end(end);
        let is_done = self.b.compare(LLVMIntEQ, left, left.ty().constant(0));
        self.b.branch_if(is_done, nest.exit, rest);
        let latch = *nest.aft.last().expect("there is the latch");
        for phi in nest.exit.phis() {
            // It is of no value of the nest.
            phi.add_incoming(phi.incoming_from(latch).expect(COMES_FROM), end);
        }
    }

    /// Copies what a block computes.
    fn copy_instructions(&mut self, block: &Block) {
        for instruction in block.instructions() {
            if self.is_copied(instruction) {
                self.for_each_copy(instruction, |this, iteration| {
                    this.copy(instruction, iteration)
                });
            }
        }
    }

    /// The counters have copies already, and φs and branches are written anew.
    fn is_copied(&self, instruction: Value) -> bool {
        !instruction.is(Opcode::LLVMPHI)
            && !instruction.is_terminator()
            && instruction != self.nest.counted.next
    }

    /// How many copies a value of the fore blocks or the inner loop has.
    fn number_of_copies(&self, value: Value) -> usize {
        match self.nest.varying.contains(&value) {
            true => FACTOR,
            false => 1,
        }
    }

    fn for_each_copy(&mut self, value: Value, write: impl Fn(&Self, usize) -> Value) {
        for iteration in 0..self.number_of_copies(value) {
            let copy = write(self, iteration);
            match self.nest.varying.contains(&value) {
                true => self.own[iteration].insert(value, copy),
                false => self.shared.insert(value, copy),
            };
        }
    }

    fn copy(&self, instruction: Value, iteration: usize) -> Value {
        let copy = instruction.clone_instruction();
        for (index, operand) in instruction.operands().into_iter().enumerate() {
            copy.set_operand(index as u32, self.of(operand, iteration));
        }
        self.b.insert(copy);
        copy
    }

    /// What a value is in an iteration.
    fn of(&self, value: Value, iteration: usize) -> Value {
        let own = self.own[iteration].get(&value);
        let copy = own.or_else(|| self.shared.get(&value));
        copy.copied().unwrap_or(value)
    }

    /// A copy of a value that is computed before the nest.
    fn before_the_nest(&self, value: Value, copies: &mut HashMap<Value, Value>) -> Value {
        if !value.is_instruction() || !self.nest.contains(value.block()) {
            return value;
        }
        if let Some(copy) = copies.get(&value) {
            return *copy;
        }
        let copy = value.clone_instruction();
        for (index, operand) in value.operands().into_iter().enumerate() {
            copy.set_operand(index as u32, self.before_the_nest(operand, copies));
        }
        self.b.insert(copy);
        copies.insert(value, copy);
        copy
    }
}
