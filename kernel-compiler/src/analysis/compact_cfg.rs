//! Reducible control flow in a compact order: each block comes after its predecessors, back edges
//! apart, and the blocks of a loop are consecutive (Moll and Hack: "Partial Control-Flow
//! Linearization", docs/bibliography.md).

use super::dominators::{Dominators, PostDominators};
use super::graph::{Graph, postorder};
use super::loops::{Loop as NaturalLoop, LoopForest};
use std::collections::BTreeSet;

/// A loop in simplified form: it is entered from its preheader only and has one latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The loop's first block.
    pub header: usize,
    /// The loop's last block.
    pub latch: usize,
    /// Number of the innermost loop around this one.
    pub parent: Option<usize>,
    /// Edges that leave the loop.
    pub exits: Vec<(usize, usize)>,
}

impl Loop {
    /// Whether a block belongs to the loop.
    pub fn contains(&self, block: usize) -> bool {
        (self.header..=self.latch).contains(&block)
    }

    /// Whether a block of the loop branches out of it.
    pub fn exits_from(&self, block: usize) -> bool {
        self.exits.iter().any(|&(from, _)| from == block)
    }

    /// The blocks outside the loop that it branches to.
    pub fn exit_blocks(&self) -> BTreeSet<usize> {
        self.exits.iter().map(|&(_, to)| to).collect()
    }
}

/// A single-entry, single-exit part of a function. Block 0 is its entry, the last block its exit.
pub struct CompactCfg {
    /// By block in the order given: its number here.
    pub block_numbers: Vec<usize>,
    /// By block: its successors, each once.
    pub successors: Vec<Vec<usize>>,
    /// By block: its predecessors, latches of loops apart.
    pub predecessors: Vec<Vec<usize>>,
    /// Outer loops before the loops within them.
    pub loops: Vec<Loop>,
    /// By block: number of the innermost loop that contains it.
    pub innermost: Vec<Option<usize>>,
    /// By block: its immediate dominator; the entry's is itself.
    pub dominator: Vec<usize>,
    /// Of the acyclic graph in which latches branch to their loop's exits.
    post_dominators: PostDominators,
}

/// Why control flow has no compact order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedCfg {
    /// A loop is entered in more than one place.
    Irreducible,
    /// A loop has no preheader or several latches.
    NotSimplified,
    /// A loop has no exit.
    Infinite,
}

impl CompactCfg {
    /// Of blocks given by their successors. Block 0 is the entry; successors of `exit` are ignored.
    ///
    /// # Errors
    /// A loop is not reducible, not in simplified form, or infinite.
    pub fn compute(given: &[Vec<usize>], exit: usize) -> Result<Self, UnsupportedCfg> {
        let mut given: Vec<Vec<usize>> = given.to_vec();
        given[exit].clear();
        for successors in &mut given {
            let mut seen = BTreeSet::new();
            successors.retain(|&to| seen.insert(to));
        }
        let order = compact_order(&given)?;
        let mut block_numbers = vec![usize::MAX; given.len()];
        for (number, &block) in order.iter().enumerate() {
            block_numbers[block] = number;
        }
        if order.last() != Some(&exit) {
            return Err(UnsupportedCfg::Infinite);
        }
        let renumbered =
            |block: &usize| given[*block].iter().map(|&to| block_numbers[to]).collect();
        let graph = Graph::new(order.iter().map(renumbered).collect(), 0);
        let dominators = Dominators::compute(&graph);
        let forest = LoopForest::compute(&graph, &dominators);
        let loops: Result<Vec<Loop>, _> =
            forest.loops.iter().map(|l| simplified(l, &graph)).collect();
        let mut loops = loops?;
        let innermost = nest(&mut loops, graph.len());
        if loops.iter().any(|l| l.exits.is_empty()) {
            return Err(UnsupportedCfg::Infinite);
        }
        let predecessors = graph.predecessors.iter().enumerate();
        let forward = |(block, from): (usize, &Vec<usize>)| {
            let earlier = from.iter().copied().filter(|&from| from < block);
            earlier.collect()
        };
        let dominator = |block| dominators.immediate(block).unwrap_or(0);
        Ok(Self {
            predecessors: predecessors.map(forward).collect(),
            dominator: (0..graph.len()).map(dominator).collect(),
            post_dominators: acyclic_post_dominators(&graph, &loops)?,
            successors: graph.successors,
            innermost,
            loops,
            block_numbers,
        })
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether every path from `block` to the exit passes `post_dominator`, if the latches of loops
    /// branched to their exits.
    pub fn post_dominates(&self, post_dominator: usize, block: usize) -> bool {
        self.post_dominators.post_dominates(post_dominator, block)
    }

    /// The influence region of the branch at the end of `block` within one iteration of its loop.
    pub fn influence(&self, block: usize) -> Influence {
        let meeting = self.post_dominators.immediate(block);
        let last = meeting.unwrap_or(self.len() - 1);
        // By block after the branch: the join, or the successor of the branch, that all paths from
        // the branch have passed last.
        let mut labels: Vec<Option<usize>> = vec![None; last - block];
        let mut found = Influence::default();
        for to in block + 1..=last {
            let predecessors = self.predecessors[to].iter();
            let influenced = predecessors.filter(|&&from| from > block);
            let mut incoming: BTreeSet<usize> = influenced
                .filter_map(|&from| labels[from - block - 1])
                .collect();
            if self.successors[block].contains(&to) {
                incoming.insert(to);
            }
            let Some(&first) = incoming.first() else {
                continue;
            };
            let joins = incoming.len() > 1;
            if joins {
                found.joins.insert(to);
            }
            if Some(to) != meeting {
                labels[to - block - 1] = Some(if joins { to } else { first });
                found.blocks.insert(to);
            }
        }
        found
    }
}

/// What a divergent branch influences.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Influence {
    /// Blocks that only some lanes run.
    pub blocks: BTreeSet<usize>,
    /// Blocks in which lanes that took different paths meet.
    pub joins: BTreeSet<usize>,
}

