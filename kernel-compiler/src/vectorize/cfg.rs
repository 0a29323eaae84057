//! Control flow of the body of a loop over work-items, as numbers: blocks in an order in
//! which each comes after those before it and the blocks of a loop are together, loops,
//! dominators, and where control must come by.

use std::collections::BTreeSet;

/// A set of blocks, one bit each.
type Set = Vec<u64>;

/// A loop within the body. It is entered from its preheader only and goes back from one
/// latch only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its first block.
    pub header: usize,
    /// Its last block.
    pub latch: usize,
    /// The loop around it.
    pub parent: Option<usize>,
    /// Edges that leave it.
    pub exits: Vec<(usize, usize)>,
}

impl Loop {
    /// Whether a block is in it.
    pub fn contains(&self, block: usize) -> bool {
        (self.header..=self.latch).contains(&block)
    }

    /// Whether it is left from a block.
    pub fn exits_from(&self, block: usize) -> bool {
        self.exits.iter().any(|&(from, _)| from == block)
    }

    /// The blocks it is left to.
    pub fn exit_blocks(&self) -> BTreeSet<usize> {
        self.exits.iter().map(|&(_, to)| to).collect()
    }
}

/// The body; block 0 is entered first and the last one is where all ways end.
pub struct Cfg {
    /// Numbers of the blocks in the order they were given in.
    pub block_numbers: Vec<usize>,
    /// Successors; each once, even if a branch names it twice.
    pub successors: Vec<Vec<usize>>,
    /// Predecessors, those that go back left out.
    pub predecessors: Vec<Vec<usize>>,
    /// All loops, outer ones before those within.
    pub loops: Vec<Loop>,
    /// The innermost loop that contains each block.
    pub innermost: Vec<Option<usize>>,
    /// The nearest block on every way to each (itself for the first).
    pub dominator: Vec<usize>,
    /// Blocks that every way from each goes through, itself included. A latch counts as if it
    /// went on to where its loop is left.
    post_dominators: Vec<Set>,
}

/// Why control flow is not of the form that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedCfg {
    /// A loop is entered in more than one place.
    Irreducible,
    /// A loop has no preheader or several latches, or its exits are shared with others.
    NotSimplified,
    /// A loop is never left.
    Infinite,
}

impl Cfg {
    /// Of blocks given by their successors; control comes in at 0 and ends at `end`, whose
    /// successors do not count.
    pub fn of(given: &[Vec<usize>], end: usize) -> Result<Self, UnsupportedCfg> {
        let mut given: Vec<Vec<usize>> = given.to_vec();
        given[end].clear();
        for successors in &mut given {
            let mut seen = BTreeSet::new();
            successors.retain(|&to| seen.insert(to));
        }
        let order = order(&given)?;
        let mut number = vec![usize::MAX; given.len()];
        for (position, &block) in order.iter().enumerate() {
            number[block] = position;
        }
        let count = order.len();
        let successors: Vec<Vec<usize>> = order
            .iter()
            .map(|&block| given[block].iter().map(|&to| number[to]).collect())
            .collect();
        if number[end] + 1 != count {
            return Err(UnsupportedCfg::Infinite);
        }
        let mut predecessors = vec![Vec::new(); count];
        for (from, successors) in successors.iter().enumerate() {
            for &to in successors {
                if to > from {
                    predecessors[to].push(from);
                }
            }
        }
        let mut dominator = vec![0; count];
        for block in 1..count {
            dominator[block] = predecessors[block]
                .iter()
                .copied()
                .reduce(|a, b| nearest_common_dominator(&dominator, a, b))
                .ok_or(UnsupportedCfg::Irreducible)?;
        }
        let mut cfg = Self {
            block_numbers: number,
            successors,
            predecessors,
            loops: Vec::new(),
            innermost: vec![None; count],
            dominator,
            post_dominators: Vec::new(),
        };
        cfg.find_loops()?;
        cfg.find_post_dominators()?;
        Ok(cfg)
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    fn find_loops(&mut self) -> Result<(), UnsupportedCfg> {
        let mut loops = Vec::new();
        for header in 0..self.len() {
            let latches: Vec<usize> = (header..self.len())
                .filter(|&from| self.successors[from].contains(&header))
                .collect();
            let latch = match latches.as_slice() {
                [] => continue,
                [latch] => *latch,
                _ => return Err(UnsupportedCfg::NotSimplified),
            };
            if !self.dominates(header, latch) {
                return Err(UnsupportedCfg::Irreducible);
            }
            let [preheader] = self.predecessors[header].as_slice() else {
                return Err(UnsupportedCfg::NotSimplified);
            };
            if self.successors[*preheader].len() != 1 {
                return Err(UnsupportedCfg::NotSimplified);
            }
            loops.push(Loop {
                header,
                latch,
                parent: None,
                exits: Vec::new(),
            });
        }
        for index in 0..loops.len() {
            let (header, latch) = (loops[index].header, loops[index].latch);
            // In this order an outer loop comes before the loops within it.
            loops[index].parent = (0..index)
                .rev()
                .find(|&outer| loops[outer].contains(header));
            for block in header..=latch {
                self.innermost[block] = Some(index);
                for &to in &self.successors[block] {
                    if !loops[index].contains(to) {
                        loops[index].exits.push((block, to));
                    }
                }
                // Blocks of a loop are together, or the loop was not found whole.
                if block != header && !self.dominates(header, block) {
                    return Err(UnsupportedCfg::Irreducible);
                }
            }
            if loops[index].exits.is_empty() {
                return Err(UnsupportedCfg::Infinite);
            }
        }
        self.loops = loops;
        Ok(())
    }

    /// Where control goes on from a block in the end, if each loop is one step.
    fn forward_successors(&self, block: usize) -> BTreeSet<usize> {
        let mut forward_successors: BTreeSet<usize> = self.successors[block]
            .iter()
            .copied()
            .filter(|&to| to > block)
            .collect();
        for l in self.loops.iter().filter(|l| l.latch == block) {
            forward_successors.extend(l.exit_blocks());
        }
        forward_successors
    }

    fn find_post_dominators(&mut self) -> Result<(), UnsupportedCfg> {
        let count = self.len();
        let words = count.div_ceil(64);
        let mut post_dominators = vec![vec![0; words]; count];
        for block in (0..count).rev() {
            let forward_successors = self.forward_successors(block);
            if forward_successors.is_empty() && block + 1 != count {
                return Err(UnsupportedCfg::Infinite);
            }
            let mut set: Option<Set> = None;
            for to in forward_successors {
                set = Some(match set {
                    None => post_dominators[to].clone(),
                    Some(set) => set
                        .iter()
                        .zip(&post_dominators[to])
                        .map(|(a, b)| a & b)
                        .collect(),
                });
            }
            let mut set = set.unwrap_or_else(|| vec![0; words]);
            set[block / 64] |= 1 << (block % 64);
            post_dominators[block] = set;
        }
        self.post_dominators = post_dominators;
        Ok(())
    }

    /// Whether `a` is on every way to `b`.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        let mut b = b;
        while b > a {
            b = self.dominator[b];
        }
        a == b
    }

