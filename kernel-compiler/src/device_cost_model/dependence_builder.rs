//! Builds the dependence graph of a block from its instructions.

use super::addressing::address::Sum;
use super::code::Code;
use super::dependence_graph::{CarriedDependence, Dependence, Graph};
use super::memory_access::{Access, Location};
use super::memory_costs;
use super::operation::{InstructionCost, Operation, Unit};
use super::packed_f32::Pairs;
use super::taken_branches;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::ir::{Opcode, Value};
use device_sim::machine::PerMemory;
use std::collections::{HashMap, HashSet};

/// Earlier accesses that an access is compared with.
const WINDOW: usize = 128;

/// Bytes that an atomic operation accesses at most.
const ATOMIC_BYTES: u64 = 8;

/// Bytes that a block operation of unknown length is taken to access.
const UNKNOWN_BLOCK_BYTES: u64 = 1 << 32;

/// The dependence graph of a block; paired single-precision operations are one.
pub fn build(code: &Code<'_>, pairs: &Pairs, block: usize) -> Graph {
    let mut graph = Builder::new(code, Some(pairs), block).build();
    if !graph.sort() {
        // The halves of some pairs depend on each other.
        graph = Builder::new(code, None, block).build();
        graph.sort();
    }
    graph
}

/// Memory that an instruction touches; an unknown location may be any.
struct Touched {
    location: Option<Location>,
    loads: bool,
    stores: bool,
}

/// An access for which operations are in the graph.
struct IssuedAccess {
    location: Option<Location>,
    /// Its first operation.
    head: usize,
    /// Its last operation.
    node: usize,
    loads: bool,
    stores: bool,
}

/// What an instruction touches.
fn touched(code: &Code<'_>, instruction: Value) -> Vec<Touched> {
    let at = |pointer, bytes, loads, stores| Touched {
        location: Some(Location::new(code, pointer, bytes)),
        loads,
        stores,
    };
    let anything = || Touched {
        location: None,
        loads: true,
        stores: true,
    };
    if let Some(access) = Access::recognize(instruction) {
        let stores = access.stored.is_some();
        // The argument block does not change.
        if !stores && code.argument(instruction).is_some() {
            return Vec::new();
        }
        let bytes = code.layout.stored(access.ty);
        return vec![at(access.pointer, bytes, !stores, stores)];
    }
    match instruction.opcode() {
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            vec![at(instruction.operand(0), ATOMIC_BYTES, true, true)]
        }
        Opcode::LLVMCall => {
            if instruction.is_computing_call() || instruction.is_elementwise_call() {
                return Vec::new();
            }
            let name = instruction.called_function().map(Value::name);
            if !name.unwrap_or_default().starts_with("llvm.mem") {
                return vec![anything()];
            }
            let length = instruction.operand(2).as_integer();
            let bytes = length.unwrap_or(UNKNOWN_BLOCK_BYTES);
            let mut touched = vec![at(instruction.operand(0), bytes, false, true)];
            if instruction.operand(1).ty().is_pointer() {
                touched.push(at(instruction.operand(1), bytes, true, false));
            }
            touched
        }
        Opcode::LLVMFence => vec![anything()],
        _ => Vec::new(),
    }
}

/// The dependence distance: the number of iterations after which `second` may touch what `first`
/// touched; none if it never does.
fn dependence_distance(
    steps: &IterationSteps<'_>,
    first: &Location,
    second: &Location,
) -> Option<u32> {
    if !first.may_alias(second) {
        return None;
    }
    let Some(ahead) = first.distance_from(second) else {
        return Some(1);
    };
    // The addresses differ by a constant, so that both advance by the same step.
    let IterationStep::Constant(step) = steps.step(first.pointer) else {
        return Some(1);
    };
    if step == 0 {
        return first.may_overlap(second).then_some(1);
    }
    let overlaps_after = |iterations: &i64| {
        step.checked_mul(*iterations)
            .is_some_and(|at| at < ahead + first.bytes && ahead < at + second.bytes)
    };
    let estimate = ahead / step;
    let mut candidates = (estimate - 1).max(1)..=(estimate + 2).max(1);
    let distance = candidates.find(overlaps_after)?;
    u32::try_from(distance).ok()
}

/// The graph while it is built.
struct Builder<'a> {
    code: &'a Code<'a>,
    pairs: Option<&'a Pairs>,
    block: usize,
    instructions: &'a [Value],
    /// Positions of the block's instructions.
    positions: HashMap<Value, usize>,
    /// Whether the block is a loop of its own.
    is_loop: bool,
    graph: Graph,
    accesses: Vec<IssuedAccess>,
    /// Cache lines that scalar accesses of the block have loaded.
    lines: HashSet<Sum>,
    /// Products that are contracted into an addition.
    contracted: HashSet<Value>,
    /// The predicated section of the instruction whose nodes are added.
    section: usize,
}

