//! The loops over the work-items of a region, and the branch to the next region.

use super::emitter::{BASE_ALIGNMENT, Emitter};
use super::live_slots::LiveSlots;
use super::work_item::LoopBody;
use crate::fault;
use crate::ir::{self, Block, MetadataRef, Type, Value};
use crate::work_group::region::{Exit, Region, Regions};
use crate::work_items::loop_descriptor::{LoopDescriptor, LoopKind};
use crate::work_items::timing_markers;
use llvm_sys::LLVMIntPredicate;

/// Instructions of a region up to which LLVM's loop vectoriser may run: it takes time by the square
/// of their number.
const MAX_VECTORISED_INSTRUCTIONS: usize = 3000;

/// How often a region runs.
enum Execution {
    /// Once for the group.
    Once,
    /// In loops over all dimensions, that of the lanes innermost.
    Loops {
        /// Whether LLVM may vectorise the innermost loop.
        vectors: bool,
    },
}

impl Execution {
    fn of(region: &Region) -> Self {
        if region.uniform {
            return Self::Once;
        }
        let length: usize = region
            .blocks
            .iter()
            .map(|block| block.instructions().len())
            .sum();
        Self::Loops {
            vectors: length <= MAX_VECTORISED_INSTRUCTIONS,
        }
    }
}

impl Emitter {
    /// Writes a region, from its header to branches to the headers of its successors.
    pub fn region(&mut self, number: usize, region: &Region, regions: &Regions, live: &LiveSlots) {
        let name = |part: &str| format!("region{number}.{part}");
        let body = self.function.append_block(&name("work_item"));
        let done = self.function.append_block(&name("done"));
        let end = self.function.append_block(&name("end"));
        let access_group = ir::metadata_distinct(self.builder.context);
        self.builder.at_end(self.headers[number]);
        if let Some(barrier) = region.follows_barrier
            && self.timed
            && number > 0
            && !region.uniform
        {
            self.builder.of_the_line_of(barrier.terminator());
            timing_markers::mark_barrier(&self.builder, self.function);
            self.builder.of_no_line();
        }
        let uniform_slots = live
            .touched(region)
            .iter()
            .filter_map(|slot| {
                let place = *self.uniform_slots.get(slot)?;
                let value = self.builder.load(self.slots[slot], place, BASE_ALIGNMENT);
                Some((*slot, value))
            })
            .collect();
        let ids = match Execution::of(region) {
            Execution::Once => self.once(number, [body, end, done]),
            Execution::Loops { vectors } => {
                self.loops(number, [body, end, done], vectors.then_some(access_group))
            }
        };
        let loop_body = LoopBody {
            start: body,
            end,
            ids,
            access_group,
            uniform_slots,
        };
        self.work_item(region, regions, live, &loop_body);
        self.leave(region, done);
    }

    /// Branches from the header of a region to its body, and from the body's end on. Gives the local
    /// ids.
    fn once(&self, number: usize, [body, end, done]: [Block; 3]) -> [Value; 3] {
        let b = &self.builder;
        b.at_end(self.headers[number]);
        b.branch(body);
        b.at_end(end);
        b.branch(done);
        [b.i32().constant(0); 3]
    }

    /// Writes loops over the work-items around the body; sizes are at least one. Accesses of the
    /// access group, if there is one, are parallel. Gives the local ids.
    fn loops(
        &self,
        number: usize,
        [body, end, done]: [Block; 3],
        access_group: Option<MetadataRef>,
    ) -> [Value; 3] {
        let b = &self.builder;
        let i32 = b.i32();
        let name = |part: &str| format!("region{number}.{part}");
        let mut ids = [i32.constant(0); 3];
        let mut from = self.headers[number];
        let mut heads = Vec::new();
        for d in self.order {
            let head = if d == self.order[2] {
                body
            } else {
                body.insert_before(&name(["x", "y", "z"][d]))
            };
            b.at_end(from);
            b.branch(head);
            b.at_end(head);
            let id = b.phi(i32, ["x", "y", "z"][d]);
            id.add_incoming(i32.constant(0), from);
            ids[d] = id;
            heads.push((d, head));
            from = head;
        }
        let mut latch = end;
        for (d, head) in heads.into_iter().rev() {
            b.at_end(latch);
            let next = b.add(ids[d], i32.constant(1)).no_wrap();
            ids[d].add_incoming(next, latch);
            let size = fault::work_items_to_run(b, d, self.range.local_size_32[d]);
            let more = b.compare(LLVMIntPredicate::LLVMIntULT, next, size);
            let outer = match self.order.iter().position(|&o| o == d) {
                Some(around) if around > 0 => {
                    let names = ["x_latch", "y_latch", "z_latch"];
                    let name = name(names[self.order[around - 1]]);
                    self.function.append_block(&name)
                }
                _ => done,
            };
            let branch = b.branch_if(more, head, outer);
            let kind = match self.order.iter().position(|&o| o == d) {
                Some(2) => Some(LoopKind::WorkItems),
                Some(1) => Some(LoopKind::Rows),
                _ => None,
            };
            if kind == Some(LoopKind::WorkItems) {
                self.mark_loop(branch, access_group);
            }
            if let Some(kind) = kind.filter(|_| self.lanes) {
                let descriptor = LoopDescriptor {
                    trip_count: size.as_integer(),
                    vectorized_loop: None,
                };
                descriptor.attach(branch, kind);
            }
            latch = outer;
        }
        ids
    }

    /// Adds loop metadata: accesses of different iterations are independent, as work-items are within
    /// a region; or, without an access group, LLVM must not vectorise the loop.
    fn mark_loop(&self, branch: Value, access_group: Option<MetadataRef>) {
        let context = self.builder.context;
        let text = |text: &str| ir::metadata_text(context, text);
        let property = match access_group {
            Some(access_group) => [text("llvm.loop.parallel_accesses"), access_group],
            None => {
                let no = Type::integer(context, 1).constant(0);
                [
                    text("llvm.loop.vectorize.enable"),
                    ir::metadata_constant(no),
                ]
            }
        };
        let id = ir::metadata_loop_id(context, &[ir::metadata_node(context, &property.map(Some))]);
        branch.set_metadata(ir::metadata_kind(context, "llvm.loop"), id);
    }

    /// Branches from the end of a region's loops to the next region.
    fn leave(&self, region: &Region, done: Block) {
        let b = &self.builder;
        let target = |exit: &Exit| match exit {
            Exit::Region(number) => self.headers[*number],
            Exit::Return => {
                let block = self.function.append_block("return");
                b.at_end(block);
                b.return_void();
                block
            }
        };
        let targets: Vec<Block> = region.exits.iter().map(target).collect();
        b.at_end(done);
        match targets.as_slice() {
            // A region without exits is an infinite loop.
            [] => {
                b.return_void();
            }
            [only] => {
                b.branch(*only);
            }
            [first, rest @ ..] => {
                let next = b.load(b.i32(), self.next, 4);
                let cases: Vec<_> = rest
                    .iter()
                    .enumerate()
                    .map(|(index, block)| (b.i32().constant(index as u64 + 1), *block))
                    .collect();
                b.switch(next, *first, &cases);
            }
        }
    }
}
