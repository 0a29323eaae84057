//! The dependence graph of a block's machine operations.

use super::access::{self, Access, Place, may_meet, may_overlap};
use super::address::argument;
use super::code::Code;
use super::instruction_costs::{MemoryLevel, Operation, Unit, Work};
use super::packed_f32::Pairs;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::ir::{Opcode, Value};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// A machine operation; without a unit it only waits for others.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub operation: Option<Operation>,
}

/// What one operation waits for.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Number of the operation that comes first.
    pub from: usize,
    /// Its result is used; else it has only to have been issued so many cycles before.
    pub order: Option<u32>,
}

/// What an operation of one round of a loop waits for of an earlier one.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    pub from: usize,
    pub to: usize,
    /// As `Edge::order`.
    pub order: Option<u32>,
    /// So many rounds earlier.
    pub rounds: u32,
}

/// The operations of a block. Each comes after those that it waits for.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub before: Vec<Vec<Edge>>,
    /// By instruction of the block: what stands for its result.
    pub result: Vec<Option<usize>>,
    /// By instruction: its operations that wait for its operands.
    pub heads: Vec<Vec<usize>>,
    /// By instruction: what it is on the machine. None of one that is done as a part of another.
    pub work: Vec<Work>,
    /// The branch, if there has to be one.
    pub branch: Option<usize>,
    /// By node: its result is used outside of the block, or in its next round.
    pub leaves: Vec<bool>,
    /// By node: cycles that pass outside of the block before its result is used.
    pub later: Vec<u32>,
    /// What goes from a round to a later one, if the block is a loop.
    pub carried: Vec<Carried>,
}

/// Accesses before one that are looked at for what it has to wait for.
const WINDOW: usize = 128;

/// An access, or a call that may be one.
struct Earlier {
    place: Option<Place>,
    /// Its first operation, and its last.
    head: usize,
    node: usize,
    loads: bool,
    stores: bool,
}

/// What an instruction accesses: where (none: anywhere), and whether it loads and stores there.
fn touched(code: &Code<'_>, instruction: Value) -> Vec<(Option<Place>, bool, bool)> {
    if let Some(access) = Access::of(instruction) {
        // The argument block does not change.
        if access.stored.is_none() && argument(instruction, code.layout).is_some() {
            return Vec::new();
        }
        let stores = access.stored.is_some();
        let bytes = code.layout.stored(access.ty);
        let place = Place::of(code, access.pointer, bytes);
        return vec![(Some(place), !stores, stores)];
    }
    match instruction.opcode() {
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            let place = Place::of(code, instruction.operand(0), 8);
            vec![(Some(place), true, true)]
        }
        Opcode::LLVMCall => {
            if instruction.is_computing_call() || instruction.is_elementwise_call() {
                return Vec::new();
            }
            let name = instruction.called_function().map(Value::name);
            let name = name.unwrap_or_default();
            if !name.starts_with("llvm.mem") {
                return vec![(None, true, true)];
            }
            let bytes = instruction.operand(2).as_integer().unwrap_or(1 << 32);
            let place = |of: u32| Some(Place::of(code, instruction.operand(of), bytes));
            let mut touched = vec![(place(0), false, true)];
            if instruction.operand(1).ty().is_pointer() {
                touched.push((place(1), true, false));
            }
            touched
        }
        Opcode::LLVMFence => vec![(None, true, true)],
        _ => Vec::new(),
    }
}

/// After how many rounds of a loop what the first access touches may be touched by the second;
/// none if never.
fn rounds_between(steps: &IterationSteps<'_>, first: &Place, second: &Place) -> Option<u32> {
    if !may_meet(first, second) {
        return None;
    }
    let Some(ahead) = first.ahead(second) else {
        return Some(1);
    };
    // Sums alike move alike.
    let IterationStep::Constant(step) = steps.of(first.pointer) else {
        return Some(1);
    };
    if step == 0 {
        return may_overlap(first, second).then_some(1);
    }
    let reached = |rounds: i64| {
        let at = step.checked_mul(rounds)?;
        (at < ahead + first.bytes && ahead < at + second.bytes).then_some(rounds)
    };
    let about = ahead / step;
    let near = (about - 1).max(1)..=(about + 2).max(1);
    near.filter_map(reached)
        .next()
        .and_then(|rounds| u32::try_from(rounds).ok())
}