impl<'a> Builder<'a> {
    fn new(code: &'a Code<'a>, pairs: Option<&'a Pairs>, block: usize) -> Self {
        let instructions = code.instructions[block].as_slice();
        let product = |addition: &Value| {
            let operand = code.contracted_operand(*addition)?;
            Some(addition.operand(operand))
        };
        Self {
            positions: instructions.iter().copied().zip(0..).collect(),
            is_loop: code.cfg.successors(block).contains(&block),
            graph: Graph::of_instructions(instructions.len()),
            accesses: Vec::new(),
            lines: HashSet::new(),
            contracted: instructions.iter().filter_map(product).collect(),
            section: 0,
            code,
            pairs,
            block,
            instructions,
        }
    }

    /// Adds all instructions; the nodes are not sorted yet.
    fn build(mut self) -> Graph {
        for (position, &instruction) in self.instructions.iter().enumerate() {
            self.section = self.code.sections.position(instruction);
            let cost = self.add(position, instruction);
            self.graph.costs.push(cost);
        }
        self.find_live_out();
        if self.is_loop {
            self.add_carried_values();
            self.add_carried_accesses();
        }
        self.graph
    }

    /// Adds an instruction's operations; gives its cost.
    fn add(&mut self, position: usize, instruction: Value) -> InstructionCost {
        if instruction.is_terminator() {
            return self.add_terminator(position, instruction);
        }
        let mut cost = self.cost(instruction);
        if instruction.is(Opcode::LLVMPHI) && self.is_loop && !instruction.users().is_empty() {
            // A node of its own, which depends on the iteration before.
            self.graph.results[position] = Some(self.push(None, Vec::new()));
            return cost;
        }
        let operands = self.operand_dependences(position, instruction);
        let first_half = self
            .pairs
            .and_then(|pairs| pairs.first_of(instruction))
            .and_then(|first| self.positions.get(&first).copied())
            .filter(|first| !self.graph.heads[*first].is_empty());
        if let (Some(first), false) = (first_half, cost.is_free()) {
            for head in self.graph.heads[first].clone() {
                self.graph.dependences[head].extend(operands.iter().copied());
            }
            self.graph.results[position] = self.graph.results[first];
            cost.chain.clear();
            return cost;
        }
        self.graph.results[position] = self.add_operations(&cost, position, operands);
        self.order_accesses(position, instruction);
        cost
    }

    /// The cost of an instruction in its context: products are contracted into additions, and the
    /// block misses a line of the data cache only once.
    fn cost(&mut self, instruction: Value) -> InstructionCost {
        let code = self.code;
        let mut cost = code.instruction_cost(instruction);
        if self.contracted.contains(&instruction) {
            cost.chain.clear();
        } else if code.contracted_operand(instruction).is_some() {
            let layout = code.register_layout(instruction);
            cost.chain = code.multiply_add(layout, 0).chain;
        }
        if cost.has_traffic()
            && let Some(line) = memory_costs::scalar_line(code, instruction)
            && !self.lines.insert(line)
        {
            cost.traffic = PerMemory::default();
            cost.stall = 0;
        }
        cost
    }

    /// Dependences on the operands that are computed earlier in the block.
    fn operand_dependences(&self, position: usize, instruction: Value) -> Vec<Dependence> {
        if instruction.is(Opcode::LLVMPHI) {
            return Vec::new();
        }
        let result = |operand: Value| {
            let at = self.positions.get(&operand).filter(|at| **at < position)?;
            self.graph.results[*at].map(Dependence::on_result)
        };
        let operands = instruction.operands();
        operands.into_iter().filter_map(result).collect()
    }

    /// Adds the operations of an instruction; gives the node of its result.
    fn add_operations(
        &mut self,
        cost: &InstructionCost,
        position: usize,
        operands: Vec<Dependence>,
    ) -> Option<usize> {
        if cost.is_free() {
            return match operands.as_slice() {
                [] => None,
                [Dependence { from, order: None }] => Some(*from),
                _ => Some(self.push(None, operands)),
            };
        }
        let mut ends = Vec::new();
        for _ in 0..cost.instances {
            let mut dependences = operands.clone();
            for (place, operation) in cost.chain.iter().enumerate() {
                let node = self.push(Some(*operation), dependences);
                if place == 0 {
                    self.graph.heads[position].push(node);
                }
                dependences = vec![Dependence::on_result(node)];
            }
            ends.extend(dependences);
        }
        match ends.as_slice() {
            [Dependence { from, .. }] => Some(*from),
            _ => Some(self.push(None, ends)),
        }
    }

    fn push(&mut self, operation: Option<Operation>, dependences: Vec<Dependence>) -> usize {
        self.graph.operations.push(operation);
        self.graph.sections.push(self.section);
        self.graph.dependences.push(dependences);
        self.graph.operations.len() - 1
    }

