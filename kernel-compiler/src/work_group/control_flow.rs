//! What the passes need to know of a kernel's control flow: dominators,
//! post-dominators, cycles and natural loops.

use super::dominators::{Dominators, postorder};
use crate::ir::{Block, Value};
use std::collections::{HashMap, HashSet};

/// The control flow graph of a function, without blocks that cannot be reached.
pub struct ControlFlow {
    /// In the function's order; the entry first.
    pub blocks: Vec<Block>,
    number: HashMap<Block, usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// From the entry.
    dominators: Dominators,
    /// From the function's end, which is one more block, after the others.
    post_dominators: Dominators,
    /// Blocks that can be reached from themselves.
    in_a_cycle: Vec<bool>,
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
        let predecessors = reversed(&successors);
        let end = blocks.len();
        let to_the_end: Vec<Vec<usize>> = successors
            .iter()
            .map(|s| if s.is_empty() { vec![end] } else { s.clone() })
            .chain([Vec::new()])
            .collect();
        Self {
            dominators: Dominators::of(&successors, &predecessors, 0),
            post_dominators: Dominators::of(&reversed(&to_the_end), &to_the_end, end),
            in_a_cycle: in_a_cycle(&successors, &predecessors),
            blocks,
            number,
            successors,
            predecessors,
        }
    }

    /// What branches decide on.
    pub fn influence(&self) -> Influence<'_> {
        Influence {
            flow: self,
            followed: HashSet::new(),
        }
    }

    /// The loops of the simple form, innermost first.
    pub fn loops(&self) -> Vec<Loop> {
        let mut found = Vec::new();
        for header in 0..self.blocks.len() {
            let (latches, outside): (Vec<usize>, Vec<usize>) = self.predecessors[header]
                .iter()
                .partition(|&&from| self.dominators.dominates(header, from));
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

    /// The nearest block that every path from `block` to the function's end passes after it. None
    /// if `block` cannot be reached.
    pub fn post_dominator(&self, block: Block) -> Option<Block> {
        let nearest = self.post_dominators.immediate(*self.number.get(&block)?)?;
        self.blocks.get(nearest).copied()
    }

    /// Whether a block lies on some way from itself to itself.
    pub fn is_in_a_cycle(&self, block: Block) -> bool {
        self.in_a_cycle[self.number[&block]]
    }
}

/// What branches decide on, branch by branch.
pub struct Influence<'a> {
    flow: &'a ControlFlow,
    /// Blocks that were followed, and the meeting that they were followed to.
    followed: HashSet<(usize, Option<usize>)>,
}

impl Influence<'_> {
    /// Blocks that not all work-items run if the branch at the end of `block` goes
    /// different ways for them, and, if there is one, the block where all meet again.
    /// Blocks that lead to the same meeting are given once.
    pub fn of(&mut self, block: Block) -> (Vec<Block>, Option<Block>) {
        let flow = self.flow;
        let from = flow.number[&block];
        let meeting = flow.post_dominators.immediate(from);
        let mut influenced = Vec::new();
        let mut pending = flow.successors[from].clone();
        while let Some(next) = pending.pop() {
            if Some(next) != meeting && self.followed.insert((next, meeting)) {
                influenced.push(flow.blocks[next]);
                pending.extend(&flow.successors[next]);
            }
        }
        let meeting = meeting.and_then(|b| flow.blocks.get(b)).copied();
        (influenced, meeting)
    }
}

/// For each node those that lead to it, each once.
fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, successors) in successors.iter().enumerate() {
        for &to in successors {
            if predecessors[to].last() != Some(&from) {
                predecessors[to].push(from);
            }
        }
    }
    predecessors
}

/// Which nodes can be reached from themselves (strongly connected components by Kosaraju and
/// Sharir).
fn in_a_cycle(successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<bool> {
    let mut found: Vec<bool> = successors
        .iter()
        .enumerate()
        .map(|(node, successors)| successors.contains(&node))
        .collect();
    let mut taken = vec![false; successors.len()];
    for root in postorder(successors, 0..successors.len()).into_iter().rev() {
        let mut component = Vec::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut taken[node], true) {
                component.push(node);
                pending.extend(&predecessors[node]);
            }
        }
        if component.len() > 1 {
            for node in component {
                found[node] = true;
            }
        }
    }
    found
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
