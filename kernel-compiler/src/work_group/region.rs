//! Regions: what a work-item runs from one barrier to the next.

use super::barrier_split::BarrierBlocks;
use super::joins::Joins;
use crate::analysis::cfg::has_cycle;
use crate::analysis::dominators::Dominators;
use crate::analysis::effects::is_pure;
use crate::analysis::graph::Graph;
use crate::analysis::uniformity::Uniformity;
use crate::intrinsics::{ONCE, Query, is_collective};
use crate::ir::{Block, Opcode, Value};
use crate::size_limits;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// The error that regions hold too many copies of the kernel's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCopies;

impl Display for TooManyCopies {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            "it is too long: code that follows several of its barriers would be copied for each",
        )
    }
}

/// Where a region ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// At a barrier; the region of that number is next.
    Region(usize),
    /// At a join, or after a collective operation: as `Region`, but work-items do not wait for
    /// each other.
    Pass(usize),
    /// The kernel returns.
    Return,
}

impl Exit {
    /// The region that is next.
    pub fn next(self) -> Option<usize> {
        match self {
            Self::Region(next) | Self::Pass(next) => Some(next),
            Self::Return => None,
        }
    }
}

/// One region.
pub struct Region {
    /// Its first block.
    pub start: Block,
    /// Its blocks without barriers, in the kernel's order.
    pub blocks: Vec<Block>,
    /// Its exits, by the number of the next region.
    pub exits: Vec<Exit>,
    /// Whether it runs once for the group, not for each work-item.
    pub uniform: bool,
    /// The block of the barrier that it follows; none after a join only.
    pub follows_barrier: Option<Block>,
    /// Whether work-items may leave it at different exits, which OpenCL forbids.
    pub separates: bool,
    /// The join at which it ends, and the region that begins there.
    join: Option<(Block, Exit)>,
    dominance: OnceCell<Dominance>,
}

/// Dominators within a region.
struct Dominance {
    number: HashMap<Block, usize>,
    dominators: Dominators,
}

/// The reachable regions of a kernel; region 0 starts at its entry.
pub struct Regions {
    /// The regions by number.
    pub regions: Vec<Region>,
    /// By barrier block: the exit that a branch to it takes.
    exit_at: HashMap<Block, Exit>,
    containing: HashMap<Block, Vec<usize>>,
}

impl Regions {
    /// Finds the regions of a kernel that has been split at its barriers.
    ///
    /// # Errors
    /// The regions hold too many copies of the kernel's blocks.
    pub fn find(kernel: Value, barriers: &BarrierBlocks) -> Result<Self, TooManyCopies> {
        let instructions = kernel.instructions().len();
        let limit = size_limits::most_instructions_in_regions(instructions);
        if let Some(found) = Self::with(kernel, barriers, &Joins::default(), limit) {
            return Ok(found);
        }
        Self::find_with_joins(kernel, barriers)
    }

    /// Finds the regions if they end where they meet.
    ///
    /// # Errors
    /// As `find`.
    pub fn find_with_joins(kernel: Value, barriers: &BarrierBlocks) -> Result<Self, TooManyCopies> {
        let after = (0..barriers.after.len()).map(|barrier| destination(barriers, barrier));
        let mut starts: Vec<Block> = after.filter_map(Destination::start).collect();
        starts.push(kernel.entry_block());
        let joins = Joins::make(kernel, &starts, |block| {
            barriers.number.contains_key(&block)
        });
        Self::with(kernel, barriers, &joins, size_limits::LONGEST_KERNEL).ok_or(TooManyCopies)
    }

