//! The dependence graph of a block's machine operations.

use super::access::{Access, Place, may_overlap};
use super::address::argument;
use super::code::Code;
use super::operation::{Operation, Reach, Unit, Work};
use crate::ir::{Opcode, Value};
use std::collections::{HashMap, HashSet};

/// A machine operation; without a unit it only waits for others.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub operation: Option<Operation>,
    /// Number of its instruction in the block.
    pub instruction: usize,
}

/// What one operation waits for.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of the operation that comes first.
    pub from: usize,
    /// Its result is used; else it has only to have been issued so many cycles before.
    pub order: Option<u32>,
}

/// The operations of a block. Each comes after those that it waits for.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub before: Vec<Vec<Edge>>,
    /// By instruction of the block: what stands for its result.
    pub result: Vec<Option<usize>>,
    /// By instruction: what it is on the machine. None of one that is done as a part of another.
    pub work: Vec<Work>,
    /// The branch, if there has to be one.
    pub branch: Option<usize>,
    /// By node: its result is used outside of the block, or in its next round.
    pub leaves: Vec<bool>,
}

/// Accesses before one that are looked at for what it has to wait for.
const WINDOW: usize = 128;

struct Earlier {
    place: Option<Place>,
    node: usize,
    stores: bool,
}

impl Graph {
    pub fn of(code: &Code<'_>, block: usize) -> Self {
        let instructions = &code.instructions[block];
        let place: HashMap<Value, usize> = instructions.iter().copied().zip(0..).collect();
        let fused: HashSet<Value> = instructions
            .iter()
            .filter_map(|addition| Some(addition.operand(code.contracted(*addition)?)))
            .collect();
        let mut graph = Self {
            nodes: Vec::new(),
            before: Vec::new(),
            result: vec![None; instructions.len()],
            work: Vec::with_capacity(instructions.len()),
            branch: None,
            leaves: Vec::new(),
        };
        let mut earlier: Vec<Earlier> = Vec::new();
        for (number, &instruction) in instructions.iter().enumerate() {
            let mut work = if fused.contains(&instruction) {
                let mut work = code.work(instruction);
                work.chain.clear();
                work
            } else if code.contracted(instruction).is_some() {
                let flops = code.work(instruction).flops;
                let mut work = code.multiply_add(code.form(instruction), 0);
                work.flops = flops;
                work
            } else {
                code.work(instruction)
            };
            if instruction.is_terminator() {
                work = graph.end(code, block, instruction, &place, number);
                graph.work.push(work);
                continue;
            }
            let mut needed: Vec<Edge> = Vec::new();
            if !instruction.is(Opcode::LLVMPHI) {
                for operand in instruction.operands() {
                    let known = place.get(&operand).filter(|at| **at < number);
                    if let Some(from) = known.and_then(|at| graph.result[*at]) {
                        needed.push(Edge { from, order: None });
                    }
                }
            }
            let first = graph.nodes.len();
            graph.result[number] = graph.add(&work, number, needed);
            graph.keep_order(code, instruction, first, &mut earlier);
            graph.work.push(work);
        }
        graph.leaves = vec![false; graph.nodes.len()];
        for (number, &instruction) in instructions.iter().enumerate() {
            let Some(node) = graph.result[number] else {
                continue;
            };
            let leaves = |user: &Value| user.is(Opcode::LLVMPHI) || !place.contains_key(user);
            if instruction.users().iter().any(leaves) {
                graph.leaves[node] = true;
            }
        }
        graph
    }

    /// Adds an instruction's operations; gives what stands for its result.
    fn add(&mut self, work: &Work, instruction: usize, needed: Vec<Edge>) -> Option<usize> {
        if work.is_free() {
            return match needed.as_slice() {
                [] => None,
                [Edge { from, order: None }] => Some(*from),
                _ => Some(self.push(None, instruction, needed)),
            };
        }
        let mut ends = Vec::new();
        for _ in 0..work.times {
            let mut before = needed.clone();
            for operation in &work.chain {
                let node = self.push(Some(*operation), instruction, before);
                before = vec![Edge {
                    from: node,
                    order: None,
                }];
            }
            ends.extend(before);
        }
        match ends.as_slice() {
            [Edge { from, .. }] => Some(*from),
            _ => Some(self.push(None, instruction, ends)),
        }
    }

