//! The control flow graph of a function.

use super::graph::Graph;
use crate::ir::{Block, Value};
use std::collections::HashMap;

/// A function's blocks by number, and the graph of these numbers. The entry is block 0.
pub struct Cfg {
    /// In the function's order.
    pub blocks: Vec<Block>,
    numbers: HashMap<Block, usize>,
    /// Edges between blocks; a branch that names a block twice has two.
    pub graph: Graph,
}

impl Cfg {
    /// The control flow graph of `function`.
    pub fn compute(function: Value) -> Self {
        let blocks = function.blocks();
        let numbers: HashMap<Block, usize> = blocks.iter().copied().zip(0..).collect();
        let successors = blocks
            .iter()
            .map(|block| block.successors().iter().map(|to| numbers[to]).collect())
            .collect();
        Self {
            graph: Graph::new(successors, 0),
            blocks,
            numbers,
        }
    }

    /// The number of one of the function's blocks.
    pub fn number(&self, block: Block) -> usize {
        self.numbers[&block]
    }

    /// One entry per edge, in the order of the terminator.
    pub fn successors(&self, block: usize) -> &[usize] {
        &self.graph.successors[block]
    }

    /// The reachable blocks that branch to `block`, each once.
    pub fn predecessors(&self, block: usize) -> &[usize] {
        &self.graph.predecessors[block]
    }

    /// The only block that control can go to from `block`, if there is exactly one.
    pub fn unique_successor(&self, block: usize) -> Option<usize> {
        let (first, rest) = self.successors(block).split_first()?;
        rest.iter().all(|other| other == first).then_some(*first)
    }
}

/// Whether there is a cycle among the blocks that `successors` leads to from `start`.
pub fn has_cycle(start: Block, successors: impl Fn(Block) -> Vec<Block>) -> bool {
    // Without a cycle, blocks can be removed one by one, each once its predecessors are gone.
    let mut incoming = HashMap::from([(start, 0usize)]);
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        for successor in successors(block) {
            let count = incoming.entry(successor).or_insert_with(|| {
                pending.push(successor);
                0
            });
            *count += 1;
        }
    }
    if incoming[&start] > 0 {
        return true;
    }
    let mut free = vec![start];
    let mut removed = 0;
    while let Some(block) = free.pop() {
        removed += 1;
        for successor in successors(block) {
            if let Some(count) = incoming.get_mut(&successor) {
                *count -= 1;
                if *count == 0 {
                    free.push(successor);
                }
            }
        }
    }
    removed < incoming.len()
}
