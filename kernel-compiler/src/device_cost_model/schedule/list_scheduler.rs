//! List scheduling of a block's dependence graph: each cycle issues the ready operations with the
//! longest critical paths to the block's end.

use super::Packets;
use super::register_pressure::{Live, Pressure};
use crate::device_cost_model::dependence_graph::{Effort, Graph};
use crate::device_cost_model::machine_params::MachineParams;
use crate::device_cost_model::operation::{MemoryLevel, Unit};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The result of scheduling a block.
pub struct Schedule {
    /// Cycles of the block.
    pub length: u32,
    /// Scalar and vector registers that were spilled for a while.
    pub spilled: [u32; 2],
    /// Its packets.
    pub packets: Packets,
}

/// Ready operations without a free register that are skipped for others in a cycle, per unit.
const MAX_SKIPPED: usize = 12;

/// The index of ready operations without a unit, after those of the units.
const NO_UNIT: usize = Unit::COUNT;

/// An operation's priority and number. Of equal priorities, the first in the program is issued.
type Ready = (u32, Reverse<usize>);

/// The queue of ready operations that a node belongs to.
fn queue(effort: Effort) -> usize {
    effort.unit.map_or(NO_UNIT, |unit| unit as usize)
}

impl Graph {
    /// The resource bound: cycles for which the most occupied unit is busy.
    pub fn resource_bound(&self, params: &MachineParams, level: MemoryLevel) -> u32 {
        let mut busy = [0u32; Unit::COUNT];
        for node in 0..self.operations.len() {
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
    /// are in use, operations that need more wait for others to free some.
    pub fn schedule(&self, params: &MachineParams, lives: &[Live], level: MemoryLevel) -> Schedule {
        let mut scheduler = ListScheduler::new(self, params, lives, level);
        scheduler.run();
        let length = (0..self.operations.len())
            .map(|node| scheduler.end(node))
            .max();
        Schedule {
            length: length.unwrap_or(0),
            spilled: scheduler.pressure.spilled,
            packets: scheduler.packets(length.unwrap_or(0)),
        }
    }
}

/// The state of scheduling one block.
struct ListScheduler<'a> {
    graph: &'a Graph,
    efforts: Vec<Effort>,
    /// By node: the nodes that depend on it, and after how many cycles they may be issued.
    successors: Vec<Vec<(usize, u32)>>,
    /// By node: cycles from its issue to the block's end at least.
    height: Vec<u32>,
    /// By node: dependences that have not been issued.
    unissued: Vec<usize>,
    /// By node: the first cycle in which its operands are available, as far as is known.
    earliest: Vec<u32>,
    /// By node: the cycle in which it was issued.
    issued_at: Vec<u32>,
    /// Nodes all of whose dependences have been issued, by the cycle in which they become ready.
    pending: BinaryHeap<Reverse<(u32, usize)>>,
    /// Ready nodes by unit; those without a unit come last.
    ready: Vec<BinaryHeap<Ready>>,
    /// By unit and issue slot: the cycle in which it becomes free.
    free_at: Vec<Vec<u32>>,
    pressure: Pressure<'a>,
    cycle: u32,
    /// A node to issue whatever registers it needs.
    forced: Option<usize>,
    /// Cycles above which spilling a register is cheaper than waiting for one.
    spill_latency: u32,
}

/// What issuing in one cycle came to.
#[derive(Default)]
struct Issued {
    /// Some operation was issued.
    any: bool,
    /// Some operation was skipped for lack of registers.
    short: bool,
}

impl<'a> ListScheduler<'a> {
    fn new(
        graph: &'a Graph,
        params: &MachineParams,
        lives: &'a [Live],
        level: MemoryLevel,
    ) -> Self {
        let count = graph.operations.len();
        let efforts: Vec<Effort> = (0..count).map(|node| graph.effort(node, level)).collect();
        let mut successors: Vec<Vec<(usize, u32)>> = vec![Vec::new(); count];
        let mut unissued = vec![0usize; count];
        for (node, dependences) in graph.dependences.iter().enumerate() {
            for dependence in dependences {
                let cycles = dependence.order.unwrap_or(efforts[dependence.from].latency);
                successors[dependence.from].push((node, cycles));
                unissued[node] += 1;
            }
        }
        let mut height: Vec<u32> = efforts.iter().map(|effort| effort.latency.max(1)).collect();
        for node in (0..count).rev() {
            let paths = successors[node].iter();
            let paths = paths.map(|(to, cycles)| height[*to].saturating_add(*cycles));
            height[node] = height[node].max(paths.max().unwrap_or(0));
        }
        let independent = (0..count).filter(|&node| unissued[node] == 0);
        let slots = params.slots.iter();
        let (scalar, vector) = (params.scalar_registers, params.vector_registers);
        Self {
            pending: independent.map(|node| Reverse((0, node))).collect(),
            ready: vec![BinaryHeap::new(); Unit::COUNT + 1],
            free_at: slots.map(|slots| vec![0; *slots as usize]).collect(),
            pressure: Pressure::new(lives, count, scalar, vector),
            issued_at: vec![0; count],
            earliest: vec![0; count],
            cycle: 0,
            forced: None,
            spill_latency: params.vector_store + params.vector_load,
            graph,
            efforts,
            successors,
            height,
            unissued,
        }
    }

