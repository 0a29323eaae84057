//! The cost of a basic block: what its instructions add up to, and the cycles of its schedule.

use super::code::Code;
use super::dependence_graph::Graph;
use super::modulo_schedule;
use super::operation::{InstructionCost, MemoryLevel, WHOLE};
use super::register_pressure;
use super::stack_costs;
use crate::ir::Value;
use device_sim::machine::SharedMemory;
use device_sim::timing::cost::{BlockCost, LaneWork};

/// Cycles of operations on registers, and what waiting for SM or AM and for memories outside adds.
pub type CyclesByLevel = [u32; 3];

/// The totals of a block's instructions. Fractions are in 1/65536.
#[derive(Default)]
struct Totals {
    cost: BlockCost,
    /// Bytes moved to or from DDR.
    traffic: u64,
    /// Cycles of stalls on memories outside.
    stall: u64,
}

/// The cost of a block. If it is a modulo-scheduled loop, the cost is that of one iteration, and
/// the second result is the additional cost of the first one.
pub fn block_cost(
    code: &Code<'_>,
    graph: &Graph,
    block: usize,
    overlaps: bool,
) -> (BlockCost, Option<CyclesByLevel>) {
    let mut totals = Totals::default();
    for (instruction, cost) in code.instructions[block].iter().zip(&graph.costs) {
        totals.add(code, *instruction, cost);
    }
    let lives = register_pressure::lives(code, block, graph);
    let (mut cycles, mut spilled) = list_schedule(code, graph, &lives, block);
    let mut prologue = None;
    if overlaps {
        let lengths = cycles;
        let intervals = each_level(|level, place| {
            modulo_schedule::interval(code, graph, &lives, level, lengths[place])
        });
        if intervals[2] < lengths[2] {
            prologue = Some(split_by_level(lengths, intervals));
            cycles = intervals;
            spilled = [0; 2];
        }
    }
    totals.cost.compute = cycles[0];
    totals.cost.scratchpad = cycles[1] - cycles[0];
    totals.cost.outside = cycles[2] - cycles[1];
    totals.add_spills(code, spilled);
    (totals.finish(), prologue)
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

/// The lengths of a block's schedules if memories beyond each level answer at once, and the scalar
/// and vector registers spilled.
fn list_schedule(
    code: &Code<'_>,
    graph: &Graph,
    lives: &[register_pressure::Live],
    block: usize,
) -> (CyclesByLevel, [u32; 2]) {
    let is_loop = code.cfg.successors(block).contains(&block);
    let mut spilled = [0; 2];
    let lengths = each_level(|level, place| {
        // Without operations of this level, the schedule is that of the level before.
        if place > 0 && !graph.reaches(level) {
            return 0;
        }
        let schedule = graph.schedule(code.params, lives, level);
        spilled = schedule.spilled;
        if is_loop {
            // The next iteration uses the units as well.
            schedule
                .length
                .max(graph.resource_bound(code.params, level))
        } else {
            schedule.length
        }
    });
    (lengths, spilled)
}

/// What the first iteration takes longer than the following ones, by memory level.
fn split_by_level(lengths: CyclesByLevel, intervals: CyclesByLevel) -> CyclesByLevel {
    let all = lengths[2] - intervals[2];
    let compute = lengths[0].saturating_sub(intervals[0]).min(all);
    let near = lengths[1].saturating_sub(intervals[1]).clamp(compute, all);
    [compute, near - compute, all - near]
}

impl Totals {
    fn add(&mut self, code: &Code<'_>, instruction: Value, cost: &InstructionCost) {
        let block = &mut self.cost;
        block.operations += cost.operations();
        block.scalar_flops += cost.flops[2];
        block.scratchpad_bytes += cost.scratchpad_bytes;
        block.barrier = block.barrier.saturating_add(cost.barrier);
        self.traffic += cost.traffic;
        self.stall += cost.stall;
        // The second operation of a pair has no operations but counts its floating-point ones.
        if cost.vector_operations() == 0 && cost.flops[..2] == [0, 0] {
            return;
        }
        let active = code.active(instruction);
        let known = block.lanes.iter().position(|lanes| lanes.active == active);
        let known = known.unwrap_or_else(|| {
            block.lanes.push(LaneWork::of(active));
            block.lanes.len() - 1
        });
        let lanes = &mut block.lanes[known];
        lanes.operations += cost.vector_operations();
        lanes.single_flops += cost.flops[0];
        lanes.double_flops += cost.flops[1];
        lanes.outside += cost.outside_per_lane;
        lanes.traffic[SharedMemory::Ddr as usize] += cost.traffic_per_lane;
    }

    fn add_spills(&mut self, code: &Code<'_>, spilled: [u32; 2]) {
        for (is_vector, registers) in [(false, spilled[0]), (true, spilled[1])] {
            let spill = stack_costs::spill(code, is_vector, registers);
            self.cost.operations += spill.operations();
            self.cost.scratchpad_bytes += spill.scratchpad_bytes;
            let cycles = stack_costs::spill_cycles(code, is_vector, registers);
            self.cost.scratchpad = self.cost.scratchpad.saturating_add(cycles);
            self.traffic += spill.traffic;
            self.stall += spill.stall;
        }
    }

    fn finish(mut self) -> BlockCost {
        let rounded =
            |fraction: u64| u32::try_from((fraction + WHOLE / 2) / WHOLE).unwrap_or(u32::MAX);
        self.cost.traffic[SharedMemory::Ddr as usize] = rounded(self.traffic);
        self.cost.outside = self.cost.outside.saturating_add(rounded(self.stall));
        self.cost
    }
}
