//! Loops over whole windows, in which lanes wait.

use super::recognition::WindowLoop;
use crate::ir::{Block, Builder, Opcode, Type, Value};
use crate::vectorize::work_item_loop::WorkItemLoop;
use llvm_sys::LLVMIntPredicate::*;

impl WindowLoop {
    /// Makes it a loop over the whole window.
    pub fn rewrite(&self, work_items: &WorkItemLoop, b: &Builder) {
        let range = Range::write(self, work_items, b);
        let (old_header, old_latch) = (self.blocks[0], self.latch());
        let header = old_header.insert_before("window");
        let latch = self.exit.insert_before("window.next");
        self.preheader.terminator().set_successor(0, header);

        b.at_end(header);
        let number = b.phi(b.i64(), "");
        let before: Vec<Value> = self
            .carried
            .iter()
            .map(|(phi, _)| b.phi(phi.ty(), ""))
            .collect();
        let place = b.resize(number, self.start.ty());
        let is_behind_start = b.compare(LLVMIntUGE, place, range.start);
        let is_before_end = b.compare(LLVMIntULE, place, range.end);
        let is_inside = b.and(is_behind_start, is_before_end);
        b.branch_if(is_inside, old_header, latch);

        b.before(old_header.first_after_phis());
        // Extended where it becomes an address, so that this is known to be of consecutive elements.
        let first = extended(self.first.whole, self.counter.ty(), b);
        let counter = b.add(first, b.resize(number, self.counter.ty()));
        b.before(old_latch.terminator());
        b.branch(latch);

        b.at_end(latch);
        let after = self.join(&before, counter, header, b);
        let next_number = b.add(number, b.i64().constant(1));
        let is_left = b.compare(LLVMIntSLE, next_number, range.most);
        b.branch_if(is_left, header, self.exit);

        number.add_incoming(range.least, self.preheader);
        number.add_incoming(next_number, latch);
        for (((old, _), before), after) in self.carried.iter().zip(&before).zip(&after) {
            let start = old.incoming_from(self.preheader);
            before.add_incoming(
                start.expect("a φ has a value for each predecessor"),
                self.preheader,
            );
            before.add_incoming(*after, latch);
        }
        self.leave_from(latch, &after, b);
        old_latch.terminator().erase();
        self.counter.replace_all_uses_with(counter);
        for ((old, _), before) in self.carried.iter().zip(&before) {
            old.replace_all_uses_with(*before);
        }
        old_header.phis().into_iter().for_each(Value::erase);
    }

    fn latch(&self) -> Block {
        self.blocks[self.blocks.len() - 1]
    }

    /// The values of the φs after an iteration, which are those before it where a lane waited.
    fn join(&self, before: &[Value], counter: Value, header: Block, b: &Builder) -> Vec<Value> {
        let replacement = |next: Value| {
            let phi = self.carried.iter().position(|(phi, _)| *phi == next);
            let is_counter = next == self.counter;
            phi.map_or(if is_counter { counter } else { next }, |phi| before[phi])
        };
        let joined = self.carried.iter().zip(before).map(|((_, next), before)| {
            let both = b.phi(before.ty(), "");
            both.add_incoming(*before, header);
            both.add_incoming(replacement(*next), self.latch());
            both
        });
        joined.collect()
    }

    /// Has the φs behind the loop take their values from another latch.
    fn leave_from(&self, latch: Block, after: &[Value], b: &Builder) {
        let joined = |next: Value| {
            let carried = self.carried.iter().position(|(_, of)| *of == next);
            carried.map_or(next, |carried| after[carried])
        };
        for phi in self.exit.phis() {
            b.before(phi);
            let new = b.phi(phi.ty(), "");
            for (value, from) in phi.incoming() {
                match from == self.latch() {
                    true => new.add_incoming(joined(value), latch),
                    false => new.add_incoming(value, from),
                }
            }
            phi.replace_all_uses_with(new);
            phi.erase();
        }
    }
}

/// The places of a window, from 0 on.
struct Range {
    /// The first and the last one that are not cut off of a work-item's window, without sign.
    start: Value,
    end: Value,
    /// The first and the last one that are in the window of some work-item of the row.
    least: Value,
    most: Value,
}

impl Range {
    /// Computes the places before the loop.
    fn write(of: &WindowLoop, work_items: &WorkItemLoop, b: &Builder) -> Self {
        b.before(of.preheader.terminator());
        let (first, last, ty) = (of.first.whole, of.last.whole, of.start.ty());
        let sub = |x, y| b.binary(Opcode::LLVMSub, x, y);
        let behind = ty.constant(of.behind as u64);
        let start = sub(of.start, first);
        let end = sub(sub(of.limit, behind), first);
        let whole = b.resize(sub(sub(last, behind), first), b.i64());
        // What lanes have in common is computed by numbers of the ids' size, in which it is the same also where these wrap.
        let step = ty.constant(of.step as u64);
        let of_row = b.multiply(b.resize(work_items.induction, ty), step);
        let wide = |value| extended(value, b.i64(), b);
        let first_of_row = wide(sub(first, of_row));
        let items = b.resize(work_items.trip_count, b.i64());
        let items = sub(items, b.i64().constant(1));
        let beyond = b.multiply(items, b.i64().constant(of.step as u64));
        let last_of_row = b.add(first_of_row, beyond);
        // Numbers that change their sign within the row are in no order.
        let largest = b.i64().constant(u64::MAX >> (65 - ty.integer_bits()));
        let is_row = b.compare(LLVMIntSLE, last_of_row, largest);
        let zero = b.i64().constant(0);
        let least = of.first.bound.map_or(zero, |bound| {
            let cut = sub(wide(bound), last_of_row);
            let cut = b.select(b.compare(LLVMIntSGT, cut, zero), cut, zero);
            b.select(is_row, cut, zero)
        });
        let most = of.last.bound.map_or(whole, |bound| {
            let cut = sub(sub(wide(bound), wide(behind)), first_of_row);
            let cut = b.select(b.compare(LLVMIntSLT, cut, whole), cut, whole);
            b.select(is_row, cut, whole)
        });
        Self {
            start,
            end,
            least,
            most,
        }
    }
}

/// A signed number with the bits of a type.
fn extended(value: Value, ty: Type, b: &Builder) -> Value {
    match value.ty() == ty {
        true => value,
        false => b.sign_extend(value, ty),
    }
}
