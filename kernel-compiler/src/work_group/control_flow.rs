//! What the passes need to know of a kernel's control flow: dominators,
//! post-dominators and natural loops. Kernels have few blocks, so plain sets do.

use crate::ir::{Block, Value};
use std::collections::{HashMap, HashSet};

/// A set of blocks by number.
type Set = Vec<bool>;

/// The control flow graph of a function, without blocks that cannot be reached.
pub struct ControlFlow {
    /// In the function's order; the entry first.
    pub blocks: Vec<Block>,
    number: HashMap<Block, usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// For each block those on every way from the entry to it.
    dominators: Vec<Set>,
    /// For each block those on every way from it to a return; the function's end is
    /// one more block, after the others.
    post_dominators: Vec<Set>,
}

/// A natural loop with one latch, which is also the only block that leaves it, a
/// preheader, and an exit that is entered from the latch only.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Entered from preheader and latch.
    pub header: Block,
    /// Goes to the header only; outside the loop.
    pub preheader: Block,
    /// Goes to header and exit.
    pub latch: Block,
    /// Where the loop is left to.
    pub exit: Block,
    /// All its blocks.
    pub blocks: HashSet<Block>,
}

impl ControlFlow {
    /// Finds it.
    pub fn of(function: Value) -> Self {
        let entry = function.entry_block();
        let mut reached = HashSet::from([entry]);
        let mut pending = vec![entry];
        while let Some(block) = pending.pop() {
            for successor in block.successors() {
                if reached.insert(successor) {
                    pending.push(successor);
                }
            }
        }
        let mut blocks = function.blocks();
        blocks.retain(|block| reached.contains(block));
        let number: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| block.successors().iter().map(|s| number[s]).collect())
            .collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (from, successors) in successors.iter().enumerate() {
            for &to in successors {
                if !predecessors[to].contains(&from) {
                    predecessors[to].push(from);
                }
            }
        }
        let end = blocks.len();
        let to_the_end: Vec<Vec<usize>> = successors
            .iter()
            .map(|s| if s.is_empty() { vec![end] } else { s.clone() })
            .chain([Vec::new()])
            .collect();
        Self {
            dominators: on_every_way(&predecessors, 0),
            post_dominators: on_every_way(&to_the_end, end),
            blocks,
            number,
            successors,
            predecessors,
        }
    }

    /// Blocks that not all work-items run if the branch at the end of `block` goes
    /// different ways for them, and, if there is one, the block where all meet again.
    pub fn influence(&self, block: Block) -> (HashSet<Block>, Option<Block>) {
        let from = self.number[&block];
        // The nearest strict post-dominator has the most post-dominators itself.
        let rank = |b: &usize| self.post_dominators[*b].iter().filter(|on| **on).count();
        let meeting = (0..=self.blocks.len())
            .filter(|&b| b != from && self.post_dominators[from][b])
            .max_by_key(rank);
        let mut influenced = HashSet::new();
        let mut pending = self.successors[from].clone();
        while let Some(next) = pending.pop() {
            if Some(next) != meeting && influenced.insert(self.blocks[next]) {
                pending.extend(&self.successors[next]);
            }
        }
        (
            influenced,
            meeting.and_then(|b| self.blocks.get(b)).copied(),
        )
    }

    /// The loops of the simple form, innermost first.
    pub fn loops(&self) -> Vec<Loop> {
        let mut found = Vec::new();
        for header in 0..self.blocks.len() {
            let (latches, outside): (Vec<usize>, Vec<usize>) = self.predecessors[header]
                .iter()
                .partition(|&&from| self.dominators[from][header]);
            let (&[latch], &[preheader]) = (latches.as_slice(), outside.as_slice()) else {
                continue;
            };
            let mut body = HashSet::from([header, latch]);
            let mut pending = vec![latch];
            while let Some(block) = pending.pop() {
                if block == header {
                    continue;
                }
                for &from in &self.predecessors[block] {
                    if body.insert(from) {
                        pending.push(from);
                    }
                }
            }
            let mut exits = Vec::new();
            for &block in &body {
                for &to in &self.successors[block] {
                    if !body.contains(&to) {
                        exits.push((block, to));
                    }
                }
            }
            let &[(leaving, exit)] = exits.as_slice() else {
                continue;
            };
            if leaving != latch
                || self.successors[preheader] != [header]
                || self.predecessors[exit] != [latch]
            {
                continue;
            }
            found.push(Loop {
                header: self.blocks[header],
                preheader: self.blocks[preheader],
                latch: self.blocks[latch],
                exit: self.blocks[exit],
                blocks: body.into_iter().map(|b| self.blocks[b]).collect(),
            });
        }
        found.sort_by_key(|l| l.blocks.len());
        found
    }

    /// Whether a block lies on some way from itself to itself.
    pub fn is_in_a_cycle(&self, block: Block) -> bool {
        let start = self.number[&block];
        let mut seen = HashSet::new();
        let mut pending = self.successors[start].clone();
        while let Some(next) = pending.pop() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                pending.extend(&self.successors[next]);
            }
        }
        false
    }
}

/// Whether there is a cycle among the blocks that `next` leads to from `start`.
pub fn has_cycle(start: Block, next: impl Fn(Block) -> Vec<Block>) -> bool {
    // Without one, blocks can be taken away one by one, each after all that lead to it.
    let mut leading = HashMap::from([(start, 0usize)]);
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        for successor in next(block) {
            let count = leading.entry(successor).or_insert_with(|| {
                pending.push(successor);
                0
            });
            *count += 1;
        }
    }
    if leading[&start] > 0 {
        return true;
    }
    let mut free = vec![start];
    let mut taken = 0;
    while let Some(block) = free.pop() {
        taken += 1;
        for successor in next(block) {
            if let Some(count) = leading.get_mut(&successor) {
                *count -= 1;
                if *count == 0 {
                    free.push(successor);
                }
            }
        }
    }
    taken < leading.len()
}

/// For each node those on every way from `root` to it along the reverse of `sources`.
fn on_every_way(sources: &[Vec<usize>], root: usize) -> Vec<Set> {
    let count = sources.len();
    let mut sets = vec![vec![true; count]; count];
    sets[root] = vec![false; count];
    sets[root][root] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for node in (0..count).filter(|&node| node != root) {
            let mut set = vec![!sources[node].is_empty(); count];
            for &source in &sources[node] {
                for (on, also) in set.iter_mut().zip(&sets[source]) {
                    *on &= also;
                }
            }
            set[node] = true;
            if set != sets[node] {
                sets[node] = set;
                changed = true;
            }
        }
    }
    sets
}