    /// Whether every way from `from` goes through `through`.
    pub fn must_pass(&self, from: usize, through: usize) -> bool {
        self.post_dominators[from][through / 64] >> (through % 64) & 1 == 1
    }

    /// Blocks that not all work-items run if the branch at the end of `block` goes different
    /// ways for them, in this round of its loop; and those in which different ways meet.
    pub fn influence(&self, block: usize) -> Influence {
        let meeting = (block + 1..self.len()).find(|&to| self.must_pass(block, to));
        let mut label: Vec<Option<usize>> = vec![None; self.len()];
        let mut found = Influence::default();
        for &to in &self.successors[block] {
            if to > block {
                label[to] = Some(to);
            }
        }
        for to in block + 1..self.len() {
            let mut labels: BTreeSet<usize> = self.predecessors[to]
                .iter()
                .filter(|&&from| from > block)
                .filter_map(|&from| label[from])
                .collect();
            if self.successors[block].contains(&to) {
                labels.insert(to);
            }
            if labels.is_empty() {
                label[to] = None;
                continue;
            }
            let joins = labels.len() > 1;
            if joins {
                found.joins.insert(to);
            }
            if Some(to) == meeting {
                break;
            }
            label[to] = if joins {
                Some(to)
            } else {
                labels.first().copied()
            };
            found.blocks.insert(to);
        }
        found
    }
}

/// What a branch that work-items take differently does.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Influence {
    /// Not all work-items run these.
    pub blocks: BTreeSet<usize>,
    /// Here work-items meet that have gone different ways.
    pub joins: BTreeSet<usize>,
}

fn nearest_common_dominator(dominator: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = dominator[a];
        } else {
            b = dominator[b];
        }
    }
    a
}

/// The blocks reached from 0, each after those that come before it, those of a loop together.
fn order(successors: &[Vec<usize>]) -> Result<Vec<usize>, UnsupportedCfg> {
    let plain = reverse_post_order(successors, 0);
    let members = members_of_loops(successors, &plain)?;
    let mut order = Vec::new();
    place(successors, &members, 0, None, &mut order);
    Ok(order)
}

/// A loop while blocks are being ordered.
struct Members {
    header: usize,
    blocks: BTreeSet<usize>,
}

