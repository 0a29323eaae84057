//! The cost of a basic block: what its instructions add up to, and the cycles of its schedule.

use super::code::Code;
use super::dependence_graph::Graph;
use super::operation::{InstructionCost, MemoryLevel, WHOLE};
use super::schedule::{Packets, modulo_schedule, register_pressure};
use super::stack_costs;
use crate::ir::Value;
use device_sim::machine::{PerMemory, SharedMemory};
use device_sim::timing::cost::{Active, BlockCost, LaneWork, PerUnit};
use std::array::from_fn;

/// Cycles of operations on registers, and what waiting for SM or AM and for memories outside adds.
pub type CyclesByLevel = [u32; 3];

/// The totals of a block's instructions. Fractions are in 1/65536.
#[derive(Default)]
struct Totals {
    cost: BlockCost,
    /// Bytes moved to or from memories outside.
    traffic: PerMemory<u64>,
    /// Cycles of stalls on memories outside.
    stall: u64,
}

/// The costs of a block and of its predicated sections.
pub struct BlockCosts {
    /// What always runs.
    pub block: BlockCost,
    /// What each section adds if some lane is active in it.
    pub sections: Vec<BlockCost>,
    /// The additional cost of the first iteration of a modulo-scheduled loop, whose other costs are
    /// those of one iteration.
    pub prologue: Option<CyclesByLevel>,
}

/// The cost of a block. The cycles of a predicated section are those by which the schedule grows
/// with it; together with the block's own they are those of the whole block.
pub fn block_costs(code: &Code<'_>, graph: &mut Graph, block: usize, overlaps: bool) -> BlockCosts {
    let count = code.sections.in_block(block).len();
    let mut totals: Vec<Totals> = (0..=count).map(|_| Totals::default()).collect();
    for (instruction, cost) in code.instructions[block].iter().zip(&graph.costs) {
        totals[code.sections.position(*instruction)].add(code, *instruction, cost);
    }
    let lives = register_pressure::lives(code, block, graph);
    let mut whole = None;
    let mut longer = [u32::MAX; 3];
    for sections in (0..=count).rev() {
        graph.active_sections = sections;
        let schedule = schedule(code, graph, &lives, block, overlaps);
        let cycles: [u32; 3] = from_fn(|place| schedule.cycles[place].min(longer[place]));
        totals[0].cost.packets = schedule.packets.packets;
        totals[0].cost.empty_packets = schedule.packets.empty;
        if sections < count {
            totals[sections + 1].add_cycles(split_by_level(longer, cycles));
        } else {
            whole = Some(schedule);
        }
        longer = cycles;
    }
    totals[0].add_cycles([longer[0], longer[1] - longer[0], longer[2] - longer[1]]);
    let whole = whole.expect("there is a schedule with all sections");
    totals[0].add_spills(code, whole.spilled);
    let mut costs = totals.into_iter().map(Totals::finish);
    BlockCosts {
        block: costs.next().expect("the block itself is the first"),
        sections: costs.collect(),
        prologue: whole.prologue,
    }
}

/// The schedule of a block with some of its sections.
struct Schedule {
    /// The cycles of one run, by memory level.
    cycles: CyclesByLevel,
    /// Scalar and vector registers spilled.
    spilled: [u32; 2],
    /// The packets of one run.
    packets: Packets,
    /// What the first iteration takes longer, if iterations overlap.
    prologue: Option<CyclesByLevel>,
}

fn schedule(
    code: &Code<'_>,
    graph: &Graph,
    lives: &[register_pressure::Live],
    block: usize,
    overlaps: bool,
) -> Schedule {
    let (lengths, spilled, packets) = list_schedule(code, graph, lives, block);
    if overlaps {
        let intervals = each_level(|level, place| {
            modulo_schedule::interval(code, graph, lives, level, lengths[place])
        });
        if intervals[2] < lengths[2] {
            return Schedule {
                cycles: intervals,
                spilled: [0; 2],
                packets: Packets::of_interval(intervals[1], graph.instructions()),
                prologue: Some(split_by_level(lengths, intervals)),
            };
        }
        // Results may be used later behind the loop than in its next iteration, for which alone the
        // interval is longer.
        return Schedule {
            cycles: from_fn(|place| lengths[place].max(intervals[place])),
            spilled,
            packets,
            prologue: None,
        };
    }
    Schedule {
        cycles: lengths,
        spilled,
        packets,
        prologue: None,
    }
}

/// A value for each memory level, none less than for the level before.
fn each_level(mut value: impl FnMut(MemoryLevel, usize) -> u32) -> CyclesByLevel {
    let mut values = [0; 3];
    let mut before = 0;
    for (place, level) in MemoryLevel::ALL.into_iter().enumerate() {
        before = value(level, place).max(before);
        values[place] = before;
    }
    values
}