    fn run(&mut self) {
        loop {
            self.collect_ready();
            let issued = self.issue_cycle();
            // Nodes without a unit may have made others ready in the same cycle.
            let more_in_cycle = self.next_pending().is_some_and(|at| at <= self.cycle);
            if issued.any && more_in_cycle {
                continue;
            }
            let next = self.next_event(issued.short);
            let wait = next.map_or(u32::MAX, |next| next.saturating_sub(self.cycle));
            if issued.short && !issued.any && wait > self.spill_latency && self.spill() {
                continue;
            }
            // A machine file may name latencies whose sum does not fit.
            match next {
                Some(next) => self.cycle = next.max(self.cycle.saturating_add(1)),
                None if issued.short => self.cycle = self.cycle.saturating_add(1),
                None => break,
            }
        }
    }

    fn next_pending(&self) -> Option<u32> {
        self.pending.peek().map(|Reverse((at, _))| *at)
    }

    /// Moves what has become ready to the queues of its units.
    fn collect_ready(&mut self) {
        while self.next_pending().is_some_and(|at| at <= self.cycle) {
            if let Some(Reverse((_, node))) = self.pending.pop() {
                self.ready[queue(self.efforts[node])].push((self.height[node], Reverse(node)));
            }
        }
    }

    /// Issues what is ready while there are free slots and registers.
    fn issue_cycle(&mut self) -> Issued {
        let mut issued = Issued::default();
        for unit in (0..=NO_UNIT).rev() {
            let mut skipped: Vec<Ready> = Vec::new();
            while !self.ready[unit].is_empty() && skipped.len() < MAX_SKIPPED {
                let slot = match self.free_at.get(unit) {
                    Some(slots) => match slots.iter().position(|at| *at <= self.cycle) {
                        Some(slot) => Some(slot),
                        None => break,
                    },
                    None => None,
                };
                let Some((height, Reverse(node))) = self.ready[unit].pop() else {
                    break;
                };
                if self.forced != Some(node) && self.pressure.is_short(node) {
                    skipped.push((height, Reverse(node)));
                    issued.short = true;
                    continue;
                }
                if let Some(slot) = slot {
                    let busy = self.efforts[node].busy;
                    self.free_at[unit][slot] = self.cycle.saturating_add(busy);
                }
                self.issue(node);
                issued.any = true;
            }
            self.ready[unit].extend(skipped);
        }
        issued
    }

    fn issue(&mut self, node: usize) {
        self.issued_at[node] = self.cycle;
        self.pressure.issue(node);
        for &(to, cycles) in &self.successors[node] {
            self.earliest[to] = self.earliest[to].max(self.cycle.saturating_add(cycles));
            self.unissued[to] -= 1;
            if self.unissued[to] == 0 {
                self.pending.push(Reverse((self.earliest[to], to)));
            }
        }
    }

    /// The next cycle in which a node becomes ready or a slot for a ready node becomes free.
    fn next_event(&self, is_short: bool) -> Option<u32> {
        let next_free = (0..Unit::COUNT)
            .filter(|&unit| !self.ready[unit].is_empty())
            .filter_map(|unit| self.free_at[unit].iter().min().copied())
            .filter(|at| !is_short || *at > self.cycle)
            .min();
        self.next_pending().into_iter().chain(next_free).min()
    }

    /// Makes the first ready node in the program issue next, whatever it spills. False if no node
    /// has a free slot.
    fn spill(&mut self) -> bool {
        let has_slot = |unit: &usize| {
            let slots = self.free_at.get(*unit);
            slots.is_none_or(|slots| slots.iter().any(|at| *at <= self.cycle))
        };
        let ready = (0..=NO_UNIT)
            .filter(has_slot)
            .flat_map(|unit| &self.ready[unit]);
        self.forced = ready.map(|(_, Reverse(node))| *node).min();
        let Some(node) = self.forced else {
            return false;
        };
        let queue = &mut self.ready[queue(self.efforts[node])];
        queue.retain(|(_, Reverse(other))| *other != node);
        queue.push((u32::MAX, Reverse(node)));
        true
    }

    /// The packets of a block of that length. A node that occupies its unit for several cycles issues an
    /// instruction in each.
    fn packets(&self, length: u32) -> Packets {
        let busy = self.efforts.iter().zip(&self.issued_at);
        let mut busy: Vec<(u32, u32)> = busy
            .filter(|(effort, _)| effort.unit.is_some_and(|unit| unit != Unit::Port))
            .map(|(effort, at)| (*at, at.saturating_add(effort.busy.max(1))))
            .collect();
        busy.sort_unstable();
        let (mut packets, mut empty, mut end) = (0u32, 0, 0);
        for (from, to) in busy {
            let to = to.min(length);
            if from > end {
                empty += 1;
            }
            packets += to.saturating_sub(from.max(end));
            end = end.max(to);
        }
        if end < length {
            empty += 1;
        }
        Packets { packets, empty }
    }

    /// The cycle in which the block may end as far as a node is concerned.
    fn end(&self, node: usize) -> u32 {
        let effort = self.efforts[node];
        let issued_at = self.issued_at[node];
        let is_needed = self.graph.live_out[node] || self.graph.branch == Some(node);
        match (effort.unit, is_needed) {
            (unit, true) => {
                let remaining = effort.latency.saturating_sub(self.graph.use_distance[node]);
                issued_at.saturating_add(remaining.max(u32::from(unit.is_some())))
            }
            // Neither a store's completion nor a busy unit delays the end.
            (Some(_), false) => issued_at.saturating_add(1),
            (None, false) => issued_at,
        }
    }
}