/// A natural loop of a graph in compact order, if it is in simplified form.
fn simplified(l: &NaturalLoop, graph: &Graph) -> Result<Loop, UnsupportedCfg> {
    let (&[latch], &[preheader]) = (&l.latches[..], &l.entering(graph)[..]) else {
        return Err(UnsupportedCfg::NotSimplified);
    };
    if graph.successors[preheader].len() != 1 {
        return Err(UnsupportedCfg::NotSimplified);
    }
    Ok(Loop {
        header: l.header,
        latch,
        parent: None,
        exits: l.exits(graph),
    })
}

/// Sorts loops by their headers, outer ones first, and finds their parents; gives the innermost loop
/// of each block.
fn nest(loops: &mut [Loop], blocks: usize) -> Vec<Option<usize>> {
    loops.sort_by_key(|l| l.header);
    let mut innermost = vec![None; blocks];
    for (number, l) in loops.iter_mut().enumerate() {
        l.parent = innermost[l.header];
        innermost[l.header..=l.latch].fill(Some(number));
    }
    innermost
}

/// Post-dominators once each back edge is replaced by edges to the loop's exits.
fn acyclic_post_dominators(
    graph: &Graph,
    loops: &[Loop],
) -> Result<PostDominators, UnsupportedCfg> {
    let mut successors = graph.successors.clone();
    for (block, successors) in successors.iter_mut().enumerate() {
        successors.retain(|&to| to > block);
    }
    for l in loops {
        // A loop around that ends with the same latch has exits of its own.
        let exits = l.exits.iter().map(|&(_, to)| to);
        successors[l.latch].extend(exits.filter(|&to| to > l.latch));
    }
    let is_stuck = |(block, to): (usize, &Vec<usize>)| to.is_empty() && block + 1 != graph.len();
    if successors.iter().enumerate().any(is_stuck) {
        return Err(UnsupportedCfg::Infinite);
    }
    Ok(PostDominators::compute(&Graph::new(successors, 0)))
}

/// The blocks reachable from block 0 in compact order.
fn compact_order(successors: &[Vec<usize>]) -> Result<Vec<usize>, UnsupportedCfg> {
    let graph = Graph::new(successors.to_vec(), 0);
    let dominators = Dominators::compute(&graph);
    let position = graph.postorder_positions();
    let is_retreating = |from: usize, to: usize| position[from] <= position[to];
    for &from in &graph.postorder {
        for &to in &graph.successors[from] {
            if is_retreating(from, to) && !dominators.dominates(to, from) {
                return Err(UnsupportedCfg::Irreducible);
            }
        }
    }
    let forest = LoopForest::compute(&graph, &dominators);
    let mut order = Vec::with_capacity(graph.postorder.len());
    let mut members = graph.postorder.clone();
    members.sort_unstable();
    append_scope(&graph, &forest, None, 0, &members, &mut order);
    Ok(order)
}

