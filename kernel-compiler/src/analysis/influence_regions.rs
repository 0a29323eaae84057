//! What lies between a divergent branch and its immediate post-dominator.

use super::dominators::PostDominators;
use super::graph::Graph;
use std::collections::HashSet;

/// The influence regions of a graph's branches.
pub struct InfluenceRegions<'a> {
    graph: &'a Graph,
    post_dominators: PostDominators,
    /// By node: none unless it has been reported; then where the largest region with it ends. What
    /// follows it there has been reported, too.
    reported: Vec<Option<RegionEnd>>,
}

/// The node at which work-items reconverge, where an influence region ends; none if they do not.
type RegionEnd = Option<usize>;

impl<'a> InfluenceRegions<'a> {
    /// Of a graph; nothing has been reported yet.
    pub fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            post_dominators: PostDominators::compute(graph),
            reported: vec![None; graph.len()],
        }
    }

    /// Whether the influence region of the branch at the end of `branch` has a node that `is_wanted`.
    pub fn contains(&self, branch: usize, is_wanted: impl Fn(usize) -> bool) -> bool {
        let end = self.post_dominators.immediate(branch);
        let mut seen = HashSet::new();
        let mut pending = self.graph.successors[branch].clone();
        while let Some(next) = pending.pop() {
            if Some(next) == end || !seen.insert(next) {
                continue;
            }
            if is_wanted(next) {
                return true;
            }
            pending.extend(&self.graph.successors[next]);
        }
        false
    }

    /// The nodes that not all work-items run if they take the branch at the end of `branch`
    /// differently, as far as they have not been reported, and the node at which they reconverge.
    pub fn next(&mut self, branch: usize) -> (Vec<usize>, RegionEnd) {
        let end = self.post_dominators.immediate(branch);
        let mut influenced = Vec::new();
        let mut pending = self.graph.successors[branch].clone();
        while let Some(next) = pending.pop() {
            if Some(next) == end {
                continue;
            }
            match self.reported[next] {
                None => {
                    influenced.push(next);
                    pending.extend(&self.graph.successors[next]);
                }
                // Regions nest: what follows one that ends earlier may be new.
                Some(Some(before)) if self.ends_earlier(next, before, end) => pending.push(before),
                Some(_) => continue,
            }
            self.reported[next] = Some(end);
        }
        (influenced, end)
    }

    /// Whether the region with `node` that ends at `before` does so before the one that ends at `end`.
    fn ends_earlier(&self, node: usize, before: usize, end: RegionEnd) -> bool {
        let post_dominates = |node| self.post_dominators.post_dominates(before, node);
        // Where no exit can be reached, both regions contain all that follows.
        post_dominates(node) && end.is_none_or(|end| !post_dominates(end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::random;
    use super::*;

    #[test]
    fn all_nodes_before_reconvergence_are_reported_once() {
        for successors in random::graphs() {
            let graph = Graph::new(successors, 0);
            let post_dominators = PostDominators::compute(&graph);
            let mut regions = InfluenceRegions::new(&graph);
            let mut expected = HashSet::new();
            let mut reported = HashSet::new();
            // An order in which regions of either size come first.
            let count = graph.len();
            for branch in (0..count).map(|number| number * 7 % count) {
                let end = post_dominators.immediate(branch);
                let mut pending = graph.successors[branch].clone();
                let mut region = HashSet::new();
                while let Some(next) = pending.pop() {
                    if Some(next) != end && region.insert(next) {
                        pending.extend(&graph.successors[next]);
                    }
                }
                for node in 0..count {
                    assert_eq!(
                        regions.contains(branch, |inside| inside == node),
                        region.contains(&node)
                    );
                }
                expected.extend(region);
                let (influenced, found_end) = regions.next(branch);
                assert_eq!(found_end, end);
                for node in influenced {
                    assert!(reported.insert(node), "{node} twice");
                }
                assert_eq!(reported, expected);
            }
        }
    }

    /// Nested regions, as a chain of `else if` has them, are not searched again for each of their branches.
    #[test]
    fn nested_regions_are_reported_in_linear_time() {
        // Node n branches to its end, node 2 DEPTH - n, and to the next branch; ends follow each other.
        const DEPTH: usize = 100_000;
        let successors = (0..DEPTH)
            .map(|n| vec![2 * DEPTH - n, n + 1])
            .chain((DEPTH..2 * DEPTH).map(|n| vec![n + 1]))
            .chain([vec![]]);
        let graph = Graph::new(successors.collect(), 0);
        for is_outermost_first in [false, true] {
            let mut regions = InfluenceRegions::new(&graph);
            let mut reported = 0;
            for n in 0..DEPTH {
                let branch = if is_outermost_first { n } else { DEPTH - 1 - n };
                reported += regions.next(branch).0.len();
            }
            assert_eq!(reported, 2 * DEPTH - 1);
        }
    }
}
