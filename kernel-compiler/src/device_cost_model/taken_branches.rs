//! Branches that are taken, by how often blocks run: blocks count their runs, edges do not.
//!
//! A block's branch is not taken if control goes to the block that follows in memory. How often it does is a sum of
//! runs of blocks: an edge to a block without another one is run as often as that block, and one from a block with
//! other edges as often as that block without these.

use super::addressing::objects::Addressing;
use super::code::Code;
use crate::analysis::graph::Graph;
use crate::ir::{Opcode, Value};
use std::collections::BTreeMap;

/// Passes over the blocks, in each of which an edge may become known by those of the last one. Nests of loops
/// need one for each level.
const MAX_PASSES: usize = 64;

/// Edges whose runs are a longer sum count as unknown, so that long functions take no more than linear time.
const MAX_TERMS: usize = 64;

/// Runs of an edge as a sum of runs of blocks: their factors.
type Runs = BTreeMap<usize, i32>;

/// The blocks to which control goes at a block's end. Neighbouring cases of a switch with one target need one
/// comparison.
pub fn targets(graph: &Graph, block: usize) -> Vec<usize> {
    let mut targets = graph.successors[block].to_vec();
    targets.dedup();
    targets
}

/// Whether a target may follow a block in memory, so that no branch leads to it.
pub fn can_follow(graph: &Graph, block: usize, target: usize) -> bool {
    target == block + 1 || graph.predecessors[target].len() == 1
}

/// The target that follows a block.
fn follower(graph: &Graph, block: usize) -> Option<usize> {
    let targets = targets(graph, block);
    let next = targets.iter().find(|target| **target == block + 1);
    let next = next.or_else(|| targets.iter().find(|one| can_follow(graph, block, **one)));
    next.copied()
}

/// By block: what a run of it adds to the number of taken branches (`BlockCost::taken`). Programs in OpenCL C
/// cannot read it.
pub fn of_blocks(code: &Code<'_>) -> Vec<i32> {
    let graph = &code.cfg.graph;
    let mut taken = vec![0i32; graph.len()];
    if !matches!(code.addressing(), Addressing::Objects(_)) {
        return taken;
    }
    let edges = Edges::find(graph);
    for (block, instructions) in code.instructions.iter().enumerate() {
        let calls = instructions.iter().filter(|one| is_own_call(**one));
        taken[block] += calls.count() as i32;
        let ends = instructions
            .last()
            .is_some_and(|last| !last.is(Opcode::LLVMUnreachable));
        taken[block] += i32::from(ends);
        // Where the runs of an edge are not known, the branch counts as taken.
        let follower = follower(graph, block);
        let straight = follower.and_then(|follower| edges.runs(block, follower));
        for (block, factor) in straight.into_iter().flatten() {
            taken[*block] -= factor;
        }
    }
    taken
}

/// Whether an instruction calls a function of the program, which branches.
fn is_own_call(instruction: Value) -> bool {
    let is_own = |function: Value| !function.is_declaration();
    instruction.is(Opcode::LLVMCall) && instruction.called_function().is_some_and(is_own)
}

/// The runs of edges.
struct Edges {
    runs: BTreeMap<(usize, usize), Runs>,
}

impl Edges {
    /// Finds those that are known.
    fn find(graph: &Graph) -> Self {
        let mut edges = Self {
            runs: BTreeMap::new(),
        };
        let count = graph.len();
        for _ in 0..MAX_PASSES {
            let known = edges.runs.len();
            for block in 0..count {
                let out: Vec<_> = distinct(&graph.successors[block])
                    .map(|to| (block, to))
                    .collect();
                edges.solve(block, &out);
                let into: Vec<_> = distinct(&graph.predecessors[block])
                    .map(|from| (from, block))
                    .collect();
                // The first block is entered by a call as well.
                if block != graph.root {
                    edges.solve(block, &into);
                }
            }
            if edges.runs.len() == known {
                break;
            }
        }
        edges
    }

    /// All of these edges together run as often as a block: finds the only one that is not known.
    fn solve(&mut self, block: usize, edges: &[(usize, usize)]) {
        let mut unknown = edges.iter().filter(|edge| !self.runs.contains_key(edge));
        let (Some(edge), None) = (unknown.next(), unknown.next()) else {
            return;
        };
        let mut runs = Runs::from([(block, 1)]);
        for (block, factor) in edges
            .iter()
            .filter_map(|edge| self.runs.get(edge))
            .flatten()
        {
            *runs.entry(*block).or_default() -= factor;
        }
        if runs.len() <= MAX_TERMS {
            self.runs.insert(*edge, runs);
        }
    }

    fn runs(&self, from: usize, to: usize) -> Option<&Runs> {
        self.runs.get(&(from, to))
    }
}

fn distinct(blocks: &[usize]) -> impl Iterator<Item = usize> {
    let mut blocks = blocks.to_vec();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of an edge, with these runs of the blocks.
    fn runs(edges: &Edges, from: usize, to: usize, blocks: &[i32]) -> Option<i32> {
        let factors = edges.runs(from, to)?.iter();
        Some(factors.map(|(block, factor)| factor * blocks[*block]).sum())
    }

    #[test]
    fn a_loop_is_repeated_as_often_as_it_is_not_left() {
        let graph = Graph::new(vec![vec![1], vec![1, 2], vec![]], 0);
        let edges = Edges::find(&graph);
        let blocks = [3, 30, 3];
        assert_eq!(runs(&edges, 1, 2, &blocks), Some(3));
        assert_eq!(runs(&edges, 1, 1, &blocks), Some(27));
    }

    #[test]
    fn a_branch_past_a_block_runs_as_often_as_that_does_not() {
        let graph = Graph::new(vec![vec![1], vec![2, 3], vec![3], vec![1, 4], vec![]], 0);
        let edges = Edges::find(&graph);
        let blocks = [1, 10, 4, 10, 1];
        assert_eq!(runs(&edges, 1, 3, &blocks), Some(6));
        assert_eq!(runs(&edges, 3, 1, &blocks), Some(9));
        assert_eq!(
            (follower(&graph, 1), follower(&graph, 3)),
            (Some(2), Some(4))
        );
    }

    /// Two blocks branch to the same two.
    #[test]
    fn edges_between_blocks_with_several_may_be_unknown() {
        let graph = Graph::new(vec![vec![1, 2], vec![3, 4], vec![3, 4], vec![], vec![]], 0);
        let edges = Edges::find(&graph);
        let blocks = [5, 2, 3, 4, 1];
        assert_eq!(runs(&edges, 1, 3, &blocks), None);
        assert_eq!(runs(&edges, 0, 1, &blocks), Some(2));
    }
}
