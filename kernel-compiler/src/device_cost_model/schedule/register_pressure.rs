//! Register pressure: which values occupy registers while a block runs.

use crate::device_cost_model::code::Code;
use crate::device_cost_model::dependence_graph::Graph;
use crate::ir::{Opcode, Value};
use std::collections::HashMap;

/// A value that occupies registers.
#[derive(Clone, Debug)]
pub struct Live {
    /// Vector registers, else scalar ones.
    pub is_vector: bool,
    /// Number of registers.
    pub registers: u32,
    /// The node that computes it; none if it is live into the block.
    pub made: Option<usize>,
    /// Nodes that use it.
    pub used: Vec<usize>,
    /// Whether it is live out of the block.
    pub is_live_out: bool,
}

/// What occupies the registers of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    /// The result of a node of the block.
    Node(usize),
    /// A value that is live into the block.
    LiveIn(Value),
}

/// The values that a block's operations compute and use. Values that are live through the block
/// without a use are left out: they can be spilled around it.
pub fn lives(code: &Code<'_>, block: usize, graph: &Graph) -> Vec<Live> {
    let instructions = &code.instructions[block];
    let place: HashMap<Value, usize> = instructions.iter().copied().zip(0..).collect();
    let in_loop = code.loops.innermost[block];
    let mut lives: Vec<Live> = Vec::new();
    let mut known: HashMap<Owner, usize> = HashMap::new();
    let owner = |mut value: Value| loop {
        let Some(&at) = place.get(&value) else {
            return (Owner::LiveIn(value), value);
        };
        if let Some(node) = graph.results[at] {
            return (Owner::Node(node), value);
        }
        // An instruction without a node, such as a cast, is its operand in the same registers.
        let operands = value.operands();
        if value.is(Opcode::LLVMPHI) || operands.is_empty() {
            return (Owner::LiveIn(value), value);
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
            let layout = code.register_layout(value);
            let (made, is_live_out) = match owner {
                Owner::Node(node) => (Some(node), graph.live_out[node]),
                Owner::LiveIn(value) => {
                    let is_elsewhere = |user: Value| !place.contains_key(&user);
                    let is_phi = place.contains_key(&value);
                    let outlives = in_loop.is_some() && !is_phi;
                    (None, outlives || value.has_user(is_elsewhere))
                }
            };
            lives.push(Live {
                is_vector: layout.is_vector,
                registers: layout.registers,
                made,
                used: Vec::new(),
                is_live_out,
            });
            lives.len() - 1
        })
    };
    for (number, &instruction) in instructions.iter().enumerate() {
        let heads = &graph.heads[number];
        if let (false, true, Some(node)) = (
            heads.is_empty(),
            is_value(instruction),
            graph.results[number],
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

/// Registers reserved for operations that use what loads have fetched.
const RESERVED: i64 = 8;

/// The registers in use while operations are issued one by one.
pub struct Pressure<'a> {
    lives: &'a [Live],
    /// By node: the values it uses, and those it computes.
    uses: Vec<Vec<usize>>,
    makes: Vec<Vec<usize>>,
    /// By value: number of nodes that have yet to use it.
    remaining: Vec<usize>,
    /// Scalar and vector registers of the machine.
    limit: [i64; 2],
    /// Scalar and vector registers in use.
    used: [i64; 2],
    /// Scalar and vector registers spilled so far.
    pub spilled: [u32; 2],
}

impl<'a> Pressure<'a> {
    /// The registers in use before the block.
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
                Some(node) if live.is_live_out || !live.used.is_empty() => {
                    pressure.makes[node].push(number);
                }
                Some(_) => {}
                None => pressure.take(number),
            }
        }
        pressure
    }

    /// Allocates the registers of a value.
    fn take(&mut self, live: usize) {
        let live = &self.lives[live];
        let class = usize::from(live.is_vector);
        self.used[class] += i64::from(live.registers);
        let above = (self.used[class] - self.limit[class]).clamp(0, i64::from(live.registers));
        // A value that occupies a register is spilled.
        self.used[class] -= above;
        self.spilled[class] += above as u32;
    }

    /// Whether an operation needs a register and none is free.
    pub fn is_short(&self, node: usize) -> bool {
        if self.makes[node].is_empty() {
            return false;
        }
        let mut more = self.used;
        for &live in &self.makes[node] {
            more[usize::from(self.lives[live].is_vector)] += i64::from(self.lives[live].registers);
        }
        // Operations that only load leave some registers to those that use what they load.
        let only_loads = self.uses[node]
            .iter()
            .all(|live| self.lives[*live].is_live_out);
        let reserved = if only_loads { RESERVED } else { 0 };
        if more[0] <= self.limit[0] - reserved && more[1] <= self.limit[1] - reserved {
            return false;
        }
        for &live in &self.uses[node] {
            let this = &self.lives[live];
            if self.remaining[live] == 1 && !this.is_live_out {
                more[usize::from(this.is_vector)] -= i64::from(this.registers);
            }
        }
        let short =
            |class: usize| more[class] > (self.limit[class] - reserved).max(self.used[class]);
        short(0) || short(1)
    }

    /// Updates the registers in use when an operation is issued.
    pub fn issue(&mut self, node: usize) {
        for at in 0..self.uses[node].len() {
            let live = self.uses[node][at];
            self.remaining[live] -= 1;
            let this = &self.lives[live];
            if self.remaining[live] == 0 && !this.is_live_out {
                let class = usize::from(this.is_vector);
                self.used[class] = (self.used[class] - i64::from(this.registers)).max(0);
            }
        }
        for at in 0..self.makes[node].len() {
            self.take(self.makes[node][at]);
        }
    }
}
