//! The dependence graph of a block's machine operations.

use super::code::Code;
use super::operation::{InstructionCost, MemoryLevel, Operation, Unit};
use crate::ir::{Opcode, Value};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A dependence on an earlier node.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    pub from: usize,
    /// None if the node's result is used; otherwise only the order counts, and this is the number
    /// of cycles between the issues.
    pub order: Option<u32>,
}

impl Dependence {
    /// A data dependence.
    pub fn on_result(from: usize) -> Self {
        Self { from, order: None }
    }

    /// An order dependence, of that many cycles.
    pub fn in_order(from: usize, cycles: u32) -> Self {
        Self {
            from,
            order: Some(cycles),
        }
    }
}

/// A loop-carried dependence.
#[derive(Clone, Copy, Debug)]
pub struct CarriedDependence {
    pub from: usize,
    pub to: usize,
    /// As `Dependence::order`.
    pub order: Option<u32>,
    /// Number of iterations that the dependence spans.
    pub distance: u32,
}

/// The operations of a block, and what they depend on.
#[derive(Default)]
pub struct Graph {
    /// By node: its operation; none of nodes that only join others.
    pub operations: Vec<Option<Operation>>,
    /// By node.
    pub dependences: Vec<Vec<Dependence>>,
    /// By node: the position of its predicated section in the block, from 1; 0 if it always runs.
    pub sections: Vec<usize>,
    /// The first predicated sections, of which some lane is active; nodes of the others take no
    /// time.
    pub active_sections: usize,
    /// By instruction of the block: the node of its result.
    pub results: Vec<Option<usize>>,
    /// By instruction: its operations that use its operands.
    pub heads: Vec<Vec<usize>>,
    /// By instruction: its cost, without operations that are part of another instruction's.
    pub costs: Vec<InstructionCost>,
    /// The branch at the block's end, if there is one.
    pub branch: Option<usize>,
    /// By node: whether its result is used outside the block, or in the next iteration.
    pub live_out: Vec<bool>,
    /// By node: cycles after the block's end until its result is used.
    pub use_distance: Vec<u32>,
    /// Of a block that is a loop.
    pub carried: Vec<CarriedDependence>,
}

/// What a node occupies and how long it takes if the memories beyond a level answer at once.
#[derive(Clone, Copy)]
pub struct Effort {
    /// None if the node waits for others only.
    pub unit: Option<Unit>,
    /// Cycles for which it occupies the unit.
    pub busy: u32,
    /// Cycles until its result can be used.
    pub latency: u32,
}

impl Graph {
    /// A graph without nodes, of a block with that many instructions.
    pub fn of_instructions(count: usize) -> Self {
        Self {
            results: vec![None; count],
            heads: vec![Vec::new(); count],
            costs: Vec::with_capacity(count),
            active_sections: usize::MAX,
            ..Self::default()
        }
    }

    /// The effort of a node if memories beyond `level` answer at once.
    pub fn effort(&self, node: usize, level: MemoryLevel) -> Effort {
        let is_active = self.sections[node] <= self.active_sections;
        match self.operations[node] {
            Some(operation) if is_active && operation.level <= level => Effort {
                unit: Some(operation.unit),
                busy: operation.busy,
                latency: operation.latency,
            },
            _ => Effort {
                unit: None,
                busy: 0,
                latency: 0,
            },
        }
    }

    /// Cycles in which its nodes issue an instruction to some unit.
    pub fn instructions(&self) -> u32 {
        let efforts =
            (0..self.operations.len()).map(|node| self.effort(node, MemoryLevel::Outside));
        let busy = efforts.filter(|effort| effort.unit.is_some_and(|unit| unit != Unit::Port));
        busy.fold(0, |all, effort| all.saturating_add(effort.busy.max(1)))
    }

