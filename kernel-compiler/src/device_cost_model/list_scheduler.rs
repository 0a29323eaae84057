//! List scheduling of a block: each cycle takes, of what can be issued, what most cycles depend on.

use super::graph::Graph;
use super::instruction_costs::{MemoryLevel, Unit};
use super::machine_params::MachineParams;
use super::register_pressure::{Live, Pressure};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When operations are issued.
pub struct Schedule {
    /// Cycles of the block.
    pub length: u32,
    /// Scalar and vector registers that had to be kept in memory for a while.
    pub spilled: [u32; 2],
}

/// Operations that have no registers, and are passed over for others in a cycle.
const PASSED: usize = 12;

/// What a node takes if memories beyond `level` answer at once.
#[derive(Clone, Copy)]
pub struct Effort {
    pub unit: Option<Unit>,
    pub busy: u32,
    pub latency: u32,
}

impl Graph {
    /// What a node takes if memories beyond `level` answer at once.
    pub fn effort(&self, node: usize, level: MemoryLevel) -> Effort {
        match self.nodes[node].operation {
            Some(operation) if operation.level <= level => Effort {
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

    /// Cycles that the units need at least; memories beyond `level` answer at once.
    pub fn needed_by_units(&self, params: &MachineParams, level: MemoryLevel) -> u32 {
        let mut busy = [0u32; Unit::COUNT];
        for node in 0..self.nodes.len() {
            let effort = self.effort(node, level);
            if let Some(unit) = effort.unit {
                let busy = &mut busy[unit as usize];
                *busy = busy.saturating_add(effort.busy);
            }
        }
        let units = busy.iter().zip(&params.slots);
        let cycles = units.map(|(busy, slots)| busy.div_ceil(*slots)).max();
        cycles.unwrap_or(0)
    }

    /// Schedules the block's operations; memories beyond `level` answer at once. While all registers
    /// are in use, what needs more of them waits for what frees some.
    pub fn schedule(&self, params: &MachineParams, lives: &[Live], level: MemoryLevel) -> Schedule {
        let count = self.nodes.len();
        let efforts: Vec<Effort> = (0..count).map(|node| self.effort(node, level)).collect();
        let mut after: Vec<Vec<(usize, u32)>> = vec![Vec::new(); count];
        let mut waiting = vec![0usize; count];
        for (node, edges) in self.before.iter().enumerate() {
            for edge in edges {
                let cycles = edge.order.unwrap_or(efforts[edge.from].latency);
                after[edge.from].push((node, cycles));
                waiting[node] += 1;
            }
        }
        // Cycles from a node's issue to the block's end at least.
        let mut height: Vec<u32> = efforts.iter().map(|effort| effort.latency.max(1)).collect();
        for node in (0..count).rev() {
            let below = after[node]
                .iter()
                .map(|(to, cycles)| height[*to].saturating_add(*cycles));
            height[node] = height[node].max(below.max().unwrap_or(0));
        }
        let mut free: Vec<Vec<u32>> = params
            .slots
            .iter()
            .map(|slots| vec![0; *slots as usize])
            .collect();
        let mut issue = vec![0u32; count];
        let mut earliest = vec![0u32; count];
        // By the cycle in which they can be issued.
        let mut pending: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
        // By unit and urgency; those that need no unit last.
        let mut ready: Vec<BinaryHeap<(u32, Reverse<usize>)>> =
            vec![BinaryHeap::new(); Unit::COUNT + 1];
        for node in (0..count).filter(|&node| waiting[node] == 0) {
            pending.push(Reverse((0, node)));
        }
        let (scalar, vector) = (params.scalar_registers, params.vector_registers);
        let mut pressure = Pressure::new(lives, count, scalar, vector);
        let mut passed: Vec<(u32, Reverse<usize>)> = Vec::new();
        // A machine file may name latencies such that cycles do not fit into the type.
        let mut cycle = 0u32;
        let mut forced = None;
        // Sooner than waiting for longer than that, a compiler would store something and load it again.
        let to_memory = params.vector_store + params.vector_load;
        loop {
            while let Some(&Reverse((at, node))) = pending.peek() {
                if at > cycle {
                    break;
                }
                pending.pop();
                let unit = efforts[node].unit.map_or(Unit::COUNT, |unit| unit as usize);
                ready[unit].push((height[node], Reverse(node)));
            }
            let mut issued = false;
            let mut short = false;
            for unit in (0..=Unit::COUNT).rev() {
                while !ready[unit].is_empty() {
                    let slot = match free.get(unit) {
                        Some(slots) => match slots.iter().position(|at| *at <= cycle) {
                            Some(slot) => Some(slot),
                            None => break,
                        },
                        None => None,
                    };
                    let Some((urgency, Reverse(node))) = ready[unit].pop() else {
                        break;
                    };
                    if forced != Some(node) && pressure.is_short(node) {
                        passed.push((urgency, Reverse(node)));
                        short = true;
                        if passed.len() >= PASSED {
                            break;
                        }
                        continue;
                    }
                    if let Some(slot) = slot {
                        free[unit][slot] = cycle.saturating_add(efforts[node].busy);
                    }
                    issue[node] = cycle;
                    issued = true;
                    pressure.issue(node);
                    for &(to, cycles) in &after[node] {
                        earliest[to] = earliest[to].max(cycle.saturating_add(cycles));
                        waiting[to] -= 1;
                        if waiting[to] == 0 {
                            pending.push(Reverse((earliest[to], to)));
                        }
                    }
                }
                ready[unit].extend(passed.drain(..));
            }
            // What only waited may have set free what can be issued in this very cycle.
            let now = pending.peek().is_some_and(|Reverse((at, _))| *at <= cycle);
            if issued && now {
                continue;
            }
            let next_ready = pending.peek().map(|Reverse((at, _))| *at);
            let next_free = (0..Unit::COUNT)
                .filter(|&unit| !ready[unit].is_empty())
                .filter_map(|unit| free[unit].iter().min().copied())
                .filter(|at| !short || *at > cycle)
                .min();
            let next = next_ready.into_iter().chain(next_free).min();
            let wait = next.map_or(u32::MAX, |next| next.saturating_sub(cycle));
            if short && !issued && wait > to_memory {
                // Something goes to memory, for what comes first in the program.
                let waiting = (0..=Unit::COUNT).filter(|&unit| {
                    let slots = free.get(unit);
                    slots.is_none_or(|slots| slots.iter().any(|at| *at <= cycle))
                });
                let waiting = waiting.flat_map(|unit| &ready[unit]);
                forced = waiting.map(|(_, Reverse(node))| *node).min();
                if let Some(node) = forced {
                    let unit = efforts[node].unit.map_or(Unit::COUNT, |unit| unit as usize);
                    ready[unit].retain(|(_, Reverse(other))| *other != node);
                    ready[unit].push((u32::MAX, Reverse(node)));
                    continue;
                }
            }
            match next {
                Some(next) => cycle = next.max(cycle.saturating_add(1)),
                None if short => cycle = cycle.saturating_add(1),
                None => break,
            }
        }
        let end = |node: usize| {
            let effort = efforts[node];
            let needed = self.leaves[node] || self.branch == Some(node);
            match (effort.unit, needed) {
                (_, true) => {
                    let used = effort.latency.saturating_sub(self.later[node]);
                    issue[node].saturating_add(used.max(u32::from(effort.unit.is_some())))
                }
                // Nobody waits for what is stored, nor for a unit that is only still busy.
                (Some(_), false) => issue[node].saturating_add(1),
                (None, false) => issue[node],
            }
        };
        Schedule {
            length: (0..count).map(end).max().unwrap_or(0),
            spilled: pressure.spilled,
        }
    }
}
