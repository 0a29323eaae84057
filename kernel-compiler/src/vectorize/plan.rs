//! What is decided about a loop over work-items before vector code is written: the shapes of its
//! values and the masks of its blocks.

use super::cost::group_loops::GroupLoops;
use super::index_ranges::IndexRange;
use super::loop_body::LoopBody;
use super::private_arrays::ArrayLayout;
use super::vector_unit::VectorUnit;
use super::work_item_loop::WorkItemLoop;
use crate::analysis::addressing::Addressing;
use crate::analysis::compact_cfg::CompactCfg;
use crate::analysis::divergence::Divergence;
use crate::analysis::effects::reports_finding;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Block, DataLayout, Value};
use std::collections::HashMap;

/// Where a block's mask comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskSource {
    /// All lanes that entered the body.
    Entry,
    /// The mask of an earlier block, all of whose lanes come to this one.
    Same(usize),
    /// The union of the masks of the block's incoming edges.
    Own,
}

/// How the work-items of an index range of a loop are vectorised. Blocks have the numbers of the
/// loop's control flow graph.
pub struct VectorPlan<'a> {
    function: Value,
    layout: DataLayout,
    lanes: u32,
    vectors: VectorUnit,
    body: &'a LoopBody<'a>,
    range: IndexRange,
    arrays: &'a [ArrayLayout],
    divergence: Divergence,
    block_numbers: HashMap<Block, usize>,
    masks: Vec<MaskSource>,
    /// Blocks that report findings of checked code.
    reports: Vec<bool>,
}

impl<'a> VectorPlan<'a> {
    /// Finds shapes and masks for `lanes` lanes. `arrays` are the layouts of the loop's private
    /// arrays, in its order.
    pub fn new(
        function: Value,
        body: &'a LoopBody<'a>,
        range: IndexRange,
        lanes: u32,
        vectors: VectorUnit,
        arrays: &'a [ArrayLayout],
    ) -> Self {
        let addressing = Addressing::compute(function);
        let known = known_shapes(body.work_items, &range, arrays, lanes);
        let divergence = Divergence::find(&body.blocks, &body.cfg, known, addressing, lanes);
        Self {
            function,
            layout: addressing.layout,
            lanes,
            vectors,
            block_numbers: body.blocks.iter().copied().zip(0..).collect(),
            masks: mask_sources(&body.cfg, &divergence),
            reports: body.blocks.iter().map(|b| reports_finding(*b)).collect(),
            body,
            range,
            arrays,
            divergence,
        }
    }

    /// The function that holds the loop.
    pub fn function(&self) -> Value {
        self.function
    }

    /// Sizes and alignments of types.
    pub fn layout(&self) -> DataLayout {
        self.layout
    }

    /// Lanes of a vector.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// The vector unit that code is made for.
    pub fn vectors(&self) -> VectorUnit {
        self.vectors
    }

    /// The loop over work-items.
    pub fn work_items(&self) -> &'a WorkItemLoop {
        self.body.work_items
    }

    /// The loops of the group around the loop over work-items, where costs are estimated.
    pub fn group_loops(&self) -> Option<&'a GroupLoops> {
        self.body.group_loops.as_ref()
    }

    /// The work-items that the plan is for.
    pub fn range(&self) -> &IndexRange {
        &self.range
    }

    /// The loop's private arrays, each with its layout.
    pub fn arrays(&self) -> impl Iterator<Item = (Value, ArrayLayout)> {
        let arrays = self.work_items().private_arrays.iter();
        arrays.copied().zip(self.arrays.iter().copied())
    }

    /// Control flow of the loop's body.
    pub fn cfg(&self) -> &'a CompactCfg {
        &self.body.cfg
    }

    /// Where lanes diverge.
    pub fn divergence(&self) -> &Divergence {
        &self.divergence
    }

    /// How a value differs from lane to lane.
    pub fn shape(&self, value: Value) -> Shape {
        self.divergence.shape(value)
    }

    /// The loop's blocks, by number.
    pub fn blocks(&self) -> &'a [Block] {
        &self.body.blocks
    }

    /// The number of a block; none outside the loop.
    pub fn block_number(&self, block: Block) -> Option<usize> {
        self.block_numbers.get(&block).copied()
    }

    /// Whether a value is computed in the loop.
    pub fn is_inside(&self, value: Value) -> bool {
        value.is_instruction() && self.block_numbers.contains_key(&value.block())
    }

    /// Where the mask of each block comes from, by number.
    pub fn masks(&self) -> &[MaskSource] {
        &self.masks
    }

    /// Whether a block reports findings of checked code, which is seldom.
    pub fn is_report(&self, number: usize) -> bool {
        self.reports[number]
    }

    /// Whether a block runs seldom.
    pub fn is_rare(&self, number: usize) -> bool {
        self.body.rare[number]
    }

    /// Whether a block ends with the branch of a check.
    pub fn is_check(&self, number: usize) -> bool {
        let mut successors = self.cfg().successors[number].iter();
        successors.any(|to| self.is_report(*to))
    }

    /// Whether accesses are checked.
    pub fn has_checks(&self) -> bool {
        self.reports.contains(&true)
    }

    /// The loop's instructions, block by block.
    pub fn instructions(&self) -> impl Iterator<Item = Value> {
        self.blocks().iter().flat_map(|block| block.instructions())
    }
}

/// Shapes that do not follow from operands: the induction variable counts work-items, each lane
/// has its private arrays, and comparisons with a known outcome are uniform.
fn known_shapes(
    work_items: &WorkItemLoop,
    range: &IndexRange,
    arrays: &[ArrayLayout],
    lanes: u32,
) -> HashMap<Value, Shape> {
    // A range starts at a multiple of the number of lanes.
    let mut known = HashMap::from([(work_items.induction, Shape::counting(lanes))]);
    for (array, layout) in work_items.private_arrays.iter().zip(arrays) {
        known.insert(*array, Shape::addresses(layout.lane_stride));
    }
    let comparisons = range.known_comparisons.keys();
    known.extend(comparisons.map(|comparison| (*comparison, Shape::Uniform)));
    known
}

fn mask_sources(cfg: &CompactCfg, divergence: &Divergence) -> Vec<MaskSource> {
    (0..cfg.len())
        .map(|block| {
            if !divergence.masked[block] {
                return MaskSource::Entry;
            }
            if let Some(number) = cfg.innermost[block]
                && cfg.loops[number].header == block
            {
                return if divergence.divergent_loops[number] {
                    MaskSource::Own
                } else {
                    MaskSource::Same(cfg.predecessors[block][0])
                };
            }
            let mut dominator = cfg.dominator[block];
            while cfg.innermost[dominator] != cfg.innermost[block] && dominator > 0 {
                dominator = cfg.dominator[dominator];
            }
            if cfg.innermost[dominator] == cfg.innermost[block]
                && cfg.post_dominates(block, dominator)
            {
                MaskSource::Same(dominator)
            } else {
                MaskSource::Own
            }
        })
        .collect()
}
