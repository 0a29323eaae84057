//! Registers: which values are in one while a block runs.

use super::code::Code;
use super::graph::Graph;
use crate::ir::{Opcode, Value};
use std::collections::HashMap;

/// A value in registers.
#[derive(Clone, Debug)]
pub struct Live {
    /// Vector registers; else scalar ones.
    pub vector: bool,
    /// How many.
    pub registers: u32,
    /// The node that makes it; none if it is there before the block.
    pub made: Option<usize>,
    /// Nodes that use it.
    pub used: Vec<usize>,
    /// It is needed when the block ends.
    pub stays: bool,
}

/// What tells values apart: a node of the block, or what was there before.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Node(usize),
    Before(Value),
}

/// The values that a block's operations make and use. What only passes through can be kept in
/// memory meanwhile, and is left out.
pub fn lives(code: &Code<'_>, block: usize, graph: &Graph) -> Vec<Live> {
    let instructions = &code.instructions[block];
    let place: HashMap<Value, usize> = instructions.iter().copied().zip(0..).collect();
    let in_loop = code.loops.innermost[block];
    let mut lives: Vec<Live> = Vec::new();
    let mut known: HashMap<Owner, usize> = HashMap::new();
    let owner = |mut value: Value| loop {
        let Some(&at) = place.get(&value) else {
            return (Owner::Before(value), value);
        };
        if let Some(node) = graph.result[at] {
            return (Owner::Node(node), value);
        }
        // A name for something that was there before.
        let operands = value.operands();
        if value.is(Opcode::LLVMPHI) || operands.is_empty() {
            return (Owner::Before(value), value);
        }
        value = operands[0];
    };
    let is_value = |value: Value| {
        !value.ty().is_void()
            && (value.is_instruction() || !value.is_constant())
            && !value.is_function()
    };
    let mut enter = |lives: &mut Vec<Live>, owner: Owner, value: Value| {
        *known.entry(owner).or_insert_with(|| {
            let form = code.form(value);
            let (made, stays) = match owner {
                Owner::Node(node) => (Some(node), graph.leaves[node]),
                Owner::Before(value) => {
                    let others = value.users();
                    let here = |user: &Value| place.contains_key(user);
                    let is_phi = place.contains_key(&value);
                    let outlives = in_loop.is_some() && !is_phi;
                    (None, outlives || !others.iter().all(here))
                }
            };
            lives.push(Live {
                vector: form.vector,
                registers: form.registers,
                made,
                used: Vec::new(),
                stays,
            });
            lives.len() - 1
        })
    };
    for (number, &instruction) in instructions.iter().enumerate() {
        let heads = &graph.heads[number];
        if let (false, true, Some(node)) = (
            heads.is_empty(),
            is_value(instruction),
            graph.result[number],
        ) {
            enter(&mut lives, Owner::Node(node), instruction);
        }
        if heads.is_empty() || instruction.is(Opcode::LLVMPHI) {
            continue;
        }
        for operand in instruction.operands() {
            let (owner, value) = owner(operand);
            if is_value(operand) && is_value(value) {
                let live = enter(&mut lives, owner, value);
                lives[live].used.push(heads[0]);
            }
        }
    }
    for live in &mut lives {
        live.used.sort_unstable();
        live.used.dedup();
    }
    lives
}

/// Registers that are not filled with what nobody has asked for yet.
const KEPT: i64 = 8;

/// Registers in use while operations are issued one by one.
pub struct Pressure<'a> {
    lives: &'a [Live],
    /// By node: the values it uses, and those it makes.
    uses: Vec<Vec<usize>>,
    makes: Vec<Vec<usize>>,
    /// By value: nodes that will still use it.
    remaining: Vec<usize>,
    /// Scalar registers, vector registers: how many there are, are in use, and had to be kept in
    /// memory for a while.
    limit: [i64; 2],
    used: [i64; 2],
    pub spilled: [u32; 2],
}

impl<'a> Pressure<'a> {
    /// Before the block.
    pub fn new(lives: &'a [Live], nodes: usize, scalar: u32, vector: u32) -> Self {
        let mut pressure = Self {
            lives,
            uses: vec![Vec::new(); nodes],
            makes: vec![Vec::new(); nodes],
            remaining: lives.iter().map(|live| live.used.len()).collect(),
            limit: [i64::from(scalar), i64::from(vector)],
            used: [0; 2],
            spilled: [0; 2],
        };
        for (number, live) in lives.iter().enumerate() {
            for &user in &live.used {
                pressure.uses[user].push(number);
            }
            match live.made {
                Some(node) if live.stays || !live.used.is_empty() => {
                    pressure.makes[node].push(number);
                }
                Some(_) => {}
                None => pressure.take(number),
            }
        }
        pressure
    }

    fn take(&mut self, live: usize) {
        let live = &self.lives[live];
        let class = usize::from(live.vector);
        self.used[class] += i64::from(live.registers);
        let above = (self.used[class] - self.limit[class]).clamp(0, i64::from(live.registers));
        // One that is there has to go to memory.
        self.used[class] -= above;
        self.spilled[class] += above as u32;
    }

    /// Whether an operation would need a register that there is none of.
    pub fn is_short(&self, node: usize) -> bool {
        if self.makes[node].is_empty() {
            return false;
        }
        let mut more = self.used;
        for &live in &self.makes[node] {
            more[usize::from(self.lives[live].vector)] += i64::from(self.lives[live].registers);
        }
        // What only loads leaves some for those who use it.
        let only_makes = self.uses[node].iter().all(|live| self.lives[*live].stays);
        let kept = if only_makes { KEPT } else { 0 };
        if more[0] <= self.limit[0] - kept && more[1] <= self.limit[1] - kept {
            return false;
        }
        for &live in &self.uses[node] {
            let this = &self.lives[live];
            if self.remaining[live] == 1 && !this.stays {
                more[usize::from(this.vector)] -= i64::from(this.registers);
            }
        }
        let short = |class: usize| more[class] > (self.limit[class] - kept).max(self.used[class]);
        short(0) || short(1)
    }

    /// An operation is issued.
    pub fn issue(&mut self, node: usize) {
        for at in 0..self.uses[node].len() {
            let live = self.uses[node][at];
            self.remaining[live] -= 1;
            let this = &self.lives[live];
            if self.remaining[live] == 0 && !this.stays {
                let class = usize::from(this.vector);
                self.used[class] = (self.used[class] - i64::from(this.registers)).max(0);
            }
        }
        for at in 0..self.makes[node].len() {
            self.take(self.makes[node][at]);
        }
    }
}