impl Graph {
    /// Of a block; operations that are pairs are one.
    pub fn of(code: &Code<'_>, pairs: &Pairs, block: usize) -> Self {
        let mut graph = Self::unordered(code, Some(pairs), block);
        if !graph.put_in_order() {
            // Halves of pairs that wait for each other.
            graph = Self::unordered(code, None, block);
            graph.put_in_order();
        }
        graph
    }

    fn unordered(code: &Code<'_>, pairs: Option<&Pairs>, block: usize) -> Self {
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
            heads: vec![Vec::new(); instructions.len()],
            work: Vec::with_capacity(instructions.len()),
            branch: None,
            leaves: Vec::new(),
            later: Vec::new(),
            carried: Vec::new(),
        };
        let is_loop = code.cfg.successors(block).contains(&block);
        let mut lines = HashSet::new();
        let mut earlier: Vec<Earlier> = Vec::new();
        for (number, &instruction) in instructions.iter().enumerate() {
            let mut work = code.work(instruction);
            if fused.contains(&instruction) {
                work.chain.clear();
            } else if code.contracted(instruction).is_some() {
                work.chain = code.multiply_add(code.form(instruction), 0).chain;
            }
            if work.traffic > 0
                && let Some(line) = access::scalar_line(code, instruction)
                && !lines.insert(line)
            {
                // It came with what was there before.
                work.traffic = 0;
                work.stall = 0;
            }
            if instruction.is_terminator() {
                let work = graph.end(code, block, instruction, &place, number);
                graph.work.push(work);
                continue;
            }
            let mut needed: Vec<Edge> = Vec::new();
            if !instruction.is(Opcode::LLVMPHI) {
                for operand in instruction.operands() {
                    let known = place.get(&operand).filter(|at| **at < number);
                    let Some(&at) = known else {
                        continue;
                    };
                    if let Some(from) = graph.result[at] {
                        needed.push(Edge { from, order: None });
                    }
                }
            } else if is_loop && !instruction.users().is_empty() {
                // What stands for it waits for the round before.
                graph.result[number] = Some(graph.push(None, Vec::new()));
                graph.work.push(work);
                continue;
            }
            let half = pairs
                .and_then(|pairs| pairs.first_of(instruction))
                .and_then(|first| place.get(&first).copied())
                .filter(|first| !graph.heads[*first].is_empty());
            if let (Some(first), false) = (half, work.is_free()) {
                for head in graph.heads[first].clone() {
                    graph.before[head].extend(needed.iter().copied());
                }
                graph.result[number] = graph.result[first];
                work.chain.clear();
                graph.work.push(work);
                continue;
            }
            graph.result[number] = graph.add(&work, number, needed);
            graph.keep_order(code, instruction, number, &mut earlier);
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
        if is_loop {
            graph.carry(code, block, &place, &earlier);
        }
        graph
    }