    /// None if the regions would hold more than `limit` instructions.
    fn with(kernel: Value, barriers: &BarrierBlocks, joins: &Joins, limit: u64) -> Option<Self> {
        let mut found = Self {
            regions: Vec::new(),
            exit_at: HashMap::new(),
            containing: HashMap::new(),
        };
        let blocks = kernel.blocks().into_iter();
        let blocks = blocks.map(|block| (block, block.instructions().len() as u64));
        let of_block: HashMap<Block, (usize, u64)> = blocks
            .enumerate()
            .map(|(place, (block, length))| (block, (place, length)))
            .collect();
        let mut length = 0;
        let mut starts = Starts::default();
        starts.number(kernel.entry_block());
        let mut next = 0;
        while let Some(&start) = starts.blocks.get(next) {
            let mut exits = HashSet::new();
            let join = joins.ending(start);
            let mut blocks = reachable(start, &barriers.number, join);
            length += blocks.iter().map(|block| of_block[block].1).sum::<u64>();
            if length > limit {
                return None;
            }
            // In the kernel's order, so that the numbers are the same each time.
            blocks.sort_by_key(|block| of_block[block].0);
            let mut at_join = None;
            for block in &blocks {
                for successor in block.successors() {
                    let exit = match barriers.number.get(&successor) {
                        Some(&barrier) => {
                            let exit = match destination(barriers, barrier) {
                                Destination::Returns => Exit::Return,
                                Destination::Starts(block) => {
                                    starts.after_barriers.entry(block).or_insert(successor);
                                    let next = starts.number(block);
                                    match barriers.passed.contains(&barrier) {
                                        true => Exit::Pass(next),
                                        false => Exit::Region(next),
                                    }
                                }
                            };
                            found.exit_at.insert(successor, exit);
                            exit
                        }
                        None if Some(successor) == join => {
                            let exit = Exit::Pass(starts.number(successor));
                            at_join = Some((successor, exit));
                            exit
                        }
                        None => continue,
                    };
                    exits.insert(exit);
                }
                if block.successors().is_empty() {
                    exits.insert(Exit::Return);
                }
                found.containing.entry(*block).or_default().push(next);
            }
            let mut exits: Vec<_> = exits.into_iter().collect();
            exits.sort_by_key(|exit| exit.next().unwrap_or(usize::MAX));
            found.regions.push(Region {
                start,
                blocks,
                exits,
                uniform: is_collective(start.instructions()[0])
                    || start.instructions()[0].calls(ONCE),
                follows_barrier: None,
                separates: false,
                join: at_join,
                dominance: OnceCell::new(),
            });
            next += 1;
        }
        for region in &mut found.regions {
            region.follows_barrier = starts.after_barriers.get(&region.start).copied();
        }
        Some(found)
    }

    /// Marks regions that only compute uniform values as run once. `slots` hold such values.
    pub fn mark_uniform_regions(&mut self, uniformity: &Uniformity, slots: &HashSet<Value>) {
        let is_done_once = |instruction: &Value| match instruction.opcode() {
            Opcode::LLVMAlloca => true,
            Opcode::LLVMLoad => slots.contains(&instruction.operand(0)),
            Opcode::LLVMStore => slots.contains(&instruction.operand(1)),
            Opcode::LLVMCall => {
                let function = instruction.called_function();
                let query = function.and_then(|function| Query::parse(&function.name()));
                query.is_some_and(|query| !matches!(query, Query::LocalId | Query::GlobalId))
            }
            opcode => {
                (is_pure(*instruction) || opcode == Opcode::LLVMPHI || instruction.is_terminator())
                    && uniformity.is_uniform(*instruction)
            }
        };
        for region in &mut self.regions {
            region.uniform |= region.blocks.iter().all(|block| {
                uniformity.is_run_by_all(*block) && block.instructions().iter().all(is_done_once)
            });
        }
    }

    /// By region: what `of_barriers` has of the barrier that it follows.
    pub fn followed_barriers<T: Clone>(
        &self,
        barriers: &BarrierBlocks,
        of_barriers: &[Option<T>],
    ) -> Vec<Option<T>> {
        let after = barriers.after.iter().zip(of_barriers);
        let of_start: HashMap<&Block, &Option<T>> = after.collect();
        let regions = self.regions.iter();
        regions
            .map(|region| of_start.get(&region.start).copied().cloned().flatten())
            .collect()
    }

    /// Marks the regions that work-items may leave at different exits: those with branches that may
    /// separate them.
    pub fn mark_separations(&mut self, separating: &HashSet<Block>) {
        for region in &mut self.regions {
            region.separates = region.exits.len() > 1
                && !region.uniform
                && region.blocks.iter().any(|block| separating.contains(block));
        }
    }

    /// The exit of a region that a branch to `block` takes; none if it stays in the region.
    pub fn exit_at(&self, region: &Region, block: Block) -> Option<Exit> {
        let at_join = region.join.filter(|(join, _)| *join == block);
        let at_barrier = || self.exit_at.get(&block).copied();
        at_join.map(|(_, exit)| exit).or_else(at_barrier)
    }

