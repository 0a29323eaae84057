//! Dominator and post-dominator trees (Cooper, Harvey and Kennedy: "A Simple, Fast Dominance
//! Algorithm", docs/bibliography.md).

use super::graph::Graph;

/// Marks unreachable nodes.
const NONE: usize = usize::MAX;

/// The dominator tree of the nodes that can be reached from a graph's root.
pub struct Dominators {
    /// The nearest strict dominator of each node; the root's is itself.
    immediate: Vec<usize>,
    /// The range of preorder numbers of each node's subtree: dominance is a range check.
    subtrees: Vec<(usize, usize)>,
    root: usize,
}

impl Dominators {
    /// The dominator tree of `graph`.
    pub fn compute(graph: &Graph) -> Self {
        let root = graph.root;
        let mut rank = vec![NONE; graph.len()];
        for (place, &node) in graph.postorder.iter().enumerate() {
            rank[node] = place;
        }
        let mut immediate = vec![NONE; graph.len()];
        immediate[root] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in graph.postorder.iter().rev().filter(|&&node| node != root) {
                let predecessors = graph.predecessors[node].iter().copied();
                let nearest = predecessors
                    .filter(|&from| immediate[from] != NONE)
                    .reduce(|a, b| common(&immediate, &rank, a, b))
                    .expect("a reverse postorder has a predecessor of each node before it");
                if immediate[node] != nearest {
                    immediate[node] = nearest;
                    changed = true;
                }
            }
        }
        let subtrees = subtrees(&immediate, &graph.postorder, root);
        Self {
            immediate,
            subtrees,
            root,
        }
    }

    /// Whether every path from the root to `node` passes `dominator`. False for unreachable nodes.
    pub fn dominates(&self, dominator: usize, node: usize) -> bool {
        let ((start, end), (number, _)) = (self.subtrees[dominator], self.subtrees[node]);
        start != NONE && number != NONE && (start..end).contains(&number)
    }

    /// The nearest strict dominator; none of the root and of unreachable nodes.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        let nearest = self.immediate[node];
        (node != self.root && nearest != NONE).then_some(nearest)
    }
}

/// The post-dominator tree of a graph; its root is a virtual exit behind all nodes without
/// successors.
pub struct PostDominators {
    reversed: Dominators,
    exit: usize,
}

impl PostDominators {
    /// The post-dominator tree of the nodes that can be reached in `graph`.
    pub fn compute(graph: &Graph) -> Self {
        let exit = graph.len();
        let is_exit = |node: &usize| graph.successors[*node].is_empty();
        let exits = graph.postorder.iter().copied().filter(is_exit).collect();
        let mut reversed = graph.predecessors.clone();
        reversed.push(exits);
        Self {
            reversed: Dominators::compute(&Graph::new(reversed, exit)),
            exit,
        }
    }

    /// Whether every path from `node` to the end of the function passes `post_dominator`. False
    /// for nodes from which the end cannot be reached.
    pub fn post_dominates(&self, post_dominator: usize, node: usize) -> bool {
        self.reversed.dominates(post_dominator, node)
    }

    /// The nearest strict post-dominator; none if it is the virtual exit, or if the end cannot be
    /// reached.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        let nearest = self.reversed.immediate(node);
        nearest.filter(|&nearest| nearest != self.exit)
    }
}

/// The nearest common dominator.
fn common(immediate: &[usize], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] < rank[b] {
            a = immediate[a];
        }
        while rank[b] < rank[a] {
            b = immediate[b];
        }
    }
    a
}

/// Numbers the tree's nodes in preorder, so that each subtree is a range.
fn subtrees(immediate: &[usize], postorder: &[usize], root: usize) -> Vec<(usize, usize)> {
    // In the postorder a node comes after all that it dominates.
    let mut size = vec![1; immediate.len()];
    for &node in postorder.iter().filter(|&&node| node != root) {
        size[immediate[node]] += size[node];
    }
    let mut subtrees = vec![(NONE, NONE); immediate.len()];
    subtrees[root] = (0, size[root]);
    let mut next_child = vec![0; immediate.len()];
    next_child[root] = 1;
    for &node in postorder.iter().rev().filter(|&&node| node != root) {
        let next = &mut next_child[immediate[node]];
        let start = *next;
        *next += size[node];
        subtrees[node] = (start, start + size[node]);
        next_child[node] = start + 1;
    }
    subtrees
}

#[cfg(test)]
mod tests {
    use super::super::graph::{postorder, random};
    use super::*;

    /// Whether `node` cannot be reached from `roots` around `other`.
    fn is_separated(successors: &[Vec<usize>], root: usize, other: usize, node: usize) -> bool {
        let mut around = successors.to_vec();
        around[other].clear();
        other == node || other == root || !postorder(&around, [root]).contains(&node)
    }

    #[test]
    fn a_node_dominates_what_cannot_be_reached_around_it() {
        for successors in random::graphs() {
            let graph = Graph::new(successors, 0);
            let found = Dominators::compute(&graph);
            let is_reachable = |node: usize| graph.postorder.contains(&node);
            for node in 0..graph.len() {
                for other in 0..graph.len() {
                    let expected = is_reachable(node)
                        && is_reachable(other)
                        && is_separated(&graph.successors, 0, other, node);
                    assert_eq!(found.dominates(other, node), expected);
                }
                let Some(nearest) = found.immediate(node) else {
                    assert!(node == 0 || !is_reachable(node));
                    continue;
                };
                let mut strict =
                    (0..graph.len()).filter(|&o| o != node && found.dominates(o, node));
                assert!(strict.all(|other| found.dominates(other, nearest)));
            }
        }
    }

    #[test]
    fn a_node_post_dominates_if_no_end_can_be_reached_around_it() {
        for successors in random::graphs() {
            let graph = Graph::new(successors, 0);
            let found = PostDominators::compute(&graph);
            let ends_around = |node: usize, other: Option<usize>| {
                let mut around = graph.successors.clone();
                if let Some(other) = other {
                    // Neither an end nor passed through.
                    around[other] = vec![other];
                }
                let reached = postorder(&around, [node]);
                reached.into_iter().any(|end| around[end].is_empty())
            };
            for &node in &graph.postorder {
                for &other in &graph.postorder {
                    let expected = ends_around(node, None)
                        && ends_around(other, None)
                        && (node == other || !ends_around(node, Some(other)));
                    assert_eq!(found.post_dominates(other, node), expected);
                }
                if let Some(nearest) = found.immediate(node) {
                    assert!(nearest != node && found.post_dominates(nearest, node));
                }
            }
        }
    }
}
