//! Regions: what a work-item runs from one cut to the next.

use super::control_flow::has_cycle;
use super::cut::Cuts;
use super::dominators::Dominators;
use super::uniformity::{Uniformity, is_computed};
use crate::intrinsics::{ONCE, Query, is_done_by_the_group};
use crate::ir::{Block, Opcode, Value};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// Where a region ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exit {
    /// At a cut: region of that number is next.
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
    pub once: bool,
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
    pub fn find(kernel: Value, cuts: &Cuts) -> Self {
        let mut found = Self {
            regions: Vec::new(),
            exit_at: HashMap::new(),
            containing: HashMap::new(),
        };
        let place: HashMap<Block, usize> = kernel.blocks().into_iter().zip(0..).collect();
        let mut number_of_start = HashMap::new();
        let mut starts = vec![kernel.entry_block()];
        number_of_start.insert(starts[0], 0);
        let mut next = 0;
        while next < starts.len() {
            let start = starts[next];
            let mut exits = HashSet::new();
            let mut blocks = reachable(start, &cuts.number);
            // In the kernel's order, so that the numbers are the same each time.
            blocks.sort_by_key(|block| place[block]);
            for block in &blocks {
                for successor in block.successors() {
                    let Some(&cut) = cuts.number.get(&successor) else {
                        continue;
                    };
                    let exit = match destination(cuts, cut) {
                        Destination::Returns => Exit::Return,
                        Destination::Starts(block) => {
                            let number = *number_of_start.entry(block).or_insert_with(|| {
                                starts.push(block);
                                starts.len() - 1
                            });
                            Exit::Region(number)
                        }
                    };
                    found.exit_at.insert(successor, exit);
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
                once: is_done_by_the_group(start.instructions()[0])
                    || start.instructions()[0].calls(ONCE),
                dominance: OnceCell::new(),
            });
            next += 1;
        }
        found
    }

    /// Regions that only compute what is the same for all work-items are run once. `slots`
    /// are the places of such values.
    pub fn run_once_what_is_the_groups(&mut self, uniformity: &Uniformity, slots: &HashSet<Value>) {
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
                (is_computed(*instruction)
                    || opcode == Opcode::LLVMPHI
                    || instruction.is_terminator())
                    && uniformity.is_uniform(*instruction)
            }
        };
        for region in &mut self.regions {
            region.once |= region.blocks.iter().all(|block| {
                uniformity.is_run_by_all(*block) && block.instructions().iter().all(is_of_the_group)
            });
        }
    }

    /// The exit that a branch to `block` takes, if it is a cut.
    pub fn exit_at(&self, block: Block) -> Option<Exit> {
        self.exit_at.get(&block).copied()
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
            successors.retain(|next| !self.exit_at.contains_key(next));
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
                .get_or_init(|| Dominance::of(region, &self.exit_at));
            !found.dominates(definition, user)
        })
    }
}

impl Dominance {
    fn of(region: &Region, exit_at: &HashMap<Block, Exit>) -> Self {
        let number: HashMap<Block, usize> = region.blocks.iter().copied().zip(0..).collect();
        let mut successors = vec![Vec::new(); region.blocks.len()];
        let mut predecessors = successors.clone();
        for (from, block) in region.blocks.iter().enumerate() {
            for to in block.successors() {
                if !exit_at.contains_key(&to) {
                    successors[from].push(number[&to]);
                    predecessors[number[&to]].push(from);
                }
            }
        }
        let dominators = Dominators::of(&successors, &predecessors, number[&region.start]);
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

enum Destination {
    Returns,
    Starts(Block),
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

/// Blocks reachable from `start` without entering a cut.
fn reachable<T>(start: Block, cuts: &HashMap<Block, T>) -> Vec<Block> {
    let mut reached = HashSet::from([start]);
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        for successor in block.successors() {
            if !cuts.contains_key(&successor) && reached.insert(successor) {
                pending.push(successor);
            }
        }
    }
    reached.into_iter().collect()
}
