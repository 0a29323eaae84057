//! What has no form with vectors: one lane after the other.

use super::linearise::VectorBuilder;
use super::values::components;
use crate::ir::{Block, Opcode, Type, Value};
use crate::work_group::nonatomic_local::{self, PlainAtomic};
use llvm_sys::LLVMIntPredicate::*;

impl VectorBuilder<'_> {
    /// Runs an instruction for each lane that takes part, in their order.
    pub fn scalarize(&mut self, instruction: Value) {
        // At hand before control splits, since all lanes need them.
        let mut operands = instruction.operands();
        operands.retain(|operand| !operand.is_function() && !operand.is_constant());
        for &operand in &operands {
            if self.shape(operand).is_uniform() {
                self.scalar(operand);
            } else {
                self.lanes_of(operand);
            }
        }
        match self.mask {
            None => self.unrolled(instruction),
            Some(mask) => self.looped(instruction, mask),
        }
    }

    /// Writes it as often as there are lanes.
    fn unrolled(&mut self, instruction: Value) {
        let mut made = self.poison_results(instruction);
        for lane in 0..u64::from(self.width()) {
            let lane = self.b.i64().constant(lane);
            let parts = self.for_lane(instruction, lane);
            for (vector, part) in made.iter_mut().zip(parts) {
                *vector = self.b.insert_element(*vector, part, lane);
            }
        }
        if !made.is_empty() {
            self.define(instruction, made);
        }
    }

    fn looped(&mut self, instruction: Value, mask: Value) {
        let b = self.b;
        let before = b.position();
        let bits = self.bits(mask);
        let round = self.new_block("lane");
        let after = self.new_block("lanes.after");
        b.branch(round);
        b.at_end(round);
        let left = b.phi(bits.ty(), "left");
        left.add_incoming(bits, before);
        let so_far: Vec<Value> = self
            .poison_results(instruction)
            .into_iter()
            .map(|nothing| {
                let phi = b.phi(nothing.ty(), "");
                phi.add_incoming(nothing, before);
                phi
            })
            .collect();
        let lane = b.count_trailing_zeros(left);
        let lane = b.resize(lane, b.i64());
        let parts = self.for_lane(instruction, lane);
        let made: Vec<Value> = so_far
            .iter()
            .zip(parts)
            .map(|(phi, part)| {
                let next = b.insert_element(*phi, part, lane);
                phi.add_incoming(next, round);
                next
            })
            .collect();
        if !made.is_empty() {
            self.define(instruction, made);
        }
        let less = b.binary(Opcode::LLVMSub, left, left.ty().constant(1));
        let rest = b.and(left, less);
        left.add_incoming(rest, round);
        let more = b.compare(LLVMIntNE, rest, rest.ty().constant(0));
        b.branch_if(more, round, after);
        b.at_end(after);
    }

    /// A vector without meaning for each component of what an instruction gives.
    fn poison_results(&self, instruction: Value) -> Vec<Value> {
        if instruction.ty().is_void() {
            return Vec::new();
        }
        let parts = components(instruction.ty()).expect("checked before");
        parts
            .into_iter()
            .map(|part| part.vector(self.width()).poison())
            .collect()
    }

    /// Writes an instruction for the lane of that number; the components of what it gives.
    fn for_lane(&mut self, instruction: Value, lane: Value) -> Vec<Value> {
        let operands: Vec<Value> = (0..instruction.operands().len() as u32)
            .map(|index| {
                let operand = instruction.operand(index);
                if operand.is_function() {
                    operand
                } else {
                    self.in_lane(operand, lane)
                }
            })
            .collect();
        if nonatomic_local::is_on_local_memory(instruction)
            && let Some(plain) = PlainAtomic::make(self.b, self.plan.layout, instruction, &operands)
        {
            return self.parts_of(plain.result);
        }
        let copy = instruction.clone_instruction();
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index as u32, operand);
        }
        self.b.insert(copy);
        if copy.ty().is_void() {
            Vec::new()
        } else {
            self.parts_of(copy)
        }
    }

    /// A new block of the body.
    pub fn new_block(&self, name: &str) -> Block {
        self.plan.work_items.header.insert_before(name)
    }

    /// Number of the last lane that takes part.
    pub fn last_lane(&self) -> Value {
        let lanes = u64::from(self.width());
        match self.mask {
            None => self.b.i64().constant(lanes - 1),
            Some(mask) => {
                let bits = self.bits(mask);
                let zeros = self.b.count_leading_zeros(bits);
                let last: Type = bits.ty();
                let number = self
                    .b
                    .binary(Opcode::LLVMSub, last.constant(lanes - 1), zeros);
                self.b.resize(number, self.b.i64())
            }
        }
    }
}