/// Headers and blocks of all loops, larger ones first.
fn members_of_loops(
    successors: &[Vec<usize>],
    plain: &[usize],
) -> Result<Vec<Members>, UnsupportedCfg> {
    let mut position = vec![usize::MAX; successors.len()];
    for (at, &block) in plain.iter().enumerate() {
        position[block] = at;
    }
    let mut predecessors = vec![Vec::new(); successors.len()];
    for &from in plain {
        for &to in &successors[from] {
            predecessors[to].push(from);
        }
    }
    let mut found: Vec<Members> = Vec::new();
    for &header in plain {
        let latches: Vec<usize> = predecessors[header]
            .iter()
            .copied()
            .filter(|&from| position[from] >= position[header])
            .collect();
        if latches.is_empty() {
            continue;
        }
        let mut blocks = BTreeSet::from([header]);
        let mut pending = latches;
        while let Some(block) = pending.pop() {
            if blocks.insert(block) {
                // Reached from before the header: entered elsewhere as well.
                if position[block] < position[header] {
                    return Err(UnsupportedCfg::Irreducible);
                }
                pending.extend(&predecessors[block]);
            }
        }
        found.push(Members { header, blocks });
    }
    found.sort_by_key(|l| std::cmp::Reverse(l.blocks.len()));
    Ok(found)
}

/// Appends the blocks of a loop (all blocks, for none), from `start` on, in order.
fn place(
    successors: &[Vec<usize>],
    loops: &[Members],
    start: usize,
    scope: Option<usize>,
    order: &mut Vec<usize>,
) {
    // A loop directly within the scope stands for all its blocks, by its header.
    let outermost = |block: usize| {
        (0..loops.len()).find(|&l| {
            loops[l].blocks.contains(&block)
                && Some(l) != scope
                && scope.is_none_or(|s| {
                    loops[l].blocks.len() < loops[s].blocks.len()
                        && loops[s].blocks.contains(&loops[l].header)
                })
        })
    };
    let stands_for = |block: usize| outermost(block).map_or(block, |l| loops[l].header);
    let mut collapsed: Vec<Vec<usize>> = vec![Vec::new(); successors.len()];
    for (from, targets) in successors.iter().enumerate() {
        if scope.is_some_and(|s| !loops[s].blocks.contains(&from)) {
            continue;
        }
        for &to in targets {
            if scope.is_some_and(|s| !loops[s].blocks.contains(&to) || to == loops[s].header) {
                continue;
            }
            let (from, to) = (stands_for(from), stands_for(to));
            if from != to {
                collapsed[from].push(to);
            }
        }
    }
    for block in reverse_post_order(&collapsed, start) {
        match outermost(block) {
            Some(inner) => place(successors, loops, block, Some(inner), order),
            None => order.push(block),
        }
    }
}

fn reverse_post_order(successors: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    seen[start] = true;
    let mut order = Vec::new();
    let mut pending = vec![(start, 0)];
    while let Some((block, next)) = pending.pop() {
        match successors[block].get(next) {
            Some(&to) => {
                pending.push((block, next + 1));
                if !seen[to] {
                    seen[to] = true;
                    pending.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cfg(given: &[&[usize]], end: usize) -> Result<Cfg, UnsupportedCfg> {
        let given: Vec<Vec<usize>> = given.iter().map(|to| to.to_vec()).collect();
        Cfg::of(&given, end)
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
        assert!(cfg.must_pass(0, join) && !cfg.must_pass(0, cfg.block_numbers[1]));
        assert!(cfg.dominates(0, join) && !cfg.dominates(cfg.block_numbers[1], join));
    }

    #[test]
    fn blocks_of_a_loop_are_together_and_its_latch_is_last() {
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
        // A branch in the loop has an end in the loop, one that leaves it behind it.
        let inside = cfg.influence(cfg.block_numbers[2]);
        assert_eq!(inside.joins, BTreeSet::from([cfg.block_numbers[4]]));
        let leaving = cfg.influence(cfg.block_numbers[1]);
        assert!(leaving.blocks.contains(&cfg.block_numbers[4]));
        assert!(!leaving.blocks.contains(&cfg.block_numbers[5]));
    }

    #[test]
    fn what_is_skipped_by_going_on_is_not_on_every_way() {
        // 1: header; 2 goes on (to 4, the latch) or to 3, which may leave.
        let cfg = cfg(&[&[1], &[2], &[3, 4], &[4, 5], &[1], &[6], &[]], 6).unwrap();
        assert!(!cfg.must_pass(cfg.block_numbers[2], cfg.block_numbers[3]));
        assert!(cfg.must_pass(cfg.block_numbers[2], cfg.block_numbers[5]));
    }

    #[test]
    fn other_forms_are_refused() {
        let irreducible = cfg(&[&[1, 2], &[2], &[1, 3], &[]], 3);
        assert_eq!(irreducible.err(), Some(UnsupportedCfg::Irreducible));
        let two_latches = cfg(&[&[1], &[2, 3], &[1], &[1, 4], &[]], 4);
        assert_eq!(two_latches.err(), Some(UnsupportedCfg::NotSimplified));
        let endless = cfg(&[&[1, 3], &[2], &[1], &[]], 3);
        assert_eq!(endless.err(), Some(UnsupportedCfg::Infinite));
    }
}