    fn push(
        &mut self,
        operation: Option<Operation>,
        instruction: usize,
        before: Vec<Edge>,
    ) -> usize {
        self.nodes.push(Node {
            operation,
            instruction,
        });
        self.before.push(before);
        self.nodes.len() - 1
    }

    /// The branch at a block's end. What is laid out next is reached without one.
    fn end(
        &mut self,
        code: &Code<'_>,
        block: usize,
        terminator: Value,
        place: &HashMap<Value, usize>,
        number: usize,
    ) -> Work {
        let n = code.numbers;
        let next = &code.loops.successors[block];
        let goes_on = match next.as_slice() {
            [only] => *only == block + 1 || code.loops.predecessors[*only].len() == 1,
            [] => terminator.is(Opcode::LLVMUnreachable),
            _ => false,
        };
        if goes_on {
            return Work::free();
        }
        // A switch is a tree of comparisons.
        let branches = (next.len().max(2) - 1).ilog2() + 1;
        let mut work = Work::of(Unit::Branch, n.branch, 1);
        if branches > 1 {
            let compare = Work::of(Unit::ScalarInteger, n.scalar_integer, 1).chain[0];
            let branch = work.chain[0];
            for _ in 1..branches {
                work.chain.extend([compare, branch]);
            }
        }
        let condition = terminator.operands().into_iter().next();
        let condition = condition.and_then(|condition| self.result[*place.get(&condition)?]);
        let needed = condition.map(|from| Edge { from, order: None });
        self.branch = self.add(&work, number, needed.into_iter().collect());
        work
    }

    /// What accesses the same memory stays in order.
    fn keep_order(
        &mut self,
        code: &Code<'_>,
        instruction: Value,
        first: usize,
        earlier: &mut Vec<Earlier>,
    ) {
        let (place, loads, stores) = match Access::of(instruction) {
            Some(access) => {
                // The argument block and the context do not change.
                if access.stored.is_none() && argument(instruction, code.layout).is_some() {
                    return;
                }
                let bytes = code.layout.stored(access.ty);
                let stores = access.stored.is_some();
                (
                    Some(Place::of(code, access.pointer, bytes)),
                    !stores,
                    stores,
                )
            }
            None if instruction.is(Opcode::LLVMAtomicRMW)
                || instruction.is(Opcode::LLVMAtomicCmpXchg) =>
            {
                (Some(Place::of(code, instruction.operand(0), 8)), true, true)
            }
            None if instruction.is(Opcode::LLVMCall)
                && !instruction.is_computing_call()
                && !instruction.is_elementwise_call()
                && self.nodes.len() > first =>
            {
                (None, true, true)
            }
            None => return,
        };
        if self.nodes.len() == first {
            return;
        }
        for before in earlier.iter().rev().take(WINDOW) {
            if !stores && !before.stores {
                continue;
            }
            let overlap = match (&before.place, &place) {
                (Some(a), Some(b)) => may_overlap(a, b),
                _ => true,
            };
            if overlap {
                // What is stored can be loaded in the next cycle.
                let cycles = u32::from(before.stores && loads);
                self.before[first].push(Edge {
                    from: before.node,
                    order: Some(cycles),
                });
            }
        }
        earlier.push(Earlier {
            place,
            node: self.nodes.len() - 1,
            stores,
        });
    }

    /// Whether some operation waits for that memory.
    pub fn reaches(&self, reach: Reach) -> bool {
        let operations = self.nodes.iter().filter_map(|node| node.operation);
        operations
            .into_iter()
            .any(|operation| operation.reach == reach)
    }
}
