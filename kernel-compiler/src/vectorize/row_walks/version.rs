//! Writes the version of a loop that accesses several elements of rows at once.

use super::steps::Steps;
use super::{Advance, Overlap, RowWalk};
use crate::analysis::all_lanes;
use crate::analysis::effects::is_pure;
use crate::analysis::loop_mark::{LoopMark, WALKED_ITERATIONS};
use crate::ir::{Builder, Opcode, Value};
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

/// Least constant number of iterations of a loop that LLVM vectorises in scalar code.
const MIN_VECTORISED: u64 = 64;

impl RowWalk {
    /// Writes the version before the loop. It counts its iterations by itself.
    pub fn add_version(&self, at_once: u64) {
        let b = Builder::new(self.counter.phi.ty().context());
        let new_block = |name| self.block.insert_before(name);
        let (check, blocks, end, rest) = (
            new_block("row_walk"),
            new_block("steps"),
            new_block("steps.end"),
            new_block("rest"),
        );
        self.preheader.terminator().set_successor(0, check);
        let start = self.at_start(self.counter.phi);
        b.at_end(check);
        let (count, is_counted) = self.counter.count(&b, start);
        let is_long = b.compare(LLVMIntUGE, count, count.ty().constant(WALKED_ITERATIONS));
        let has_steps = b.and(is_counted, is_long);
        let mut at_start = HashMap::from([(self.counter.phi, start)]);
        let starts = self.starts(&b, &mut at_start);
        let distinct = self.are_distinct(&b, &starts, count);
        let is_fit = distinct.map_or(has_steps, |distinct| b.and(has_steps, distinct));
        let stored_before = self.stored_before(&b, &starts);
        b.branch_if(is_fit, blocks, rest);

        LoopMark::Remainder.set(self.block);
        let steps = Steps {
            walk: self,
            b: &b,
            starts: &starts,
            at_once,
        };
        let last = steps.write([check, blocks, end], count, &stored_before);
        LoopMark::RowWalk.set(blocks);
        // LLVM unrolls shorter loops instead of vectorising them.
        let is_short = count
            .as_integer()
            .is_some_and(|count| count < MIN_VECTORISED);
        if self.is_independent() && !is_short {
            LoopMark::Independent.set(blocks);
        }
        b.at_end(end);
        let remaining = b.and(count, count.ty().constant(WALKED_ITERATIONS - 1));
        let is_done = b.compare(LLVMIntEQ, remaining, count.ty().constant(0));
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

    /// The addresses of the first iteration, of what the version moves or must not overlap with it.
    fn starts(&self, b: &Builder, at_start: &mut HashMap<Value, Value>) -> HashMap<Value, Value> {
        let of_conditions = self.conditions.iter();
        let of_conditions = of_conditions.flat_map(|condition| [condition.store, condition.other]);
        let moved = self.loads.iter().chain(&self.delayed).copied();
        let forwarded = self.forwarded.iter().map(|value| value.load);
        let mut starts = HashMap::new();
        for access in moved.chain(of_conditions).chain(forwarded) {
            starts
                .entry(access)
                .or_insert_with(|| self.copy(b, pointer_of(access), at_start));
        }
        starts
    }

    /// By the store: the value before the first iteration of what is forwarded from it. Each iteration loads it, the
    /// first one, too.
    fn stored_before(&self, b: &Builder, starts: &HashMap<Value, Value>) -> HashMap<Value, Value> {
        let forwarded = self.forwarded.iter();
        let load = |load: Value| b.load(load.ty(), starts[&load], load.alignment());
        let values = forwarded.map(|value| (value.store, load(value.load)));
        values.collect()
    }

    /// Whether the conditions hold for all lanes; none if there are none. Of no meaning, but no poison, if the loop has
    /// less than `WALKED_ITERATIONS` iterations.
    fn are_distinct(
        &self,
        b: &Builder,
        starts: &HashMap<Value, Value>,
        count: Value,
    ) -> Option<Value> {
        let count = match count.ty().integer_bits() {
            64 => count,
            _ => b.zero_extend(count, b.i64()),
        };
        let size = |access| b.i64().constant(self.layout.stored(accessed_type(access)));
        let all = |step: i64| b.multiply(count, b.i64().constant(step as u64));
        let offset = |access, bytes| b.element(b.i8(), starts[&access], bytes);
        let first = |access: Value| match self.advance(access) {
            Some(Advance::Row(step)) if step < 0 => offset(access, b.add(all(step), size(access))),
            _ => starts[&access],
        };
        let end = |access: Value| match self.advance(access) {
            Some(Advance::Row(step)) if step > 0 => offset(access, all(step)),
            _ => offset(access, size(access)),
        };
        let holds = self.conditions.iter().map(|condition| {
            let (store, other) = (condition.store, condition.other);
            let behind_other = |bytes: i64| offset(other, b.i64().constant(bytes as u64));
            let (before, behind) = match condition.overlap {
                Overlap::Distance { least, most } => (
                    b.compare(LLVMIntULT, starts[&store], behind_other(least)),
                    b.compare(LLVMIntUGT, starts[&store], behind_other(most)),
                ),
                Overlap::Range => (
                    b.compare(LLVMIntULE, end(store), first(other)),
                    b.compare(LLVMIntULE, end(other), first(store)),
                ),
            };
            b.binary(Opcode::LLVMOr, before, behind)
        });
        let distinct = holds.reduce(|all, holds| b.and(all, holds))?;
        Some(all_lanes::have(distinct, b))
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

    pub fn at_start(&self, phi: Value) -> Value {
        let mut incoming = phi.incoming().into_iter();
        let (value, _) = incoming
            .find(|(_, from)| *from != self.block)
            .expect("the loop is entered");
        value
    }

    pub fn next(&self, phi: Value) -> Value {
        phi.incoming_from(self.block).expect("the loop comes back")
    }
}
