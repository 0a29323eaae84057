//! Regions: what a work-item runs from one cut to the next.

use super::barrier_split::Cuts;
use super::joins::Joins;
use crate::analysis::cfg::has_cycle;
use crate::analysis::dominators::Dominators;
use crate::analysis::effects::is_pure;
use crate::analysis::graph::Graph;
use crate::analysis::uniformity::Uniformity;
use crate::intrinsics::{ONCE, Query, is_done_by_the_group};
use crate::ir::{Block, Opcode, Value};
use crate::size_limits;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// What regions are that hold too many copies of the kernel's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyCopies;

impl Display for TooManyCopies {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            "it is too long: code that follows several of its barriers would be copied for each, \
             since work-items may return in between",
        )
    }
}

/// Where a region ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// At a cut or a join: region of that number is next.
    Region(usize),
    /// The kernel returns.
    Return,
}

/// One region.
pub struct Region {
    /// Its first block.
    pub start: Block,
    /// Its blocks, cut blocks excluded, in the kernel's order.
    pub blocks: Vec<Block>,
    /// Where it can go, sorted.
    pub exits: Vec<Exit>,
    /// What it does is the group's, not each work-item's.
    pub uniform: bool,
    /// It follows a cut, and does not begin at a join only.
    pub follows_cut: bool,
    /// The block at which it ends although there is no cut, and the region that begins there.
    join: Option<(Block, Exit)>,
    dominance: OnceCell<Dominance>,
}

/// Which blocks of a region dominate which.
struct Dominance {
    number: HashMap<Block, usize>,
    dominators: Dominators,
}

/// All regions that can be reached; number 0 starts at the kernel's entry.
pub struct Regions {
    /// By number.
    pub regions: Vec<Region>,
    /// Exit taken by a branch to this cut block.
    exit_at: HashMap<Block, Exit>,
    containing: HashMap<Block, Vec<usize>>,
}

impl Regions {
    /// Finds the regions of a kernel that has been cut.
    ///
    /// # Errors
    /// They hold too many copies of the kernel's blocks.
    pub fn find(kernel: Value, cuts: &Cuts) -> Result<Self, TooManyCopies> {
        let instructions = kernel.instructions().len();
        let few = size_limits::most_instructions_in_regions(instructions);
        if let Some(found) = Self::with(kernel, cuts, &Joins::default(), few) {
            return Ok(found);
        }
        Self::find_with_joins(kernel, cuts)
    }

    /// The same; regions that meet end there.
    ///
    /// # Errors
    /// As `find`.
    pub fn find_with_joins(kernel: Value, cuts: &Cuts) -> Result<Self, TooManyCopies> {
        let after = (0..cuts.after.len()).map(|cut| destination(cuts, cut));
        let mut starts: Vec<Block> = after.filter_map(Destination::start).collect();
        starts.push(kernel.entry_block());
        let joins = Joins::make(kernel, &starts, |block| cuts.number.contains_key(&block));
        Self::with(kernel, cuts, &joins, size_limits::LONGEST_KERNEL).ok_or(TooManyCopies)
    }

