//! Natural loops and how they nest.

use super::dominators::Dominators;
use super::graph::Graph;
use std::cmp::Reverse;

/// A natural loop: the nodes from which a back edge to the header can be reached without passing
/// the header. Back edges to one header make one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Dominates the loop's other nodes.
    pub header: usize,
    /// The loop's nodes with an edge to the header.
    pub latches: Vec<usize>,
    /// All nodes in ascending order, those of inner loops included.
    pub nodes: Vec<usize>,
    /// Number of the innermost loop around this one.
    pub parent: Option<usize>,
}

impl Loop {
    /// Whether a node belongs to the loop.
    pub fn contains(&self, node: usize) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// The nodes outside the loop with an edge to its header.
    pub fn entering(&self, graph: &Graph) -> Vec<usize> {
        let mut entering = graph.predecessors[self.header].clone();
        entering.retain(|&from| !self.contains(from));
        entering
    }

    /// The edges that leave the loop.
    pub fn exits(&self, graph: &Graph) -> Vec<(usize, usize)> {
        let edges = |from: usize| graph.successors[from].iter().map(move |&to| (from, to));
        let edges = self.nodes.iter().copied().flat_map(edges);
        edges.filter(|&(_, to)| !self.contains(to)).collect()
    }
}

/// The natural loops of a graph.
pub struct LoopForest {
    /// Outer loops before the loops within them.
    pub loops: Vec<Loop>,
    /// By node: number of the innermost loop that contains it.
    pub innermost: Vec<Option<usize>>,
}

impl LoopForest {
    /// Finds the loops; cycles that are entered at several nodes are none.
    pub fn compute(graph: &Graph, dominators: &Dominators) -> Self {
        let mut loops = Vec::new();
        // The header of the loop for which a node was visited last.
        let mut visited_for = vec![usize::MAX; graph.len()];
        for &header in graph.postorder.iter().rev() {
            let mut latches = graph.predecessors[header].clone();
            latches.retain(|&from| dominators.dominates(header, from));
            if latches.is_empty() {
                continue;
            }
            visited_for[header] = header;
            let mut nodes = vec![header];
            let mut pending = latches.clone();
            while let Some(node) = pending.pop() {
                if std::mem::replace(&mut visited_for[node], header) != header {
                    nodes.push(node);
                    pending.extend(&graph.predecessors[node]);
                }
            }
            nodes.sort_unstable();
            loops.push(Loop {
                header,
                latches,
                nodes,
                parent: None,
            });
        }
        loops.sort_by_key(|l| Reverse(l.nodes.len()));
        let mut innermost: Vec<Option<usize>> = vec![None; graph.len()];
        for (number, l) in loops.iter_mut().enumerate() {
            l.parent = innermost[l.header];
            for &node in &l.nodes {
                innermost[node] = Some(number);
            }
        }
        Self { loops, innermost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(successors: &[&[usize]]) -> (Graph, LoopForest) {
        let graph = Graph::new(successors.iter().map(|to| to.to_vec()).collect(), 0);
        let found = LoopForest::compute(&graph, &Dominators::compute(&graph));
        (graph, found)
    }

    #[test]
    fn loops_nest() {
        // 0 -> 1; 1 -> 2; 2 -> 2 or 3; 3 -> 1 or 4
        let (graph, found) = loops(&[&[1], &[2], &[2, 3], &[1, 4], &[]]);
        let [outer, inner] = found.loops.as_slice() else {
            panic!("there are two loops");
        };
        assert_eq!((outer.header, outer.nodes.as_slice()), (1, &[1, 2, 3][..]));
        assert_eq!((inner.header, inner.nodes.as_slice()), (2, &[2][..]));
        assert_eq!((outer.parent, inner.parent), (None, Some(0)));
        assert_eq!(found.innermost, [None, Some(0), Some(1), Some(0), None]);
        assert_eq!(outer.entering(&graph), [0]);
        assert_eq!(outer.exits(&graph), [(3, 4)]);
    }

    #[test]
    fn back_edges_to_one_header_make_one_loop() {
        let (_, found) = loops(&[&[1], &[2, 3], &[1], &[1, 4], &[]]);
        let [only] = found.loops.as_slice() else {
            panic!("there is one loop");
        };
        assert_eq!(only.latches, [2, 3]);
    }

    #[test]
    fn a_cycle_with_two_entries_is_no_loop() {
        let (_, found) = loops(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert!(found.loops.is_empty());
    }
}
