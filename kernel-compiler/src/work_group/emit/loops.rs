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
use std::collections::HashMap;

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
    fn new(region: &Region) -> Self {
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

/// The blocks around the code of a work-item.
pub struct LoopBlocks {
    /// Before the loops.
    pub header: Block,
    /// The innermost loop's first block.
    pub body: Block,
    /// The innermost loop's last block.
    pub end: Block,
    /// After the loops.
    pub done: Block,
}

impl Emitter {
    /// Writes a region, from its header to branches to the headers of its successors.
    pub fn region(&mut self, number: usize, region: &Region, regions: &Regions, live: &LiveSlots) {
        let name = |part: &str| format!("region{number}.{part}");
        let blocks = LoopBlocks {
            header: self.headers[number],
            body: self.function.append_block(&name("work_item")),
            done: self.function.append_block(&name("done")),
            end: self.function.append_block(&name("end")),
        };
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
        let uniform_slots = self.load_uniform_slots(region, live);
        let ids = match Execution::new(region) {
            Execution::Once => self.once(&blocks),
            Execution::Loops { vectors } => self.loops(
                &format!("region{number}"),
                &blocks,
                vectors.then_some(access_group),
                self.lanes,
            ),
        };
        let body = LoopBody {
            start: blocks.body,
            end: blocks.end,
            ids,
            access_group,
            uniform_slots,
            arrived_at: None,
        };
        self.work_item(region, regions, live, &body);
        self.leave(region, blocks.done);
    }

    /// Loads the group's slots that a region accesses.
    pub fn load_uniform_slots(&self, region: &Region, live: &LiveSlots) -> HashMap<Value, Value> {
        let slots = live.touched(region).iter();
        let loads = slots.filter_map(|slot| {
            let place = *self.uniform_slots.get(slot)?;
            let value = self.builder.load(self.slots[slot], place, BASE_ALIGNMENT);
            Some((*slot, value))
        });
        loads.collect()
    }

    /// Branches from the header of a region to its body, and from the body's end on. Gives the local
    /// ids.
    fn once(&self, blocks: &LoopBlocks) -> [Value; 3] {
        let b = &self.builder;
        b.at_end(blocks.header);
        b.branch(blocks.body);
        b.at_end(blocks.end);
        b.branch(blocks.done);
        [b.i32().constant(0); 3]
    }

    /// Writes loops over the work-items around the body; sizes are at least one. Accesses of the
    /// access group, if there is one, are parallel. The loops may become `lanes`. Gives the local ids.
    pub fn loops(
        &self,
        name: &str,
        &LoopBlocks {
            header,
            body,
            end,
            done,
        }: &LoopBlocks,
        access_group: Option<MetadataRef>,
        lanes: bool,
    ) -> [Value; 3] {
        let b = &self.builder;
        let i32 = b.i32();
        let name = |part: &str| format!("{name}.{part}");
        let mut ids = [i32.constant(0); 3];
        let mut from = header;
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
                Some(0) => Some(LoopKind::Planes),
                _ => None,
            };
            if kind == Some(LoopKind::WorkItems) {
                self.mark_loop(branch, access_group);
            }
            if let Some(kind) = kind.filter(|_| lanes) {
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

    /// The block that follows an exit.
    pub fn target(&self, exit: Exit) -> Block {
        exit.next().map_or_else(
            || {
                let block = self.function.append_block("return");
                self.builder.at_end(block);
                self.builder.return_void();
                block
            },
            |number| self.headers[number],
        )
    }

    /// Branches from the end of a region's loops to the next region.
    fn leave(&self, region: &Region, done: Block) {
        if region.separates {
            self.leave_if_agreed(region, done);
            return;
        }
        let b = &self.builder;
        let exits = region.exits.iter();
        let targets: Vec<Block> = exits.map(|exit| self.target(*exit)).collect();
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
