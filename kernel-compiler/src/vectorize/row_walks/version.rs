//! Writes the version of a loop that loads several elements of rows at once.

use super::{RowWalk, STEPS};
use crate::analysis::all_lanes;
use crate::analysis::effects::is_pure;
use crate::analysis::remainder;
use crate::ir::{Block, Builder, DataLayout, Opcode, Value};
use crate::vectorize::access::TRANSPOSED_ELEMENTS;
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

impl RowWalk {
    /// Writes the version before the loop. It counts its iterations by itself.
    pub fn add_version(&self, at_once: u64, layout: DataLayout) {
        let b = Builder::new(self.counter.ty().context());
        let new_block = |name| self.block.insert_before(name);
        let (check, blocks, end, rest) = (
            new_block("row_walk"),
            new_block("steps"),
            new_block("steps.end"),
            new_block("rest"),
        );
        self.preheader.terminator().set_successor(0, check);
        let start = self.at_start(self.counter);
        b.at_end(check);
        let count = b.binary(Opcode::LLVMSub, self.limit, start);
        let ty = count.ty();
        let steps = ty.constant(STEPS);
        // No number of the counter is negative then, so that it does not matter how it is extended.
        let is_ordered = b.compare(LLVMIntSGT, self.limit, start);
        let is_counted = b.compare(LLVMIntSGE, start, ty.constant(0));
        let is_long = b.compare(LLVMIntUGE, count, steps);
        let has_steps = b.and(b.and(is_ordered, is_counted), is_long);
        let mut at_start = HashMap::from([(self.counter, start)]);
        let rows: Vec<(Value, Value)> = self
            .loads
            .iter()
            .map(|load| (*load, self.copy(&b, pointer_of(*load), &mut at_start)))
            .collect();
        let places: Vec<(Value, Value)> = self
            .stores
            .iter()
            .map(|store| (*store, self.copy(&b, pointer_of(*store), &mut at_start)))
            .collect();
        let distinct = Self::are_distinct(&b, &rows, &places, count, layout);
        let is_fit = distinct.map_or(has_steps, |distinct| b.and(has_steps, distinct));
        b.branch_if(is_fit, blocks, rest);

        remainder::mark_latch(self.block);
        let last = self.write_steps(&b, &rows, [check, blocks, end], count, at_once, layout);
        b.at_end(end);
        let remaining = b.and(count, ty.constant(STEPS - 1));
        let is_done = b.compare(LLVMIntEQ, remaining, ty.constant(0));
        b.branch_if(is_done, self.exit, rest);
        for phi in self.exit.phis() {
            let value = phi
                .incoming_from(self.block)
                .expect("the loop branches to its exit");
            phi.add_incoming(last.get(&value).copied().unwrap_or(value), end);
        }
        b.at_end(rest);
        let phis = self.block.phis().into_iter();
        let begins: Vec<(Value, Value)> = phis
            .map(|phi| {
                let begin = b.phi(phi.ty(), "");
                begin.add_incoming(self.at_start(phi), check);
                let next = self.next(phi);
                begin.add_incoming(last.get(&next).copied().unwrap_or(next), end);
                (phi, begin)
            })
            .collect();
        b.branch(self.block);
        for (phi, begin) in begins {
            let next = self.next(phi);
            b.before(phi);
            let again = b.phi(phi.ty(), "");
            again.add_incoming(begin, rest);
            again.add_incoming(next, self.block);
            phi.replace_all_uses_with(again);
            phi.erase();
        }
        // Addresses of the single elements.
        for of in blocks.instructions().into_iter().rev() {
            if is_pure(of) && of.users().is_empty() {
                of.erase();
            }
        }
    }

    /// Whether all lanes store to other places than they load; none if no place may be the same. Of no meaning, but no
    /// poison, if the loop has less than `STEPS` iterations.
    fn are_distinct(
        b: &Builder,
        rows: &[(Value, Value)],
        places: &[(Value, Value)],
        count: Value,
        layout: DataLayout,
    ) -> Option<Value> {
        let count = match count.ty().integer_bits() {
            64 => count,
            _ => b.zero_extend(count, b.i64()),
        };
        let mut distinct: Option<Value> = None;
        for (load, row) in rows {
            let row_bytes = b.multiply(count, b.i64().constant(layout.size(load.ty())));
            // Objects of different address spaces share no bytes.
            for (store, place) in places.iter().filter(|(_, place)| place.ty() == row.ty()) {
                let place_bytes = b.i64().constant(layout.stored(accessed_type(*store)));
                let end = |start, bytes| b.element(b.i8(), start, bytes);
                let before = b.compare(LLVMIntULE, end(*place, place_bytes), *row);
                let behind = b.compare(LLVMIntULE, end(*row, row_bytes), *place);
                let is_outside = b.binary(Opcode::LLVMOr, before, behind);
                distinct = Some(distinct.map_or(is_outside, |others| b.and(others, is_outside)));
            }
        }
        distinct.map(|distinct| all_lanes::have(distinct, b))
    }

