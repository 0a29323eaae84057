//! Writes several iterations of a walk in one.

use super::{Advance, RowWalk};
use crate::analysis::loop_mark::WALKED_ITERATIONS;
use crate::ir::{Block, Builder, Opcode, Value};
use crate::vectorize::access::TRANSPOSED_ELEMENTS;
use crate::vectorize::instruction_queries::accessed_type;
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

/// How the loop of the version is written.
pub struct Steps<'a> {
    pub walk: &'a RowWalk,
    pub b: &'a Builder,
    /// The addresses of rows in the first iteration.
    pub starts: &'a HashMap<Value, Value>,
    /// Iterations whose elements are loaded at once, of 4 bytes each or more.
    pub at_once: u64,
}

/// What the iterations that are written so far have computed.
struct State {
    /// The iterations before those that are written.
    done: Value,
    values: HashMap<Value, Value>,
    /// Elements that are loaded, by the load.
    loaded: HashMap<Value, Vec<Value>>,
    /// By the store: the values of the iterations, with that before them first.
    stored: HashMap<Value, Vec<Value>>,
}

impl Steps<'_> {
    /// Writes the loop into a block between others, and returns the values of the last iteration.
    pub fn write(
        &self,
        [from, block, end]: [Block; 3],
        count: Value,
        stored_before: &HashMap<Value, Value>,
    ) -> HashMap<Value, Value> {
        let (b, walk) = (self.b, self.walk);
        b.at_end(block);
        let ty = count.ty();
        let done = b.phi(ty, "");
        let carried = walk.block.phis();
        let copy = |phi: &Value| (*phi, b.phi(phi.ty(), ""));
        let copies: Vec<(Value, Value)> = carried.iter().map(copy).collect();
        let before = stored_before.iter();
        let before = before.map(|(store, value)| (*store, *value, b.phi(value.ty(), "")));
        let before: Vec<(Value, Value, Value)> = before.collect();
        let mut state = State {
            done,
            values: copies.iter().copied().collect(),
            loaded: HashMap::new(),
            stored: before
                .iter()
                .map(|(store, _, phi)| (*store, vec![*phi]))
                .collect(),
        };
        for step in 0..WALKED_ITERATIONS {
            self.write_step(step, &mut state);
            if step + 1 < WALKED_ITERATIONS {
                let next = carried.iter().map(|phi| (*phi, state.now(walk.next(*phi))));
                state.values.extend(next.collect::<Vec<_>>());
            }
        }
        for (phi, copy) in copies {
            copy.add_incoming(walk.at_start(phi), from);
            copy.add_incoming(state.now(walk.next(phi)), block);
        }
        for (store, value, phi) in before {
            phi.add_incoming(value, from);
            phi.add_incoming(state.last_stored(store), block);
        }
        let now_done = b.add(done, ty.constant(WALKED_ITERATIONS));
        done.add_incoming(ty.constant(0), from);
        done.add_incoming(now_done, block);
        let left = b.binary(Opcode::LLVMSub, count, now_done);
        let again = b.compare(LLVMIntUGE, left, ty.constant(WALKED_ITERATIONS));
        b.branch_if(again, block, end);
        state.values
    }

    /// Writes an iteration.
    fn write_step(&self, step: u64, state: &mut State) {
        let (b, walk) = (self.b, self.walk);
        let is_last = step % TRANSPOSED_ELEMENTS == TRANSPOSED_ELEMENTS - 1;
        let mut stored = Vec::new();
        for instruction in walk.block.instructions() {
            if instruction.is(Opcode::LLVMPHI) || instruction.is_terminator() {
                continue;
            }
            if walk.loads.contains(&instruction) {
                let element = self.load(instruction, step, state);
                state.values.insert(instruction, element);
                continue;
            }
            let forwarded = walk.forwarded.iter();
            if let Some(value) = { forwarded }.find(|value| value.load == instruction) {
                let element = state.last_stored(value.store);
                state.values.insert(instruction, element);
                continue;
            }
            if instruction.is(Opcode::LLVMStore) {
                stored.push((instruction, state.now(instruction.operand(0))));
                if walk.delayed.contains(&instruction) {
                    continue;
                }
            }
            let copy = instruction.clone_instruction();
            for (index, operand) in instruction.operands().into_iter().enumerate() {
                copy.set_operand(index as u32, state.now(operand));
            }
            b.insert(copy);
            state.values.insert(instruction, copy);
        }
        // Loads of this iteration that a store is forwarded to have the value of the last one.
        for (store, value) in stored {
            state.stored.entry(store).or_default().push(value);
            if is_last && walk.delayed.contains(&store) {
                self.store(store, step + 1 - TRANSPOSED_ELEMENTS, state);
            }
        }
    }

    /// What a load loads in a step.
    fn load(&self, load: Value, step: u64, state: &mut State) -> Value {
        let at_once = self.at_once_by(load);
        let place = step % at_once;
        if place == 0 {
            let firsts = (step..step + at_once).step_by(TRANSPOSED_ELEMENTS as usize);
            let elements = |first| {
                let ty = load.ty().vector(TRANSPOSED_ELEMENTS as u32);
                let address = self.address(load, state.done, first);
                self.b.load(ty, address, load.alignment())
            };
            let elements = firsts.map(elements).collect();
            state.loaded.insert(load, elements);
        }
        let vector = state.loaded[&load][(place / TRANSPOSED_ELEMENTS) as usize];
        let number = self.element(load, place % TRANSPOSED_ELEMENTS);
        self.b.extract_element(vector, number)
    }

    /// Iterations whose elements a load loads at once: of small elements as many as are in the same number of registers.
    fn at_once_by(&self, load: Value) -> u64 {
        match self.step_of(load).unsigned_abs() {
            bytes @ (1 | 2) => (self.at_once * 4 / bytes).min(WALKED_ITERATIONS),
            _ => self.at_once,
        }
    }

    /// Stores the last values of a store, from a step on.
    fn store(&self, store: Value, first: u64, state: &State) {
        let values = &state.stored[&store];
        let last = &values[values.len() - TRANSPOSED_ELEMENTS as usize..];
        let mut vector = accessed_type(store)
            .vector(TRANSPOSED_ELEMENTS as u32)
            .poison();
        for (number, value) in last.iter().enumerate() {
            let number = self.element(store, number as u64);
            vector = self.b.insert_element(vector, *value, number);
        }
        let address = self.address(store, state.done, first);
        self.b.store(vector, address, store.alignment());
    }

    /// The number of the element that an access to a row takes in one of the steps whose elements are one vector.
    fn element(&self, access: Value, step: u64) -> Value {
        let number = match self.step_of(access) > 0 {
            true => step,
            false => TRANSPOSED_ELEMENTS - 1 - step,
        };
        self.b.i64().constant(number)
    }

    /// The address of the vector that a lane accesses from a step on, after `done` iterations.
    fn address(&self, access: Value, done: Value, first: u64) -> Value {
        let b = self.b;
        let done = match done.ty().integer_bits() {
            64 => done,
            _ => b.zero_extend_not_negative(done, b.i64()),
        };
        let step = self.step_of(access);
        let lowest = match step > 0 {
            true => first,
            false => first + TRANSPOSED_ELEMENTS - 1,
        };
        let number = b.add(done, b.i64().constant(lowest));
        let bytes = b.multiply(number, b.i64().constant(step as u64));
        b.offset(self.starts[&access], bytes)
    }

    /// Bytes from an element of a row to the next one that is accessed.
    fn step_of(&self, access: Value) -> i64 {
        match self.walk.advance(access) {
            Some(Advance::Row(step)) => step,
            _ => unreachable!("only rows are accessed several elements at once"),
        }
    }
}

impl State {
    /// The value of this iteration of one of the loop.
    fn now(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn last_stored(&self, store: Value) -> Value {
        *self.stored[&store].last().expect("there is one before")
    }
}