    /// Numbers of the regions that contain a block.
    pub fn containing(&self, block: Block) -> &[usize] {
        self.containing.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Whether some region contains a loop.
    pub fn have_loops(&self) -> bool {
        self.regions.iter().any(|region| self.has_loop(region))
    }

    fn has_loop(&self, region: &Region) -> bool {
        let next_in_region = |block: Block| {
            let mut successors = block.successors();
            successors.retain(|next| self.exit_at(region, *next).is_none());
            successors
        };
        has_cycle(region.start, next_in_region)
    }

    /// Whether the region of that number may run again.
    pub fn may_follow_itself(&self, number: usize) -> bool {
        let next = |number: usize| {
            self.regions[number]
                .exits
                .iter()
                .filter_map(|exit| exit.next())
        };
        let mut reached = HashSet::new();
        let mut pending: Vec<usize> = next(number).collect();
        while let Some(at) = pending.pop() {
            if reached.insert(at) {
                pending.extend(next(at));
            }
        }
        reached.contains(&number)
    }

    /// Whether `definition` does not dominate `user` in some region, so that a value has to be kept
    /// across barriers.
    pub fn crosses(&self, definition: Block, user: Block) -> bool {
        self.containing(user).iter().any(|&number| {
            let region = &self.regions[number];
            let found = region
                .dominance
                .get_or_init(|| Dominance::compute(region, |block| self.exit_at(region, block)));
            !found.dominates(definition, user)
        })
    }
}

impl Dominance {
    fn compute(region: &Region, exit_at: impl Fn(Block) -> Option<Exit>) -> Self {
        let number: HashMap<Block, usize> = region.blocks.iter().copied().zip(0..).collect();
        let stays = |to: &Block| exit_at(*to).is_none();
        let blocks = region.blocks.iter();
        let successors = blocks.map(|block| {
            let inside = block.successors().into_iter().filter(stays);
            inside.map(|to| number[&to]).collect()
        });
        let graph = Graph::new(successors.collect(), number[&region.start]);
        let dominators = Dominators::compute(&graph);
        Self { number, dominators }
    }

    /// False for a block that is not in the region.
    fn dominates(&self, block: Block, other: Block) -> bool {
        let number = |block| self.number.get(&block).copied();
        match (number(block), number(other)) {
            (Some(block), Some(other)) => self.dominators.dominates(block, other),
            _ => false,
        }
    }
}

/// The first blocks of regions, numbered in the order of discovery.
#[derive(Default)]
struct Starts {
    blocks: Vec<Block>,
    numbers: HashMap<Block, usize>,
    /// Those that follow a barrier, with its block.
    after_barriers: HashMap<Block, Block>,
}

impl Starts {
    fn number(&mut self, block: Block) -> usize {
        *self.numbers.entry(block).or_insert_with(|| {
            self.blocks.push(block);
            self.blocks.len() - 1
        })
    }
}

enum Destination {
    Returns,
    Starts(Block),
}

impl Destination {
    fn start(self) -> Option<Block> {
        match self {
            Self::Returns => None,
            Self::Starts(block) => Some(block),
        }
    }
}

/// Where control goes after a barrier. Barriers with nothing between them count as one.
fn destination(barriers: &BarrierBlocks, barrier: usize) -> Destination {
    let mut block = barriers.after[barrier];
    if barriers.are_distinct {
        return Destination::Starts(block);
    }
    let mut seen = HashSet::new();
    while seen.insert(block) {
        let instructions = block.instructions();
        let successors = block.successors();
        match (instructions.len(), successors.as_slice()) {
            (1, []) => return Destination::Returns,
            (1, [only]) => match barriers.number.get(only) {
                Some(&next) => block = barriers.after[next],
                // A φ depends on the predecessor.
                None if has_phi(*only) => break,
                None => block = *only,
            },
            _ => break,
        }
    }
    Destination::Starts(block)
}

fn has_phi(block: Block) -> bool {
    block.instructions()[0].opcode() == Opcode::LLVMPHI
}

/// The blocks reachable from `start` without passing a barrier or the join.
fn reachable<T>(start: Block, barriers: &HashMap<Block, T>, join: Option<Block>) -> Vec<Block> {
    let mut reached = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        for successor in block.successors() {
            let leaves = barriers.contains_key(&successor) || Some(successor) == join;
            if !leaves && reached.insert(successor) {
                pending.push(successor);
            }
        }
    }
    reached.into_iter().collect()
}