    /// What the next round needs of this one.
    fn carry(
        &mut self,
        code: &Code<'_>,
        block: usize,
        place: &HashMap<Value, usize>,
        earlier: &[Earlier],
    ) {
        let this = code.cfg.blocks[block];
        for &phi in &code.instructions[block] {
            if !phi.is(Opcode::LLVMPHI) {
                break;
            }
            let Some(to) = place.get(&phi).and_then(|at| self.result[*at]) else {
                continue;
            };
            for (value, from) in phi.incoming() {
                if from != this {
                    continue;
                }
                if let Some(from) = place.get(&value).and_then(|at| self.result[*at]) {
                    self.carried.push(Carried {
                        from,
                        to,
                        order: None,
                        rounds: 1,
                    });
                }
            }
        }
        let Some(of) = code.loops.innermost[block] else {
            return;
        };
        let steps = code.steps_in(of);
        for (number, store) in earlier
            .iter()
            .enumerate()
            .filter(|(_, access)| access.stores)
        {
            for (other, access) in earlier.iter().enumerate() {
                if !access.stores && !store.stores {
                    continue;
                }
                let rounds = match (&store.place, &access.place) {
                    (Some(a), Some(b)) => rounds_between(&steps, a, b),
                    _ => Some(1),
                };
                if let Some(rounds) = rounds
                    && (other != number || !access.loads)
                {
                    let order = Some(u32::from(access.loads));
                    self.carried.push(Carried {
                        from: store.node,
                        to: access.head,
                        order,
                        rounds,
                    });
                }
                // Loads of this round come before what the next one stores.
                if access.loads
                    && let (Some(a), Some(b)) = (&access.place, &store.place)
                    && let Some(rounds) = rounds_between(&steps, a, b)
                {
                    self.carried.push(Carried {
                        from: access.node,
                        to: store.head,
                        order: Some(0),
                        rounds,
                    });
                }
            }
        }
    }