    /// None if the regions would have more than that many instructions.
    fn with(kernel: Value, cuts: &Cuts, joins: &Joins, most: u64) -> Option<Self> {
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
            let join = joins.of(start);
            let mut blocks = reachable(start, &cuts.number, join);
            length += blocks.iter().map(|block| of_block[block].1).sum::<u64>();
            if length > most {
                return None;
            }
            // In the kernel's order, so that the numbers are the same each time.
            blocks.sort_by_key(|block| of_block[block].0);
            let mut at_join = None;
            for block in &blocks {
                for successor in block.successors() {
                    let exit = match cuts.number.get(&successor) {
                        Some(&cut) => {
                            let exit = match destination(cuts, cut) {
                                Destination::Returns => Exit::Return,
                                Destination::Starts(block) => {
                                    starts.after_cuts.insert(block);
                                    Exit::Region(starts.number(block))
                                }
                            };
                            found.exit_at.insert(successor, exit);
                            exit
                        }
                        None if Some(successor) == join => {
                            let exit = Exit::Region(starts.number(successor));
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
            exits.sort();
            found.regions.push(Region {
                start,
                blocks,
                exits,
                uniform: is_done_by_the_group(start.instructions()[0])
                    || start.instructions()[0].calls(ONCE),
                follows_cut: false,
                join: at_join,
                dominance: OnceCell::new(),
            });
            next += 1;
        }
        for region in &mut found.regions {
            region.follows_cut = starts.after_cuts.contains(&region.start);
        }
        Some(found)
    }

    /// Regions that only compute what is the same for all work-items are run once. `slots`
    /// are the places of such values.
    pub fn mark_uniform_regions(&mut self, uniformity: &Uniformity, slots: &HashSet<Value>) {
        let is_of_the_group = |instruction: &Value| match instruction.opcode() {
            Opcode::LLVMAlloca => true,
            Opcode::LLVMLoad => slots.contains(&instruction.operand(0)),
            Opcode::LLVMStore => slots.contains(&instruction.operand(1)),
            Opcode::LLVMCall => {
                let function = instruction.called_function();
                let query = function.and_then(|function| Query::of(&function.name()));
                query.is_some_and(|query| !matches!(query, Query::LocalId | Query::GlobalId))
            }
            opcode => {
                (is_pure(*instruction) || opcode == Opcode::LLVMPHI || instruction.is_terminator())
                    && uniformity.is_uniform(*instruction)
            }
        };
        for region in &mut self.regions {
            region.uniform |= region.blocks.iter().all(|block| {
                uniformity.is_run_by_all(*block) && block.instructions().iter().all(is_of_the_group)
            });
        }
    }

    /// The exit that a branch to `block` takes out of a region, if it leaves that.
    pub fn exit_at(&self, region: &Region, block: Block) -> Option<Exit> {
        let at_join = region.join.filter(|(join, _)| *join == block);
        let at_cut = || self.exit_at.get(&block).copied();
        at_join.map(|(_, exit)| exit).or_else(at_cut)
    }

    /// Numbers of the regions that hold a block.
    pub fn containing(&self, block: Block) -> &[usize] {
        self.containing.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Whether some region has a loop within it.
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

    /// Whether, in some region, `user` can be reached without passing `definition`.
    pub fn crosses(&self, definition: Block, user: Block) -> bool {
        self.containing(user).iter().any(|&number| {
            let region = &self.regions[number];
            let found = region
                .dominance
                .get_or_init(|| Dominance::of(region, |block| self.exit_at(region, block)));
            !found.dominates(definition, user)
        })
    }
}

impl Dominance {
    fn of(region: &Region, exit_at: impl Fn(Block) -> Option<Exit>) -> Self {
        let number: HashMap<Block, usize> = region.blocks.iter().copied().zip(0..).collect();
        let stays = |to: &Block| exit_at(*to).is_none();
        let blocks = region.blocks.iter();
        let successors = blocks.map(|block| {
            let inside = block.successors().into_iter().filter(stays);
            inside.map(|to| number[&to]).collect()
        });
        let graph = Graph::new(successors.collect(), number[&region.start]);
        let dominators = Dominators::of(&graph);
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

/// The first blocks of regions, numbered as they are found.
#[derive(Default)]
struct Starts {
    blocks: Vec<Block>,
    numbers: HashMap<Block, usize>,
    after_cuts: HashSet<Block>,
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

/// Where control goes from a cut; cuts with nothing between them count as one.
fn destination(cuts: &Cuts, cut: usize) -> Destination {
    let mut block = cuts.after[cut];
    let mut seen = HashSet::new();
    while seen.insert(block) {
        let instructions = block.instructions();
        let successors = block.successors();
        match (instructions.len(), successors.as_slice()) {
            (1, []) => return Destination::Returns,
            (1, [only]) => match cuts.number.get(only) {
                Some(&next) => block = cuts.after[next],
                // A φ there needs to know where control came from.
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

/// Blocks reachable from `start` without entering a cut or, again, the join.
fn reachable<T>(start: Block, cuts: &HashMap<Block, T>, join: Option<Block>) -> Vec<Block> {
    let mut reached = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        for successor in block.successors() {
            let leaves = cuts.contains_key(&successor) || Some(successor) == join;
            if !leaves && reached.insert(successor) {
                pending.push(successor);
            }
        }
    }
    reached.into_iter().collect()
}
