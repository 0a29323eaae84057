//! Replaces a loop over work-items by vector code: for each index range a loop over whole vectors
//! of work-items, then a masked copy for the remainder.

use super::linearise;
use crate::ir::{Block, Builder, DataLayout, Opcode, Value, constant_vector};
use crate::vectorize::index_ranges::IndexRange;
use crate::vectorize::plan::VectorPlan;
use crate::vectorize::unroll_and_jam;
use crate::vectorize::work_item_loop::WorkItemLoop;
use llvm_sys::LLVMIntPredicate::*;

/// Writes the vector code of a loop's index ranges in the loop's place. `number` is the loop's
/// among those of the function.
pub fn replace_loop(function: Value, number: usize, plans: &[VectorPlan<'_>]) {
    let work_items = plans[0].work_items();
    let ir = Builder::new(function.ty().context());
    let entry = work_items.header.insert_before("lanes");
    let after = work_items.header.insert_before("lanes.done");
    let results = Results::collect(function, work_items, &ir);
    let mut start = entry;
    for (index, plan) in plans.iter().enumerate() {
        let next = if index + 1 < plans.len() {
            work_items.header.insert_before("lanes.range")
        } else {
            after
        };
        let range = RangeWriter {
            ir: &ir,
            plan,
            results: &results,
        };
        range.write(start, next);
        start = next;
    }
    ir.at_end(after);
    for result in &results.0 {
        let value = ir.load(result.phi.ty(), result.slot, result.alignment);
        result.phi.add_incoming(value, after);
    }
    ir.branch(work_items.exit);
    let terminator = work_items.preheader.terminator();
    for (index, to) in terminator.successors().into_iter().enumerate() {
        if to == work_items.header {
            terminator.set_successor(index as u32, entry);
        }
    }
    // Jammed rows would read local memory before the stores of the others to it.
    let is_jammable = !plans
        .iter()
        .any(|plan| plan.writes_inactive_lanes() || plan.has_nonatomic_local_atomics());
    unroll_and_jam::record_vectorized_loop(work_items, is_jammable.then_some(number));
    abandon(work_items, &ir);
}

/// Leaves the scalar loop as unreachable code, which LLVM removes.
fn abandon(work_items: &WorkItemLoop, ir: &Builder) {
    let unreachable = work_items.header.insert_before("unreachable");
    ir.at_end(unreachable);
    ir.branch(work_items.header);
    ir.replace_incoming_block(work_items.induction, work_items.preheader, unreachable);
}

/// Writes the vector code of an index range.
struct RangeWriter<'a> {
    ir: &'a Builder,
    plan: &'a VectorPlan<'a>,
    results: &'a Results,
}

impl RangeWriter<'_> {
    /// From the end of `entry` to the start of `after`.
    fn write(&self, entry: Block, after: Block) {
        let (ir, work_items) = (self.ir, self.plan.work_items());
        let lanes = u64::from(self.plan.lanes());
        let ty = work_items.induction.ty();
        let range = self.plan.range();
        ir.at_end(entry);
        let whole = match range.end {
            Some(end) => ty.constant(end / lanes * lanes),
            None => ir.and(work_items.trip_count, ty.constant(!(lanes - 1))),
        };
        let has_whole = range.end.is_none_or(|end| end - range.start >= lanes);
        let has_remainder = range.has_remainder(self.plan.lanes());
        let remainder = if has_remainder {
            work_items.header.insert_before("lanes.remainder")
        } else {
            after
        };
        if has_whole {
            self.whole_vectors(range, whole, entry, remainder);
        } else {
            ir.branch(remainder);
        }
        if has_remainder {
            ir.at_end(remainder);
            self.remainder(range, whole, after);
        }
    }

    /// A loop over the work-items before `whole`, all lanes active.
    fn whole_vectors(&self, range: &IndexRange, whole: Value, entry: Block, after: Block) {
        let (ir, ty) = (self.ir, whole.ty());
        let body = self.plan.work_items().header.insert_before("lanes.x");
        match range.end {
            Some(_) => {
                ir.branch(body);
            }
            None => {
                let some = ir.compare(LLVMIntNE, whole, ty.constant(0));
                ir.branch_if(some, body, after);
            }
        }
        ir.at_end(body);
        let base = ir.phi(ty, "x");
        base.add_incoming(ty.constant(range.start), entry);
        let last = self.body(body, base, None);
        ir.at_end(last);
        let lanes = ty.constant(u64::from(self.plan.lanes()));
        let next = ir.add(base, lanes).no_wrap();
        let more = ir.compare(LLVMIntULT, next, whole);
        ir.branch_if(more, body, after);
        base.add_incoming(next, last);
    }

    /// The work-items from `whole` on, fewer than there are lanes.
    fn remainder(&self, range: &IndexRange, whole: Value, after: Block) {
        let (ir, work_items) = (self.ir, self.plan.work_items());
        let lanes = u64::from(self.plan.lanes());
        let ty = whole.ty();
        let masked = work_items.header.insert_before("lanes.masked");
        let left = match range.end {
            Some(end) => ty.constant(end % lanes),
            None => ir.binary(Opcode::LLVMSub, work_items.trip_count, whole),
        };
        if range.end.is_some() {
            ir.branch(masked);
        } else {
            let some = ir.compare(LLVMIntNE, left, ty.constant(0));
            ir.branch_if(some, masked, after);
        }
        ir.at_end(masked);
        let numbers: Vec<Value> = (0..lanes).map(|lane| ty.constant(lane)).collect();
        let numbers = constant_vector(&numbers);
        let left = ir.splat(left, self.plan.lanes());
        let mask = ir.compare(LLVMIntULT, numbers, left);
        let last = self.body(masked, whole, Some(mask));
        ir.at_end(last);
        ir.branch(after);
    }

    /// The body for one vector of work-items, from the end of `start` on; gives its last block.
    fn body(&self, start: Block, base: Value, mask: Option<Value>) -> Block {
        self.ir.at_end(start);
        let mut lanes = linearise::write(self.plan, self.ir, base, mask);
        for result in &self.results.0 {
            let value = lanes.in_lane_0(result.value);
            self.ir.store(value, result.slot, result.alignment);
        }
        self.ir.position()
    }
}

/// A value of the loop that is used after it.
struct LoopResult {
    /// The exit's φ.
    phi: Value,
    /// The value from the latch.
    value: Value,
    /// The stack variable that holds it.
    slot: Value,
    alignment: u32,
}

/// The values that are used after the loop.
struct Results(Vec<LoopResult>);

impl Results {
    fn collect(function: Value, work_items: &WorkItemLoop, ir: &Builder) -> Self {
        let layout = DataLayout::of_function(function);
        ir.before(function.entry_block().instructions()[0]);
        let result = |phi: Value| {
            let value = phi
                .incoming_from(work_items.latch)
                .expect("the loop's only exit is its latch");
            LoopResult {
                phi,
                value,
                slot: ir.alloca(phi.ty(), ""),
                alignment: layout.alignment(phi.ty()),
            }
        };
        let exit = work_items.exit.instructions().into_iter();
        Self(exit.filter(|i| i.is(Opcode::LLVMPHI)).map(result).collect())
    }
}