/// The lengths of a block's schedules if memories beyond each level answer at once, the scalar and vector
/// registers spilled, and the packets, which stalls do not change.
fn list_schedule(
    code: &Code<'_>,
    graph: &Graph,
    lives: &[register_pressure::Live],
    block: usize,
) -> (CyclesByLevel, [u32; 2], Packets) {
    let is_loop = code.cfg.successors(block).contains(&block);
    let (mut spilled, mut packets) = ([0; 2], Packets::default());
    let lengths = each_level(|level, place| {
        // Without operations of this level, the schedule is that of the level before.
        if place > 0 && !graph.reaches(level) {
            return 0;
        }
        let schedule = graph.schedule(code.params, lives, level);
        spilled = schedule.spilled;
        // Without memories outside there are no stalls, but accesses of them are instructions.
        packets = schedule.packets;
        if is_loop {
            // The next iteration uses the units as well.
            schedule
                .length
                .max(graph.resource_bound(code.params, level))
        } else {
            schedule.length
        }
    });
    (lengths, spilled, packets)
}

/// By how much a schedule is longer than another, by memory level.
fn split_by_level(longer: CyclesByLevel, shorter: CyclesByLevel) -> CyclesByLevel {
    let all = longer[2] - shorter[2];
    let compute = longer[0].saturating_sub(shorter[0]).min(all);
    let near = longer[1].saturating_sub(shorter[1]).clamp(compute, all);
    [compute, near - compute, all - near]
}

fn add_each(sums: &mut PerUnit<u32>, numbers: PerUnit<u32>) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

impl Totals {
    fn add(&mut self, code: &Code<'_>, instruction: Value, cost: &InstructionCost) {
        let block = &mut self.cost;
        add_each(&mut block.issued, cost.issued());
        block.cached += cost.cached();
        block.scalar_flops += cost.flops[2];
        block.scratchpad_bytes += cost.scratchpad_bytes;
        block.barrier = block.barrier.saturating_add(cost.barrier);
        block.unused = block.unused.saturating_add(cost.unused);
        self.add_traffic(cost.traffic);
        self.stall += cost.stall;
        if let Some(counted) = cost.counted {
            let lanes = self.lane_work(counted.active);
            lanes.outside += counted.outside;
            lanes.traffic[SharedMemory::Ddr as usize] += counted.traffic;
            lanes.unused += counted.unused;
        }
        // The second operation of a pair has no operations but counts its floating-point ones.
        if cost.vector_operations() == 0 && cost.flops[..2] == [0, 0] {
            return;
        }
        let lanes = self.lane_work(code.active(instruction));
        lanes.operations += cost.vector_operations();
        lanes.single_flops += cost.flops[0];
        lanes.double_flops += cost.flops[1];
    }

    /// The block's work that `active` counts.
    fn lane_work(&mut self, active: Active) -> &mut LaneWork {
        let lanes = &mut self.cost.lanes;
        let known = lanes.iter().position(|work| work.active == active);
        let known = known.unwrap_or_else(|| {
            lanes.push(LaneWork::new(active));
            lanes.len() - 1
        });
        &mut lanes[known]
    }

    fn add_traffic(&mut self, traffic: PerMemory<u64>) {
        for (sum, bytes) in self.traffic.iter_mut().zip(traffic) {
            *sum += bytes;
        }
    }

    fn add_cycles(&mut self, cycles: CyclesByLevel) {
        let [compute, scratchpad, outside] = cycles;
        self.cost.compute += compute;
        self.cost.scratchpad += scratchpad;
        self.cost.outside += outside;
    }

    fn add_spills(&mut self, code: &Code<'_>, spilled: [u32; 2]) {
        for (is_vector, registers) in [(false, spilled[0]), (true, spilled[1])] {
            let spill = stack_costs::spill(code, is_vector, registers);
            add_each(&mut self.cost.issued, spill.issued());
            self.cost.scratchpad_bytes += spill.scratchpad_bytes;
            let cycles = stack_costs::spill_cycles(code, is_vector, registers);
            self.cost.scratchpad = self.cost.scratchpad.saturating_add(cycles);
            self.add_traffic(spill.traffic);
            self.stall += spill.stall;
        }
    }

    fn finish(mut self) -> BlockCost {
        let rounded =
            |fraction: u64| u32::try_from((fraction + WHOLE / 2) / WHOLE).unwrap_or(u32::MAX);
        self.cost.traffic = self.traffic.map(rounded);
        self.cost.outside = self.cost.outside.saturating_add(rounded(self.stall));
        self.cost
    }
}
