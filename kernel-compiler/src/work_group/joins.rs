//! Joins: blocks at which regions end without a barrier, so that code that several barriers lead to
//! is not copied into the region of each. With a sequence of conditional barriers, the copies would
//! grow with the square of their number.
//!
//! A region may end at a block that post-dominates its start: if one work-item reaches the block
//! before any barrier, all do, since a barrier that some execute is executed by all, in a loop by all
//! in the same iteration (OpenCL 1.2, section 6.12.8).
//!
//! Edges from code that leads to a barrier to code that does not are left out of this: all work-items
//! take them, or none, for the same reason. So a return between two barriers does not take away the
//! joins of the code around it. A work-item that takes such an edge alone arrives at another exit of
//! the region than the others: a branch that may do that separates work-items (`separates`).

use super::barrier_split::split_before;
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::PostDominators;
use crate::analysis::graph::{self, Graph};
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
        let meetings = meetings(&cfg, starts, &is_barrier);
        let staying = without_leaving_edges(&cfg, &is_barrier);
        let mut of_staying = NearestMeetings::new(&cfg, &staying, &meetings);
        // Of code that is left by such an edge only, as some loops are.
        let mut of_all = NearestMeetings::new(&cfg, &cfg.graph, &meetings);
        let mut of_start = HashMap::new();
        let mut pending = starts.to_vec();
        while let Some(start) = pending.pop() {
            let join = of_staying.following(start);
            let Some(join) = join.or_else(|| of_all.following(start)) else {
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

/// The graph of `cfg` without the edges from code that leads to a barrier to code that does not.
fn without_leaving_edges(cfg: &Cfg, is_barrier: impl Fn(Block) -> bool) -> Graph {
    let barriers = (0..cfg.blocks.len()).filter(|&block| is_barrier(cfg.blocks[block]));
    let mut leads_to_barrier = vec![false; cfg.blocks.len()];
    for block in graph::postorder(&cfg.graph.predecessors, barriers) {
        leads_to_barrier[block] = true;
    }
    let mut successors = cfg.graph.successors.clone();
    for (block, next) in successors.iter_mut().enumerate() {
        if leads_to_barrier[block] && !is_barrier(cfg.blocks[block]) {
            next.retain(|&next| leads_to_barrier[next]);
        }
    }
    Graph::new(successors, cfg.graph.root)
}

/// The nearest meetings that strictly post-dominate blocks in a graph.
struct NearestMeetings<'a> {
    cfg: &'a Cfg,
    post_dominators: PostDominators,
    meetings: &'a HashSet<Block>,
    /// What has been found.
    nearest: HashMap<Block, Option<Block>>,
}

impl<'a> NearestMeetings<'a> {
    fn new(cfg: &'a Cfg, graph: &Graph, meetings: &'a HashSet<Block>) -> Self {
        Self {
            cfg,
            post_dominators: PostDominators::compute(graph),
            meetings,
            nearest: HashMap::new(),
        }
    }

    /// Of `block`.
    fn following(&mut self, block: Block) -> Option<Block> {
        let mut passed = vec![block];
        let found = loop {
            let last = passed[passed.len() - 1];
            if let Some(known) = self.nearest.get(&last) {
                break *known;
            }
            let next = self.post_dominators.immediate(self.cfg.number(last));
            match next.map(|next| self.cfg.blocks[next]) {
                Some(next) if !self.meetings.contains(&next) => passed.push(next),
                found => break found,
            }
        };
        let passed = passed.into_iter().map(|block| (block, found));
        self.nearest.extend(passed);
        found
    }
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
