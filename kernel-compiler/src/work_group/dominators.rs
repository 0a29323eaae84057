//! Dominator trees (Cooper, Harvey and Kennedy: "A Simple, Fast Dominance Algorithm", 2001).

/// No node.
const NONE: usize = usize::MAX;

/// The dominator tree of the nodes that can be reached from a root.
pub struct Dominators {
    /// The nearest strict dominator of each node; the root's is itself.
    immediate: Vec<usize>,
    /// Where a walk of the tree enters and leaves each node's subtree.
    spans: Vec<(usize, usize)>,
    root: usize,
}

impl Dominators {
    /// Of a graph whose nodes are the indices of `successors`, and of `predecessors`.
    pub fn of(successors: &[Vec<usize>], predecessors: &[Vec<usize>], root: usize) -> Self {
        let postorder = postorder(successors, [root]);
        let mut rank = vec![NONE; successors.len()];
        for (place, &node) in postorder.iter().enumerate() {
            rank[node] = place;
        }
        let mut immediate = vec![NONE; successors.len()];
        immediate[root] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in postorder.iter().rev().filter(|&&node| node != root) {
                let known = predecessors[node].iter().copied();
                let nearest = known
                    .filter(|&from| immediate[from] != NONE)
                    .reduce(|a, b| common(&immediate, &rank, a, b))
                    .expect("a reverse postorder has a predecessor of each node before it");
                if immediate[node] != nearest {
                    immediate[node] = nearest;
                    changed = true;
                }
            }
        }
        let spans = spans(&immediate, &postorder, root);
        Self {
            immediate,
            spans,
            root,
        }
    }

    /// Whether every path from the root to `node` passes `other`. False for nodes that cannot be
    /// reached.
    pub fn dominates(&self, other: usize, node: usize) -> bool {
        let ((enters, leaves), (place, _)) = (self.spans[other], self.spans[node]);
        enters != NONE && place != NONE && (enters..leaves).contains(&place)
    }

    /// The nearest strict dominator; none of the root, and of nodes that cannot be reached.
    pub fn immediate(&self, node: usize) -> Option<usize> {
        let nearest = self.immediate[node];
        (node != self.root && nearest != NONE).then_some(nearest)
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

/// Nodes that can be reached from the roots, in the order in which a depth-first search leaves
/// them.
pub fn postorder(successors: &[Vec<usize>], roots: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; successors.len()];
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, next)) = open.last_mut() {
            match successors[*node].get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
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

/// Numbers the tree's nodes so that a subtree is a range.
fn spans(immediate: &[usize], postorder: &[usize], root: usize) -> Vec<(usize, usize)> {
    // A node stands behind all that it dominates in the postorder.
    let mut size = vec![1; immediate.len()];
    for &node in postorder.iter().filter(|&&node| node != root) {
        size[immediate[node]] += size[node];
    }
    let mut spans = vec![(NONE, NONE); immediate.len()];
    spans[root] = (0, size[root]);
    let mut free = vec![0; immediate.len()];
    free[root] = 1;
    for &node in postorder.iter().rev().filter(|&&node| node != root) {
        let place = &mut free[immediate[node]];
        let start = *place;
        *place += size[node];
        spans[node] = (start, start + size[node]);
        free[node] = start + 1;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, to) in successors.iter().enumerate() {
            for &to in to {
                predecessors[to].push(from);
            }
        }
        predecessors
    }

    /// Whether `node` cannot be reached from `root` around `other`.
    fn is_dominated(successors: &[Vec<usize>], root: usize, other: usize, node: usize) -> bool {
        let mut seen = vec![false; successors.len()];
        seen[other] = true;
        let mut pending = vec![root];
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                pending.extend(&successors[next]);
            }
        }
        other == node || !seen[node]
    }

    #[test]
    fn a_node_dominates_what_cannot_be_reached_around_it() {
        let mut state = 1u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 8) as usize % below
        };
        for count in (2..40).cycle().take(400) {
            let successors: Vec<Vec<usize>> = (0..count)
                .map(|_| (0..random(3)).map(|_| random(count)).collect())
                .collect();
            let found = Dominators::of(&successors, &reversed(&successors), 0);
            let reached = postorder(&successors, [0]);
            for node in 0..count {
                for other in 0..count {
                    let both = reached.contains(&node) && reached.contains(&other);
                    let expected = both && is_dominated(&successors, 0, other, node);
                    assert_eq!(found.dominates(other, node), expected);
                }
                let Some(nearest) = found.immediate(node) else {
                    assert!(node == 0 || !reached.contains(&node));
                    continue;
                };
                let strict = (0..count).filter(|&o| o != node && found.dominates(o, node));
                assert!(strict.into_iter().all(|o| found.dominates(o, nearest)));
            }
        }
    }
}