    /// Adds the branch at the block's end, unless control falls through to the next block.
    fn add_terminator(&mut self, position: usize, terminator: Value) -> InstructionCost {
        let (code, params) = (self.code, self.code.params);
        let targets = taken_branches::targets(&code.cfg.graph, self.block);
        let falls_through = match targets.as_slice() {
            [only] => taken_branches::can_follow(&code.cfg.graph, self.block, *only),
            [] => terminator.is(Opcode::LLVMUnreachable),
            _ => false,
        };
        if falls_through {
            return InstructionCost::free();
        }
        // A switch is a tree of comparisons.
        let branches = (targets.len().max(2) - 1).ilog2() + 1;
        let mut cost = InstructionCost::new(Unit::Branch, params.branch, 1);
        let branch = cost.chain[0];
        let compare = Operation::in_registers(Unit::ScalarInteger, params.scalar_integer);
        for _ in 1..branches {
            cost.chain.extend([compare, branch]);
        }
        let condition = terminator.operands().into_iter().next();
        let condition =
            condition.and_then(|condition| self.graph.results[*self.positions.get(&condition)?]);
        let condition = condition.map(Dependence::on_result);
        let operands = condition.into_iter().collect();
        self.graph.branch = self.add_operations(&cost, position, operands);
        cost
    }

    /// Keeps the accesses of an instruction in order with earlier ones of the same memory.
    fn order_accesses(&mut self, position: usize, instruction: Value) {
        let heads = self.graph.heads[position].clone();
        let Some(&head) = heads.first() else {
            return;
        };
        let node = self.graph.operations.len() - 1;
        let new: Vec<IssuedAccess> = touched(self.code, instruction)
            .into_iter()
            .map(|touched| IssuedAccess {
                location: touched.location,
                head,
                node,
                loads: touched.loads,
                stores: touched.stores,
            })
            .collect();
        for this in &new {
            for earlier in self.accesses.iter().rev().take(WINDOW) {
                let is_ordered = this.stores || earlier.stores;
                let may_overlap = match (&earlier.location, &this.location) {
                    (Some(a), Some(b)) => a.may_overlap(b),
                    _ => true,
                };
                if !is_ordered || !may_overlap {
                    continue;
                }
                // A value stored in one cycle can be loaded in the next.
                let (from, cycles) = if earlier.stores {
                    (earlier.node, u32::from(this.loads))
                } else {
                    (earlier.head, 0)
                };
                let last = [this.node];
                let ordered = if this.loads { &heads[..] } else { &last[..] };
                for &to in ordered {
                    self.graph.dependences[to].push(Dependence::in_order(from, cycles));
                }
            }
        }
        self.accesses.extend(new);
    }

    fn find_live_out(&mut self) {
        self.graph.live_out = vec![false; self.graph.operations.len()];
        for (position, instruction) in self.instructions.iter().enumerate() {
            let Some(node) = self.graph.results[position] else {
                continue;
            };
            let is_later =
                |user: &Value| user.is(Opcode::LLVMPHI) || !self.positions.contains_key(user);
            if instruction.users().iter().any(is_later) {
                self.graph.live_out[node] = true;
            }
        }
    }

    /// Adds the dependences of φs on the iteration before.
    fn add_carried_values(&mut self) {
        let this = self.code.cfg.blocks[self.block];
        let result = |graph: &Graph, value: &Value| graph.results[*self.positions.get(value)?];
        for &phi in self.instructions {
            if !phi.is(Opcode::LLVMPHI) {
                break;
            }
            let Some(to) = result(&self.graph, &phi) else {
                continue;
            };
            for (value, from) in phi.incoming() {
                if from == this
                    && let Some(from) = result(&self.graph, &value)
                {
                    self.graph.carried.push(CarriedDependence {
                        from,
                        to,
                        order: None,
                        distance: 1,
                    });
                }
            }
        }
    }

    /// Adds dependences between accesses of different iterations.
    fn add_carried_accesses(&mut self) {
        let Some(number) = self.code.loops.innermost[self.block] else {
            return;
        };
        let steps = self.code.steps_in(number);
        let stores = self.accesses.iter().enumerate();
        for (number, store) in stores.filter(|(_, access)| access.stores) {
            for (other, access) in self.accesses.iter().enumerate() {
                let distance = match (&store.location, &access.location) {
                    (Some(a), Some(b)) => dependence_distance(&steps, a, b),
                    _ => Some(1),
                };
                if let Some(distance) = distance
                    && (other != number || !access.loads)
                {
                    self.graph.carried.push(CarriedDependence {
                        from: store.node,
                        to: access.head,
                        order: Some(u32::from(access.loads)),
                        distance,
                    });
                }
                // Loads of this iteration precede stores of later ones.
                if access.loads
                    && let (Some(a), Some(b)) = (&access.location, &store.location)
                    && let Some(distance) = dependence_distance(&steps, a, b)
                {
                    self.graph.carried.push(CarriedDependence {
                        from: access.node,
                        to: store.head,
                        order: Some(0),
                        distance,
                    });
                }
            }
        }
    }
}
