//! Joins: blocks in which regions end although there is no cut, so that what several cuts reach
//! is not copied into the region of each. With many conditional barriers, one after another, the
//! copies would grow with the square of their number.
//!
//! A region may end at a block that post-dominates its start: a work-item that reaches the block
//! before any cut has all others with it, since a barrier that some execute is executed by all, in a
//! loop by all in the same round (OpenCL 1.2, section 6.12.8).

use super::barrier_split::split_before;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::PostDominators;
use crate::ir::{Block, Builder, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Where regions end that do not end at a cut.
#[derive(Default)]
pub struct Joins {
    /// By a region's first block.
    of_start: HashMap<Block, Block>,
}

impl Joins {
    /// Finds the joins of regions that begin at `starts`, and of those that begin at joins. Joins
    /// get blocks without φs.
    pub fn make(kernel: Value, starts: &[Block], is_cut: impl Fn(Block) -> bool) -> Self {
        let cfg = Cfg::of(kernel);
        let post_dominators = PostDominators::of(&cfg.graph);
        let post_dominator = |block| {
            let nearest = post_dominators.immediate(cfg.number(block))?;
            Some(cfg.blocks[nearest])
        };
        let meetings = meetings(&cfg, starts, is_cut);
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

    /// Where the region that begins at `start` ends.
    pub fn of(&self, start: Block) -> Option<Block> {
        self.of_start.get(&start).copied()
    }
}

/// The nearest meeting that post-dominates a block, other than the block itself.
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

/// The blocks that regions reach from different beginnings: from several starts, or from a start
/// and another such block.
fn meetings(cfg: &Cfg, starts: &[Block], is_cut: impl Fn(Block) -> bool) -> HashSet<Block> {
    let order = cfg.graph.postorder.iter().rev();
    let order: Vec<Block> = order.map(|&block| cfg.blocks[block]).collect();
    let rank: HashMap<Block, usize> = order.iter().copied().zip(0..).collect();
    // Meetings with what comes round a loop, which is known only after a pass over all blocks.
    let mut of_loops: HashSet<Block> = HashSet::new();
    loop {
        let known = of_loops.len();
        let mut meetings = of_loops.clone();
        // Where control came from last: a start or a meeting.
        let beginnings = starts.iter().chain(&of_loops);
        let mut origin: HashMap<Block, Block> = beginnings.map(|block| (*block, *block)).collect();
        for (place, block) in order.iter().enumerate() {
            let Some(&from) = origin.get(block).filter(|_| !is_cut(*block)) else {
                continue;
            };
            for next in block.successors() {
                if is_cut(next) || meetings.contains(&next) {
                    continue;
                }
                let before = *origin.entry(next).or_insert(from);
                if before == from {
                    continue;
                }
                if rank[&next] <= place {
                    of_loops.insert(next);
                } else {
                    meetings.insert(next);
                    origin.insert(next, next);
                }
            }
        }
        if of_loops.len() == known {
            return meetings;
        }
    }
}