/// Appends the blocks of a loop, or of the whole graph, in compact order. Loops directly within it
/// are collapsed into their headers first.
fn append_scope(
    graph: &Graph,
    forest: &LoopForest,
    scope: Option<usize>,
    entry: usize,
    members: &[usize],
    order: &mut Vec<usize>,
) {
    let inner_loop = |block: usize| {
        let mut innermost = forest.innermost[block].filter(|l| Some(*l) != scope)?;
        while forest.loops[innermost].parent != scope {
            innermost = forest.loops[innermost].parent?;
        }
        Some(innermost)
    };
    let representative = |block: usize| inner_loop(block).map_or(block, |l| forest.loops[l].header);
    let is_member = |block: usize| scope.is_none_or(|l| forest.loops[l].contains(block));
    let local = |block: usize| {
        members
            .binary_search(&block)
            .expect("a member of the scope")
    };
    let mut collapsed: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    for &from in members {
        for &to in &graph.successors[from] {
            let (from, target) = (representative(from), representative(to));
            if is_member(to) && to != entry && from != target {
                collapsed[local(from)].push(local(target));
            }
        }
    }
    for number in postorder(&collapsed, [local(entry)]).into_iter().rev() {
        let block = members[number];
        match inner_loop(block) {
            Some(l) => {
                let nodes = &forest.loops[l].nodes;
                append_scope(graph, forest, Some(l), block, nodes, order);
            }
            None => order.push(block),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cfg(given: &[&[usize]], end: usize) -> Result<CompactCfg, UnsupportedCfg> {
        let given: Vec<Vec<usize>> = given.iter().map(|to| to.to_vec()).collect();
        CompactCfg::compute(&given, end)
    }

    #[test]
    fn a_condition_influences_its_sides_and_joins_where_they_meet() {
        // 0 -> 1 or 2 -> 3 -> 4
        let cfg = cfg(&[&[1, 2], &[3], &[3], &[4], &[]], 4).unwrap();
        let join = cfg.block_numbers[3];
        let found = cfg.influence(0);
        assert_eq!(
            found.blocks,
            BTreeSet::from([cfg.block_numbers[1], cfg.block_numbers[2]])
        );
        assert_eq!(found.joins, BTreeSet::from([join]));
        assert!(cfg.post_dominates(join, 0) && !cfg.post_dominates(cfg.block_numbers[1], 0));
        assert_eq!(cfg.dominator[join], 0);
    }

    #[test]
    fn blocks_of_a_loop_are_consecutive_and_its_latch_is_last() {
        // 0 -> 1; 1 -> 2, 5; 2 -> 3, 4; 3 -> 4; 4 -> 1; 5 -> 6
        let cfg = cfg(&[&[1], &[2, 5], &[3, 4], &[4], &[1], &[6], &[]], 6).unwrap();
        let [l] = cfg.loops.as_slice() else {
            panic!("there is one loop");
        };
        assert_eq!(
            (l.header, l.latch),
            (cfg.block_numbers[1], cfg.block_numbers[4])
        );
        assert_eq!(l.exits, [(cfg.block_numbers[1], cfg.block_numbers[5])]);
        // A branch within the loop joins in it; an exiting branch influences up to the latch.
        let inside = cfg.influence(cfg.block_numbers[2]);
        assert_eq!(inside.joins, BTreeSet::from([cfg.block_numbers[4]]));
        let leaving = cfg.influence(cfg.block_numbers[1]);
        assert!(leaving.blocks.contains(&cfg.block_numbers[4]));
        assert!(!leaving.blocks.contains(&cfg.block_numbers[5]));
    }

    #[test]
    fn a_block_skipped_by_a_branch_to_the_latch_does_not_post_dominate() {
        // 1: header; 2 branches to the latch 4, or to 3, which may leave the loop.
        let cfg = cfg(&[&[1], &[2], &[3, 4], &[4, 5], &[1], &[6], &[]], 6).unwrap();
        assert!(!cfg.post_dominates(cfg.block_numbers[3], cfg.block_numbers[2]));
        assert!(cfg.post_dominates(cfg.block_numbers[5], cfg.block_numbers[2]));
    }

    #[test]
    fn unsupported_control_flow_is_refused() {
        let irreducible = cfg(&[&[1, 2], &[2], &[1, 3], &[]], 3);
        assert_eq!(irreducible.err(), Some(UnsupportedCfg::Irreducible));
        let two_latches = cfg(&[&[1], &[2, 3], &[1], &[1, 4], &[]], 4);
        assert_eq!(two_latches.err(), Some(UnsupportedCfg::NotSimplified));
        let endless = cfg(&[&[1, 3], &[2], &[1], &[]], 3);
        assert_eq!(endless.err(), Some(UnsupportedCfg::Infinite));
    }
}
