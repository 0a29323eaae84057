//! Directed graphs with a root, as control flow analyses see the blocks of a function.

/// A graph whose nodes are numbers.
pub struct Graph {
    /// By node: one entry per edge, in the order given.
    pub successors: Vec<Vec<usize>>,
    /// By node: the nodes with an edge to it that can be reached from the root, each once and in
    /// ascending order.
    pub predecessors: Vec<Vec<usize>>,
    /// The nodes that can be reached from the root, in depth-first postorder.
    pub postorder: Vec<usize>,
    /// Where the graph is entered.
    pub root: usize,
}

impl Graph {
    /// The graph with these edges.
    pub fn new(successors: Vec<Vec<usize>>, root: usize) -> Self {
        let postorder = postorder(&successors, [root]);
        let mut is_reachable = vec![false; successors.len()];
        for &node in &postorder {
            is_reachable[node] = true;
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, to) in successors.iter().enumerate() {
            if !is_reachable[from] {
                continue;
            }
            for &to in to {
                // Edges of one node follow one another: equal ones end up last.
                if predecessors[to].last() != Some(&from) {
                    predecessors[to].push(from);
                }
            }
        }
        Self {
            successors,
            predecessors,
            postorder,
            root,
        }
    }

    /// Number of nodes, unreachable ones included.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// The position of each node in the postorder; none if it is unreachable.
    pub fn postorder_positions(&self) -> Vec<Option<usize>> {
        let mut positions = vec![None; self.len()];
        for (position, &node) in self.postorder.iter().enumerate() {
            positions[node] = Some(position);
        }
        positions
    }

    /// Which reachable nodes lie on a cycle (strongly connected components after Kosaraju and
    /// Sharir).
    pub fn cyclic_nodes(&self) -> Vec<bool> {
        let mut is_cyclic = vec![false; self.len()];
        let mut is_assigned = vec![false; self.len()];
        for &root in self.postorder.iter().rev() {
            let mut component = Vec::new();
            let mut pending = vec![root];
            while let Some(node) = pending.pop() {
                if !std::mem::replace(&mut is_assigned[node], true) {
                    component.push(node);
                    pending.extend(&self.predecessors[node]);
                }
            }
            let has_cycle = component.len() > 1 || self.successors[root].contains(&root);
            for node in component {
                is_cyclic[node] = has_cycle;
            }
        }
        is_cyclic
    }
}

/// The nodes that can be reached from the roots, each after the successors first visited from it.
pub fn postorder(successors: &[Vec<usize>], roots: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_visited = vec![false; successors.len()];
    for root in roots {
        if std::mem::replace(&mut is_visited[root], true) {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, next)) = open.last_mut() {
            match successors[*node].get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut is_visited[successor], true) {
                        open.push((successor, 0));
                    }
                }
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
pub mod random {
    //! Pseudo-random graphs for comparisons with plain definitions.

    /// Many small graphs, the same on each run.
    pub fn graphs() -> impl Iterator<Item = Vec<Vec<usize>>> {
        let mut state = 1u32;
        let mut random = move |below: usize| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 8) as usize % below
        };
        (2..40).cycle().take(400).map(move |count| {
            let edges = |_| (0..random(3)).map(|_| random(count)).collect();
            (0..count).map(edges).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_cyclic_if_it_can_be_reached_from_its_successors() {
        for successors in random::graphs() {
            let graph = Graph::new(successors, 0);
            let is_cyclic = graph.cyclic_nodes();
            for &node in &graph.postorder {
                let from_successors = graph.successors[node].iter().copied();
                let expected = postorder(&graph.successors, from_successors).contains(&node);
                assert_eq!(is_cyclic[node], expected);
            }
        }
    }

    #[test]
    fn predecessors_are_reachable_and_listed_once() {
        let graph = Graph::new(vec![vec![1, 1], vec![], vec![1]], 0);
        assert_eq!(graph.predecessors[1], [0]);
        assert_eq!(graph.postorder_positions(), [Some(1), Some(0), None]);
    }
}
