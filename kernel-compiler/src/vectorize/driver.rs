//! Groups of lanes in place of a loop over work-items: its spans one after another, in each
//! whole groups and then one that is masked.

use super::index_ranges::{self, IndexRange};
use super::linearise;
use super::plan::{self, VectorPlan};
use super::private_arrays;
use super::rejection::Rejection;
use super::unroll_and_jam;
use super::work_item_loop::WorkItemLoop;
use super::{MAX_LOOP_BLOCKS, MAX_LOOP_INSTRUCTIONS, VectorUnit};
use crate::analysis::compact_cfg::CompactCfg;
use crate::analysis::divergence::Divergence;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Block, Builder, DataLayout, Opcode, Value, constant_vector};
use llvm_sys::LLVMIntPredicate::*;
use std::collections::HashMap;

/// A loop over work-items and the way its blocks hang together.
pub struct LoopBody<'a> {
    work_items: &'a WorkItemLoop,
    cfg: CompactCfg,
    /// By their numbers in `cfg`.
    blocks: Vec<Block>,
}

impl<'a> LoopBody<'a> {
    /// Looks at a loop.
    pub fn of(work_items: &'a WorkItemLoop) -> Result<Self, Rejection> {
        let length: usize = work_items
            .blocks
            .iter()
            .map(|block| block.instructions().len())
            .sum();
        if work_items.blocks.len() > MAX_LOOP_BLOCKS || length > MAX_LOOP_INSTRUCTIONS {
            return Err(Rejection::LongLoop);
        }
        // The header first.
        let mut order = vec![work_items.header];
        order.extend(
            work_items
                .blocks
                .iter()
                .copied()
                .filter(|b| *b != work_items.header),
        );
        let place: HashMap<Block, usize> = order.iter().copied().zip(0..).collect();
        let mut given = Vec::new();
        for block in &order {
            let opcode = block.terminator().opcode();
            if !matches!(opcode, Opcode::LLVMBr) {
                return Err(Rejection::UnsupportedTerminator);
            }
            given.push(if *block == work_items.latch {
                Vec::new()
            } else {
                block.successors().iter().map(|to| place[to]).collect()
            });
        }
        let cfg = CompactCfg::of(&given, place[&work_items.latch])?;
        let mut blocks = vec![work_items.header; order.len()];
        for (block, &number) in order.iter().zip(&cfg.block_numbers) {
            blocks[number] = *block;
        }
        Ok(Self {
            work_items,
            cfg,
            blocks,
        })
    }

    /// Its private arrays, each lane's apart from the others'.
    pub fn separate_arrays(
        &self,
        lanes: u32,
        layout: DataLayout,
    ) -> Vec<private_arrays::ArrayLayout> {
        let arrays = self.work_items.private_arrays.iter();
        arrays
            .map(|array| private_arrays::separate(*array, lanes, layout))
            .collect()
    }

    /// Shapes that the loop's form gives: work-items count up, private arrays lie apart, and
    /// comparisons with a known outcome are uniform.
    fn seeds(
        &self,
        range: &IndexRange,
        private: &[private_arrays::ArrayLayout],
    ) -> HashMap<Value, Shape> {
        let mut seeds = HashMap::from([(self.work_items.induction, Shape::COUNTING)]);
        for (array, layout) in self.work_items.private_arrays.iter().zip(private) {
            seeds.insert(*array, Shape::addresses(layout.lane_stride));
        }
        let known = range.known_comparisons.keys();
        seeds.extend(known.map(|comparison| (*comparison, Shape::Uniform)));
        seeds
    }

    /// What is known of the loop's body in each span of a row.
    pub fn plans<'b>(
        &'b self,
        function: Value,
        lanes: u32,
        vectors: VectorUnit,
        private: &'b [private_arrays::ArrayLayout],
    ) -> Result<Vec<VectorPlan<'b>>, Rejection> {
        let layout = DataLayout::of_function(function);
        let plan = |range: IndexRange| {
            let seeds = self.seeds(&range, private);
            let divergence = Divergence::find(&self.blocks, &self.cfg, seeds, layout);
            let plan = VectorPlan {
                function,
                layout,
                lanes,
                vectors,
                number: self.blocks.iter().copied().zip(0..).collect(),
                masks: plan::masks(&self.cfg, &divergence),
                divergence,
                cfg: &self.cfg,
                blocks: &self.blocks,
                work_items: self.work_items,
                private,
                range,
            };
            plan.check().map(|()| plan)
        };
        let spans = index_ranges::split(self.work_items, lanes);
        spans.into_iter().map(plan).collect()
    }
}