    /// Writes the loop with several iterations in one, and returns the values of the last of them.
    fn write_steps(
        &self,
        b: &Builder,
        rows: &[(Value, Value)],
        [from, block, end]: [Block; 3],
        count: Value,
        at_once: u64,
        layout: DataLayout,
    ) -> HashMap<Value, Value> {
        b.at_end(block);
        let ty = count.ty();
        let done = b.phi(ty, "");
        let carried = self.block.phis();
        let copies: Vec<Value> = carried.iter().map(|phi| b.phi(phi.ty(), "")).collect();
        let mut values: HashMap<Value, Value> = carried
            .iter()
            .copied()
            .zip(copies.iter().copied())
            .collect();
        let mut vectors: HashMap<Value, Vec<Value>> = HashMap::new();
        for step in 0..STEPS {
            for instruction in self.block.instructions() {
                if instruction.is(Opcode::LLVMPHI) || instruction.is_terminator() {
                    continue;
                }
                if let Some((load, row)) = rows.iter().find(|(load, _)| *load == instruction) {
                    let place = step % at_once;
                    if place == 0 {
                        let firsts = (step..step + at_once).step_by(TRANSPOSED_ELEMENTS as usize);
                        let load = |first| load_elements(b, *load, *row, done, first, layout);
                        vectors.insert(instruction, firsts.map(load).collect());
                    }
                    let vector = vectors[&instruction][(place / TRANSPOSED_ELEMENTS) as usize];
                    let number = b.i64().constant(place % TRANSPOSED_ELEMENTS);
                    let element = b.extract_element(vector, number);
                    values.insert(instruction, element);
                    continue;
                }
                let copy = instruction.clone_instruction();
                for (index, operand) in instruction.operands().into_iter().enumerate() {
                    if let Some(value) = values.get(&operand) {
                        copy.set_operand(index as u32, *value);
                    }
                }
                b.insert(copy);
                values.insert(instruction, copy);
            }
            if step + 1 < STEPS {
                let next = carried.iter().map(|phi| {
                    let next = self.next(*phi);
                    (*phi, values.get(&next).copied().unwrap_or(next))
                });
                values.extend(next.collect::<Vec<_>>());
            }
        }
        for (phi, copy) in carried.iter().zip(copies) {
            let next = self.next(*phi);
            copy.add_incoming(self.at_start(*phi), from);
            copy.add_incoming(values.get(&next).copied().unwrap_or(next), block);
        }
        let now_done = b.add(done, ty.constant(STEPS));
        done.add_incoming(ty.constant(0), from);
        done.add_incoming(now_done, block);
        let left = b.binary(Opcode::LLVMSub, count, now_done);
        let again = b.compare(LLVMIntUGE, left, ty.constant(STEPS));
        b.branch_if(again, block, end);
        values
    }

    /// Copies a value that is computed in the loop without what changes but the counter, whose value is in `values`.
    fn copy(&self, b: &Builder, value: Value, values: &mut HashMap<Value, Value>) -> Value {
        if !value.is_instruction() || value.block() != self.block {
            return value;
        }
        if let Some(copy) = values.get(&value) {
            return *copy;
        }
        let copy = value.clone_instruction();
        for (index, operand) in value.operands().into_iter().enumerate() {
            copy.set_operand(index as u32, self.copy(b, operand, values));
        }
        b.insert(copy);
        values.insert(value, copy);
        copy
    }

    fn at_start(&self, phi: Value) -> Value {
        let mut incoming = phi.incoming().into_iter();
        let (value, _) = incoming
            .find(|(_, from)| *from != self.block)
            .expect("the loop is entered");
        value
    }

    fn next(&self, phi: Value) -> Value {
        phi.incoming_from(self.block).expect("the loop comes back")
    }
}

/// The elements that a lane loads from a step on, of a row that begins at `row`, after `done` iterations.
fn load_elements(
    b: &Builder,
    load: Value,
    row: Value,
    done: Value,
    step: u64,
    layout: DataLayout,
) -> Value {
    let ty = load.ty();
    let done = match done.ty().integer_bits() {
        64 => done,
        _ => b.zero_extend_not_negative(done, b.i64()),
    };
    let number = b.add(done, b.i64().constant(step));
    let bytes = b.multiply(number, b.i64().constant(layout.size(ty)));
    b.load(
        ty.vector(TRANSPOSED_ELEMENTS as u32),
        b.offset(row, bytes),
        load.alignment(),
    )
}
