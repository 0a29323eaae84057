//! Instructions without a vector form: executes them lane by lane.

use super::builder::VectorBuilder;
use crate::analysis::effects::reports_access;
use crate::intrinsics::COMPARE;
use crate::ir::{Opcode, Type, Value};
use crate::vectorize::instruction_queries::{component_bytes, components};
use crate::work_group::nonatomic_local::{self, PlainAtomic};
use llvm_sys::LLVMIntPredicate::*;

/// An operand of a scalarised instruction.
enum Operand {
    /// Of registers, or the same in all lanes.
    Value(Value),
    /// Of memory: for each component an array with an element for each lane. A loop reads an element
    /// faster from memory than from a register, which LLVM would store in each iteration.
    Arrays(Type, Vec<LaneArray>),
}

/// A component in memory.
struct LaneArray {
    memory: Value,
    element: Type,
    bytes: u64,
}

impl VectorBuilder<'_> {
    /// Executes an instruction for each active lane, in their order.
    pub fn scalarize(&mut self, instruction: Value) {
        // All lanes use the operands: load them before control splits.
        let mut operands = instruction.operands();
        operands.retain(|operand| !operand.is_function() && !operand.is_constant());
        for &operand in &operands {
            if self.shape(operand).is_uniform() {
                self.scalar(operand);
            } else {
                self.vectors_of(operand);
            }
        }
        // Reports of checked code should be short; most are seldom made.
        let is_report = reports_access(instruction) || instruction.calls(COMPARE);
        let mask = self.mask();
        let results = match mask.or_else(|| is_report.then(|| self.all_lanes())) {
            None => {
                let operands = instruction.operands().into_iter().map(Operand::Value);
                self.unrolled(instruction, &operands.collect::<Vec<_>>())
            }
            Some(mask) => {
                let operands = instruction.operands().into_iter();
                let operands: Vec<Operand> = operands.map(|o| self.in_memory(o)).collect();
                self.masked(instruction, &operands, mask)
            }
        };
        if !results.is_empty() {
            self.define(instruction, results);
        }
    }

    /// Writes a copy for each lane. Returns the components of the result.
    fn unrolled(&mut self, instruction: Value, operands: &[Operand]) -> Vec<Value> {
        let mut vectors = self.poison_results(instruction);
        for lane in 0..u64::from(self.lanes()) {
            let lane = self.ir().i64().constant(lane);
            let parts = self.for_lane(instruction, operands, lane);
            for (vector, part) in vectors.iter_mut().zip(parts) {
                *vector = self.ir().insert_element(*vector, part, lane);
            }
        }
        vectors
    }

    /// Executes an instruction for the lanes of a mask. For a few instructions a lane, a copy for
    /// each is faster than a loop if all lanes are active. Returns the components of the result.
    fn masked(&mut self, instruction: Value, operands: &[Operand], mask: Value) -> Vec<Value> {
        let is_short = nonatomic_local::is_on_local_memory(instruction)
            && instruction.is(Opcode::LLVMAtomicRMW)
            && instruction.users().is_empty();
        if !is_short {
            return self.looped(instruction, operands, mask);
        }
        let every = self.every(mask);
        self.either_version(
            every,
            |this| this.unrolled(instruction, operands),
            |this| this.looped(instruction, operands, mask),
        )
    }

    /// Writes a loop over the lanes of a mask. Returns the components of the result.
    fn looped(&mut self, instruction: Value, operands: &[Operand], mask: Value) -> Vec<Value> {
        let b = self.ir();
        let before = b.position();
        let bits = self.bits(mask);
        let bits = b.resize(bits, Type::integer(b.context, self.lanes().max(32)));
        let body = self.new_block("lane");
        let after = self.new_block("lanes.after");
        b.branch(body);
        b.at_end(body);
        let left = b.phi(bits.ty(), "left");
        left.add_incoming(bits, before);
        let vectors: Vec<Value> = self
            .poison_results(instruction)
            .into_iter()
            .map(|poison| {
                let phi = b.phi(poison.ty(), "");
                phi.add_incoming(poison, before);
                phi
            })
            .collect();
        let lane = b.count_trailing_zeros(left);
        let lane = b.resize(lane, b.i64());
        let parts = self.for_lane(instruction, operands, lane);
        let results: Vec<Value> = vectors
            .iter()
            .zip(parts)
            .map(|(phi, part)| {
                let next = b.insert_element(*phi, part, lane);
                phi.add_incoming(next, body);
                next
            })
            .collect();
        // Clears the lowest bit.
        let less = b.binary(Opcode::LLVMSub, left, left.ty().constant(1));
        let rest = b.and(left, less);
        left.add_incoming(rest, body);
        let more = b.compare(LLVMIntNE, rest, rest.ty().constant(0));
        b.branch_if(more, body, after);
        b.at_end(after);
        results
    }

    /// A poison vector for each component of an instruction's result.
    fn poison_results(&self, instruction: Value) -> Vec<Value> {
        if instruction.ty().is_void() {
            return Vec::new();
        }
        let parts = components(instruction.ty()).expect("checked before");
        let poison = parts.iter().map(|part| part.vector(self.lanes()).poison());
        poison.collect()
    }

    /// Writes an instruction for one lane; gives the components of its result.
    fn for_lane(&mut self, instruction: Value, operands: &[Operand], lane: Value) -> Vec<Value> {
        let operands: Vec<Value> = operands
            .iter()
            .map(|operand| match operand {
                Operand::Value(value) if value.is_function() => *value,
                Operand::Value(value) => self.in_lane(*value, lane),
                Operand::Arrays(ty, arrays) => {
                    let parts: Vec<Value> = arrays
                        .iter()
                        .map(|array| self.element_of_lane(array, lane))
                        .collect();
                    self.whole_of(*ty, &parts)
                }
            })
            .collect();
        let layout = self.plan().layout();
        if nonatomic_local::is_on_local_memory(instruction)
            && let Some(plain) = PlainAtomic::make(self.ir(), layout, instruction, &operands)
        {
            return self.parts_of(plain.result);
        }
        let copy = instruction.clone_instruction();
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index as u32, operand);
        }
        self.ir().insert(copy);
        if copy.ty().is_void() {
            Vec::new()
        } else {
            self.parts_of(copy)
        }
    }

    /// Stores the elements of an operand that differs between lanes.
    fn in_memory(&mut self, operand: Value) -> Operand {
        let parts = components(operand.ty()).unwrap_or_default();
        let layout = self.plan().layout();
        let bytes: Option<Vec<u64>> = parts
            .iter()
            .map(|part| component_bytes(*part, layout))
            .collect();
        let (true, Some(bytes)) = (self.is_in_vectors(operand), bytes) else {
            return Operand::Value(operand);
        };
        let vectors = self.vectors_of(operand);
        let array = |((vector, element), bytes): ((Value, Type), u64)| {
            let memory = self.at_allocas(|this| this.ir().alloca(vector.ty(), "lanes"));
            self.ir().store(vector, memory, memory.alignment());
            LaneArray {
                memory,
                element,
                bytes,
            }
        };
        let arrays = vectors.into_iter().zip(parts).zip(bytes).map(array);
        Operand::Arrays(operand.ty(), arrays.collect())
    }

    fn element_of_lane(&self, array: &LaneArray, lane: Value) -> Value {
        let b = self.ir();
        let bytes = b.i64().constant(array.bytes);
        let offset = b.binary(Opcode::LLVMMul, lane, bytes);
        let address = b.offset_each(array.memory, offset);
        b.load(array.element, address, array.bytes as u32)
    }
}