/// Puts groups of lanes in the place of the loop of that number.
pub fn replace(function: Value, number: usize, plans: &[VectorPlan<'_>]) {
    let work_items = plans[0].work_items;
    let builder = Builder::new(function.ty().context());
    let entry = work_items.header.insert_before("lanes");
    let after = work_items.header.insert_before("lanes.done");
    let results = Results::of(function, work_items, &builder);
    let mut start = entry;
    for (number, plan) in plans.iter().enumerate() {
        let next = if number + 1 < plans.len() {
            work_items.header.insert_before("lanes.span")
        } else {
            after
        };
        plan.emit(&builder, &results, start, next);
        start = next;
    }
    builder.at_end(after);
    for (phi, variable, alignment) in &results.kept {
        let value = builder.load(phi.ty(), *variable, *alignment);
        phi.add_incoming(value, after);
    }
    builder.branch(work_items.exit);
    let terminator = work_items.preheader.terminator();
    for (index, to) in terminator.successors().into_iter().enumerate() {
        if to == work_items.header {
            terminator.set_successor(index as u32, entry);
        }
    }
    // Rows in one round would write back what was there before the others' writes.
    let apart = plans
        .iter()
        .any(|plan| plan.rewrites_inactive_lanes() || plan.has_nonatomic_local_atomics());
    unroll_and_jam::mark_row_loop(work_items, (!apart).then_some(number));
    abandon(work_items, &builder);
}

/// Leaves the loop as it was as code that is never reached, for LLVM to remove.
fn abandon(work_items: &WorkItemLoop, builder: &Builder) {
    let WorkItemLoop {
        header, induction, ..
    } = *work_items;
    let nowhere = header.insert_before("nowhere");
    builder.at_end(nowhere);
    builder.branch(header);
    builder.replace_incoming_block(induction, work_items.preheader, nowhere);
}

impl VectorPlan<'_> {
    /// The groups of the span, from the end of `entry` to the start of `after`.
    fn emit(&self, builder: &Builder, results: &Results, entry: Block, after: Block) {
        let work_items = self.work_items;
        let lanes = u64::from(self.lanes);
        let ty = work_items.induction.ty();
        let IndexRange {
            start: first, end, ..
        } = self.range;
        builder.at_end(entry);
        let whole = match end {
            Some(end) => ty.constant(end / lanes * lanes),
            None => builder.and(work_items.trip_count, ty.constant(!(lanes - 1))),
        };
        // All lanes active.
        let has_whole = end.is_none_or(|end| end - first >= lanes);
        let has_remainder = self.range.has_remainder(self.lanes);
        let rest = if has_remainder {
            work_items.header.insert_before("lanes.rest")
        } else {
            after
        };
        if has_whole {
            let group = work_items.header.insert_before("lanes.x");
            match end {
                Some(_) => {
                    builder.branch(group);
                }
                None => {
                    let some = builder.compare(LLVMIntNE, whole, ty.constant(0));
                    builder.branch_if(some, group, rest);
                }
            }
            builder.at_end(group);
            let base = builder.phi(ty, "x");
            base.add_incoming(ty.constant(first), entry);
            let last = self.group(builder, group, base, None, results);
            builder.at_end(last);
            let next = builder.add(base, ty.constant(lanes)).no_wrap();
            let more = builder.compare(LLVMIntULT, next, whole);
            builder.branch_if(more, group, rest);
            base.add_incoming(next, last);
        } else {
            builder.branch(rest);
        }
        if has_remainder {
            builder.at_end(rest);
            let masked = work_items.header.insert_before("lanes.masked");
            let left = match end {
                Some(end) => ty.constant(end % lanes),
                None => builder.binary(Opcode::LLVMSub, work_items.trip_count, whole),
            };
            if end.is_some() {
                builder.branch(masked);
            } else {
                let some = builder.compare(LLVMIntNE, left, ty.constant(0));
                builder.branch_if(some, masked, after);
            }
            builder.at_end(masked);
            let numbers: Vec<Value> = (0..lanes).map(|lane| ty.constant(lane)).collect();
            let numbers = constant_vector(&numbers);
            let left = builder.splat(left, self.lanes);
            let mask = builder.compare(LLVMIntULT, numbers, left);
            let last = self.group(builder, masked, whole, Some(mask), results);
            builder.at_end(last);
            builder.branch(after);
        }
    }

    /// The body for one group of lanes, from the end of `start` on; the last block of it.
    fn group(
        &self,
        builder: &Builder,
        start: Block,
        base: Value,
        mask: Option<Value>,
        results: &Results,
    ) -> Block {
        builder.at_end(start);
        let mut group = linearise::write(self, builder, base, mask);
        for (phi, variable, alignment) in &results.kept {
            let value = results.value_of(*phi, self.work_items);
            let value = group.first_lane(value);
            builder.store(value, *variable, *alignment);
        }
        builder.position()
    }
}

/// What is used after the loop.
struct Results {
    /// φs of the exit and the variables that hold their values.
    kept: Vec<(Value, Value, u32)>,
}

impl Results {
    fn of(function: Value, work_items: &WorkItemLoop, builder: &Builder) -> Self {
        let layout = DataLayout::of_function(function);
        builder.before(function.entry_block().instructions()[0]);
        let phis = work_items.exit.instructions();
        let kept = phis
            .into_iter()
            .filter(|i| i.opcode() == Opcode::LLVMPHI)
            .map(|phi| {
                let variable = builder.alloca(phi.ty(), "");
                (phi, variable, layout.alignment(phi.ty()))
            })
            .collect();
        Self { kept }
    }

    fn value_of(&self, phi: Value, work_items: &WorkItemLoop) -> Value {
        phi.incoming()
            .into_iter()
            .find(|(_, block)| *block == work_items.latch)
            .map(|(value, _)| value)
            .expect("the loop is left from its latch")
    }
}