    /// Sorts the nodes topologically; false if the graph has a cycle.
    pub fn sort(&mut self) -> bool {
        let count = self.operations.len();
        let mut unsorted: Vec<usize> = self.dependences.iter().map(Vec::len).collect();
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, dependences) in self.dependences.iter().enumerate() {
            for dependence in dependences {
                dependents[dependence.from].push(node);
            }
        }
        let mut free: BinaryHeap<Reverse<usize>> = (0..count)
            .filter(|node| unsorted[*node] == 0)
            .map(Reverse)
            .collect();
        let mut sorted = Vec::with_capacity(count);
        while let Some(Reverse(node)) = free.pop() {
            sorted.push(node);
            for &next in &dependents[node] {
                unsorted[next] -= 1;
                if unsorted[next] == 0 {
                    free.push(Reverse(next));
                }
            }
        }
        if sorted.len() < count {
            return false;
        }
        self.renumber(&sorted);
        true
    }

    /// Gives nodes new numbers; `sorted` has the old ones.
    fn renumber(&mut self, sorted: &[usize]) {
        let mut number = vec![0; sorted.len()];
        for (new, &old) in sorted.iter().enumerate() {
            number[old] = new;
        }
        self.operations = sorted.iter().map(|&old| self.operations[old]).collect();
        self.sections = sorted.iter().map(|&old| self.sections[old]).collect();
        self.live_out = sorted.iter().map(|&old| self.live_out[old]).collect();
        self.use_distance = vec![0; sorted.len()];
        let mut dependences: Vec<Vec<Dependence>> = Vec::with_capacity(sorted.len());
        for &old in sorted {
            let mut moved = std::mem::take(&mut self.dependences[old]);
            for dependence in &mut moved {
                dependence.from = number[dependence.from];
            }
            dependences.push(moved);
        }
        self.dependences = dependences;
        let heads = self.heads.iter_mut().flatten();
        let results = self.results.iter_mut().flatten();
        for node in heads.chain(results).chain(&mut self.branch) {
            *node = number[*node];
        }
        for carried in &mut self.carried {
            carried.from = number[carried.from];
            carried.to = number[carried.to];
        }
    }

    /// By instruction: cycles of the block before it uses its operands, if all memories answer at
    /// once; 0 for instructions without operations.
    pub fn depths(&self) -> Vec<u32> {
        let mut start = vec![0u32; self.operations.len()];
        for (node, dependences) in self.dependences.iter().enumerate() {
            for dependence in dependences {
                let latency = self.effort(dependence.from, MemoryLevel::Registers).latency;
                let cycles = dependence.order.unwrap_or(latency);
                start[node] = start[node].max(start[dependence.from] + cycles);
            }
        }
        let first = |heads: &Vec<usize>| heads.iter().map(|head| start[*head]).min();
        self.heads
            .iter()
            .map(|heads| first(heads).unwrap_or(0))
            .collect()
    }

    /// Finds how long after the block its results are used: they may still be in flight when the
    /// next block begins. `depths` are those of all blocks' instructions. If iterations of the block
    /// overlap, only uses after the last one count.
    pub fn find_use_distances(
        &mut self,
        code: &Code<'_>,
        block: usize,
        depths: &HashMap<Value, u32>,
        overlaps: bool,
    ) {
        let this = code.cfg.blocks[block];
        let depth = |user: &Value| depths.get(user).copied().unwrap_or(0);
        let depth_of_phi = |phi: Value| {
            let users = phi.users();
            let here = users.iter().map(|user| {
                let same = !user.is(Opcode::LLVMPHI) && user.block() == phi.block();
                if same { depth(user) } else { 0 }
            });
            here.min().unwrap_or(0)
        };
        let mut distances = vec![None; self.operations.len()];
        for (position, &instruction) in code.instructions[block].iter().enumerate() {
            let Some(node) = self.results[position] else {
                continue;
            };
            for user in instruction.users() {
                let here = user.block() == this;
                let cycles = if user.is(Opcode::LLVMPHI) && here && overlaps {
                    u32::MAX
                } else if user.is(Opcode::LLVMPHI) {
                    depth_of_phi(user)
                } else if here {
                    continue;
                } else {
                    depth(&user)
                };
                distances[node] = Some(cycles.min(distances[node].unwrap_or(u32::MAX)));
            }
        }
        self.use_distance = distances
            .into_iter()
            .map(|cycles: Option<u32>| cycles.unwrap_or(0))
            .collect();
    }

    /// Whether some operation waits for that memory.
    pub fn reaches(&self, level: MemoryLevel) -> bool {
        let mut operations = self.operations.iter().flatten();
        operations.any(|operation| operation.level == level)
    }
}
