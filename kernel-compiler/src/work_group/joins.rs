//! Joins: blocks at which regions end without a barrier, so that code that several barriers lead to
//! is not copied into the region of each. With a sequence of conditional barriers, the copies would
//! grow with the square of their number.
//!
//! A region may end at a block that post-dominates its start: if one work-item reaches the block
//! before any barrier, all do, since a barrier that some execute is executed by all, in a loop by all
//! in the same iteration (OpenCL 1.2, section 6.12.8).

use super::barrier_split::split_before;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::PostDominators;
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// The joins at which regions end.
#[derive(Default)]
pub struct Joins {
    /// By a region's first block: the join at which it ends.
    of_start: HashMap<Block, Block>,
}

impl Joins {
    /// Finds the joins of regions that begin at `starts` or at joins, and splits them from their φs.
    pub fn make(kernel: Value, starts: &[Block], is_barrier: impl Fn(Block) -> bool) -> Self {
        let cfg = Cfg::compute(kernel);
        let post_dominators = PostDominators::compute(&cfg.graph);
        let post_dominator = |block| {
            let nearest = post_dominators.immediate(cfg.number(block))?;
            Some(cfg.blocks[nearest])
        };
        let meetings = meetings(&cfg, starts, is_barrier);
        let mut nearest: HashMap<Block, Option<Block>> = HashMap::new();
        let mut of_start = HashMap::new();
        let mut pending = starts.to_vec();
        while let Some(start) = pending.pop() {
            let Some(join) = following(&post_dominator, &meetings, &mut nearest, start) else {
                continue;
            };
            if of_start.insert(start, join).is_none() {
                pending.push(join);
            }
        }
        let builder = Builder::new(kernel.ty().context());
        for join in of_start.values().collect::<HashSet<_>>() {
            if join.instructions()[0].is(Opcode::LLVMPHI) {
                split_before(&builder, join.first_after_phis());
            }
        }
        Self { of_start }
    }

    /// The join at which the region that begins at `start` ends.
    pub fn ending(&self, start: Block) -> Option<Block> {
        self.of_start.get(&start).copied()
    }
}

/// The nearest meeting that strictly post-dominates a block.
fn following(
    post_dominator: &dyn Fn(Block) -> Option<Block>,
    meetings: &HashSet<Block>,
    nearest: &mut HashMap<Block, Option<Block>>,
    block: Block,
) -> Option<Block> {
    let mut passed = vec![block];
    let found = loop {
        let last = passed[passed.len() - 1];
        if let Some(known) = nearest.get(&last) {
            break *known;
        }
        match post_dominator(last) {
            Some(next) if !meetings.contains(&next) => passed.push(next),
            found => break found,
        }
    };
    nearest.extend(passed.into_iter().map(|block| (block, found)));
    found
}

/// The blocks that can be reached without a barrier from several origins: starts or other such
/// blocks.
fn meetings(cfg: &Cfg, starts: &[Block], is_barrier: impl Fn(Block) -> bool) -> HashSet<Block> {
    let order = cfg.graph.postorder.iter().rev();
    let order: Vec<Block> = order.map(|&block| cfg.blocks[block]).collect();
    let rank: HashMap<Block, usize> = order.iter().copied().zip(0..).collect();
    // Meetings with back edges, found by a pass over all blocks; the next pass starts from them.
    let mut at_back_edges: HashSet<Block> = HashSet::new();
    loop {
        let known = at_back_edges.len();
        let mut meetings = at_back_edges.clone();
        // By block: the last start or meeting that control has passed.
        let origins = starts.iter().chain(&at_back_edges);
        let mut origin: HashMap<Block, Block> = origins.map(|block| (*block, *block)).collect();
        for (place, block) in order.iter().enumerate() {
            let Some(&from) = origin.get(block).filter(|_| !is_barrier(*block)) else {
                continue;
            };
            for next in block.successors() {
                if is_barrier(next) || meetings.contains(&next) {
                    continue;
                }
                let before = *origin.entry(next).or_insert(from);
                if before == from {
                    continue;
                }
                if rank[&next] <= place {
                    at_back_edges.insert(next);
                } else {
                    meetings.insert(next);
                    origin.insert(next, next);
                }
            }
        }
        if at_back_edges.len() == known {
            return meetings;
        }
    }
}