    /// Puts every node after those that it waits for; false if there is no such order.
    fn put_in_order(&mut self) -> bool {
        let count = self.nodes.len();
        let mut waiting: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (node, edges) in self.before.iter().enumerate() {
            for edge in edges {
                after[edge.from].push(node);
            }
        }
        let mut order: BinaryHeap<Reverse<usize>> = (0..count)
            .filter(|node| waiting[*node] == 0)
            .map(Reverse)
            .collect();
        let mut sorted = Vec::with_capacity(count);
        while let Some(Reverse(node)) = order.pop() {
            sorted.push(node);
            for &next in &after[node] {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    order.push(Reverse(next));
                }
            }
        }
        if sorted.len() < count {
            return false;
        }
        let mut at = vec![0; count];
        for (new, &old) in sorted.iter().enumerate() {
            at[old] = new;
        }
        self.nodes = sorted.iter().map(|&old| self.nodes[old]).collect();
        self.leaves = sorted.iter().map(|&old| self.leaves[old]).collect();
        self.later = vec![0; count];
        let mut before: Vec<Vec<Edge>> = Vec::with_capacity(count);
        for &old in &sorted {
            let mut edges = std::mem::take(&mut self.before[old]);
            for edge in &mut edges {
                edge.from = at[edge.from];
            }
            before.push(edges);
        }
        self.before = before;
        for node in self.result.iter_mut().flatten() {
            *node = at[*node];
        }
        for node in self.heads.iter_mut().flatten() {
            *node = at[*node];
        }
        if let Some(branch) = &mut self.branch {
            *branch = at[*branch];
        }
        for carried in &mut self.carried {
            carried.from = at[carried.from];
            carried.to = at[carried.to];
        }
        true
    }

    /// Adds an instruction's operations; gives what stands for its result.
    fn add(&mut self, work: &Work, instruction: usize, needed: Vec<Edge>) -> Option<usize> {
        if work.is_free() {
            return match needed.as_slice() {
                [] => None,
                [Edge { from, order: None }] => Some(*from),
                _ => Some(self.push(None, needed)),
            };
        }
        let mut ends = Vec::new();
        for _ in 0..work.times {
            let mut before = needed.clone();
            for (place, operation) in work.chain.iter().enumerate() {
                let node = self.push(Some(*operation), before);
                if place == 0 {
                    self.heads[instruction].push(node);
                }
                before = vec![Edge {
                    from: node,
                    order: None,
                }];
            }
            ends.extend(before);
        }
        match ends.as_slice() {
            [Edge { from, .. }] => Some(*from),
            _ => Some(self.push(None, ends)),
        }
    }

    fn push(&mut self, operation: Option<Operation>, before: Vec<Edge>) -> usize {
        self.nodes.push(Node { operation });
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
        let n = code.params;
        // Neighbouring cases of a switch with one target need one comparison.
        let mut next = code.cfg.successors(block).to_vec();
        next.dedup();
        let goes_on = match next.as_slice() {
            [only] => *only == block + 1 || code.cfg.predecessors(*only).len() == 1,
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
        number: usize,
        earlier: &mut Vec<Earlier>,
    ) {
        let heads = self.heads[number].clone();
        let Some(&head) = heads.first() else {
            return;
        };
        let touched: Vec<Earlier> = touched(code, instruction)
            .into_iter()
            .map(|(place, loads, stores)| Earlier {
                place,
                head,
                node: self.nodes.len() - 1,
                loads,
                stores,
            })
            .collect();
        for this in &touched {
            for before in earlier.iter().rev().take(WINDOW) {
                if !this.stores && !before.stores {
                    continue;
                }
                let overlap = match (&before.place, &this.place) {
                    (Some(a), Some(b)) => may_overlap(a, b),
                    _ => true,
                };
                if overlap {
                    // What is stored can be loaded in the next cycle.
                    let (from, cycles) = if before.stores {
                        (before.node, u32::from(this.loads))
                    } else {
                        (before.head, 0)
                    };
                    let last = [this.node];
                    let to = if this.loads { &heads[..] } else { &last[..] };
                    for &to in to {
                        self.before[to].push(Edge {
                            from,
                            order: Some(cycles),
                        });
                    }
                }
            }
        }
        earlier.extend(touched);
    }

    /// By instruction: cycles of the block that pass before it uses its operands, if all memories
    /// answer at once. Nothing is known of what is only a name.
    pub fn depths(&self) -> Vec<u32> {
        let mut start = vec![0u32; self.nodes.len()];
        for (node, edges) in self.before.iter().enumerate() {
            for edge in edges {
                let latency = self.effort(edge.from, MemoryLevel::Registers).latency;
                let cycles = edge.order.unwrap_or(latency);
                start[node] = start[node].max(start[edge.from] + cycles);
            }
        }
        let first = |heads: &Vec<usize>| heads.iter().map(|head| start[*head]).min();
        self.heads
            .iter()
            .map(|heads| first(heads).unwrap_or(0))
            .collect()
    }

    /// Finds how long after the block its results are used: they may still be on their way when the next
    /// one begins. `depths` are those of all blocks' instructions. If rounds of the block overlap,
    /// only what follows the last one counts.
    pub fn find_later(
        &mut self,
        code: &Code<'_>,
        block: usize,
        depths: &HashMap<Value, u32>,
        overlaps: bool,
    ) {
        let this = code.cfg.blocks[block];
        let depth = |user: &Value| depths.get(user).copied().unwrap_or(0);
        let after = |phi: Value| {
            let users = phi.users();
            let here = users.iter().map(|user| {
                let same = !user.is(Opcode::LLVMPHI) && user.block() == phi.block();
                if same { depth(user) } else { 0 }
            });
            here.min().unwrap_or(0)
        };
        let mut later = vec![None; self.nodes.len()];
        for (number, &instruction) in code.instructions[block].iter().enumerate() {
            let Some(node) = self.result[number] else {
                continue;
            };
            for user in instruction.users() {
                let here = user.block() == this;
                let cycles = if user.is(Opcode::LLVMPHI) && here && overlaps {
                    u32::MAX
                } else if user.is(Opcode::LLVMPHI) {
                    after(user)
                } else if here {
                    continue;
                } else {
                    depth(&user)
                };
                later[node] = Some(cycles.min(later[node].unwrap_or(u32::MAX)));
            }
        }
        self.later = later
            .into_iter()
            .map(|cycles: Option<u32>| cycles.unwrap_or(0))
            .collect();
    }

    /// Whether some operation waits for that memory.
    pub fn reaches(&self, level: MemoryLevel) -> bool {
        let operations = self.nodes.iter().filter_map(|node| node.operation);
        operations
            .into_iter()
            .any(|operation| operation.level == level)
    }
}
