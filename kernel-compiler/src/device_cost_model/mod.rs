//! What each basic block of a kernel's code costs on the machine: a static schedule on its issue
//! slots. docs/compiler.md, "Cost of code", says what is assumed.
//!
//! The host's code has nothing of this: what is reckoned here are cycles of the simulated machine
//! for LLVM's instructions, which stand for what the machine's own compiler would make of them.

mod access;
mod address;
mod code;
mod dump;
mod graph;
mod instruction_cache;
mod instruction_costs;
mod lines;
mod list_scheduler;
mod locks;
mod machine_params;
mod modulo_schedule;
mod packed_f32;
mod register_pressure;

use crate::ir::Value;
use code::Code;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use device_sim::machine::SharedMemory;
use device_sim::timing::cost::{BlockCost, KernelCost, LaneWork};
pub use dump::dump;
use graph::Graph;
use instruction_costs::{MemoryLevel, WHOLE};
use lines::Lines;
use machine_params::MachineParams;
use packed_f32::Pairs;
use std::collections::HashMap;

/// Most cycles of one purpose that a block can have: who adds them up need not fear that the sum
/// does not fit. Machine files may name latencies such that a block has more.
const MOST_CYCLES: u32 = u32::MAX / 4;

/// The cost of a work-group function, block by block in its order. Counters of lanes that take
/// part follow those of the blocks, in the order of the markers.
pub fn cost(function: Value, machine: &Machine, layout: &CodeStackLayout) -> KernelCost {
    let params = MachineParams::of(machine, layout);
    let code = Code::of(function, &params);
    let pairs = Pairs::of(&code);
    let mut blocks = Vec::with_capacity(code.cfg.blocks.len());
    let mut prologues = Vec::new();
    let mut lines = Lines::default();
    let graphs: Vec<Graph> = (0..code.cfg.blocks.len())
        .map(|block| Graph::of(&code, &pairs, block))
        .collect();
    let mut depths = HashMap::new();
    for (graph, instructions) in graphs.iter().zip(&code.instructions) {
        depths.extend(instructions.iter().copied().zip(graph.depths()));
    }
    for (block, mut graph) in graphs.into_iter().enumerate() {
        let overlaps = modulo_schedule::is_pipelined(&code, block, &graph);
        graph.find_later(&code, block, &depths, overlaps);
        let (cost, prologue) = of_block(&code, &graph, block, overlaps);
        prologues.extend(prologue.map(|cycles| (block, cycles)));
        lines.add(&code, block, &graph);
        blocks.push(cost);
    }
    for (block, cycles) in prologues {
        for amortising_block in amortising_blocks(&code, block) {
            let cost: &mut BlockCost = &mut blocks[amortising_block];
            cost.compute = cost.compute.saturating_add(cycles[0]);
            cost.scratchpad = cost.scratchpad.saturating_add(cycles[1]);
            cost.outside = cost.outside.saturating_add(cycles[2]);
        }
    }
    let bytes = |cost: &BlockCost| cost.operations.saturating_mul(params.operation_bytes);
    let bytes: Vec<u32> = blocks.iter().map(bytes).collect();
    let fetched = instruction_cache::fetched(&code, &bytes);
    for (cost, fetched) in blocks.iter_mut().zip(fetched) {
        let lines = fetched.div_ceil(params.instruction_line);
        cost.outside = cost.outside.saturating_add(params.fetch(lines));
        let traffic = &mut cost.traffic[params.code_memory as usize];
        *traffic = traffic.saturating_add(lines.saturating_mul(params.instruction_line));
        for cycles in [
            &mut cost.compute,
            &mut cost.scratchpad,
            &mut cost.outside,
            &mut cost.barrier,
        ] {
            *cycles = (*cycles).min(MOST_CYCLES);
        }
    }
    KernelCost {
        counters: code.counters,
        locked: locks::find(&code, machine.clusters.read_write_locks.value),
        code_bytes: bytes.iter().fold(0, |all, one| all.saturating_add(*one)),
        stack_bytes: u32::try_from(code.stack_bytes).unwrap_or(u32::MAX),
        lanes: if code.has_lanes { params.lanes } else { 0 },
        blocks,
        files: lines.files,
        lines: lines.shares,
    }
}

/// Blocks that are run as often as a loop of one block is entered: those that it is entered from,
/// unless they may go elsewhere and where it is left to may not be reached otherwise.
fn amortising_blocks(code: &Code<'_>, block: usize) -> Vec<usize> {
    let Some(number) = code.loops.innermost[block] else {
        return Vec::new();
    };
    let entering = code.loops.loops[number].entering(&code.cfg.graph);
    let mut exits = code.cfg.successors(block).to_vec();
    exits.retain(|exit| *exit != block);
    let only_here = |from: &usize| code.cfg.unique_successor(*from).is_some();
    let only_from_here = |exit: &usize| code.cfg.predecessors(*exit).len() == 1;
    if entering.iter().all(only_here) || !exits.iter().all(only_from_here) {
        entering
    } else {
        exits
    }
}

/// Cycles of operations, and what SM and AM and memories outside add to them.
type Shares = [u32; 3];

/// What a block's instructions add up to, and the cycles of its schedule. If it is a pipelined
/// loop, those of a round, and what the first round takes more.
fn of_block(
    code: &Code<'_>,
    graph: &Graph,
    block: usize,
    overlaps: bool,
) -> (BlockCost, Option<Shares>) {
    let n = code.params;
    let mut cost = BlockCost::default();
    let (mut traffic, mut stall) = (0, 0);
    let ddr = SharedMemory::Ddr as usize;
    for (instruction, work) in code.instructions[block].iter().zip(&graph.work) {
        cost.operations += work.operations();
        cost.scalar_flops += work.flops[2];
        cost.scratchpad_bytes += work.scratchpad_bytes;
        cost.barrier = cost.barrier.saturating_add(work.barrier);
        traffic += work.traffic;
        stall += work.stall;
        // The second of a pair has floating-point operations alone.
        if work.vector_operations() == 0 && work.flops[..2] == [0, 0] {
            continue;
        }
        let active = code.active(*instruction);
        let known = cost.lanes.iter().position(|lanes| lanes.active == active);
        let known = known.unwrap_or_else(|| {
            cost.lanes.push(LaneWork::of(active));
            cost.lanes.len() - 1
        });
        let lanes = &mut cost.lanes[known];
        lanes.operations += work.vector_operations();
        lanes.single_flops += work.flops[0];
        lanes.double_flops += work.flops[1];
        lanes.outside += work.outside_per_lane;
        lanes.traffic[ddr] += work.traffic_per_lane;
    }
    let lives = register_pressure::lives(code, block, graph);
    let is_loop = code.cfg.successors(block).contains(&block);
    let mut lengths = [0; 3];
    let mut spilled = [0; 2];
    for (place, level) in MemoryLevel::ALL.into_iter().enumerate() {
        let before = lengths[..place].last().copied().unwrap_or(0);
        if place > 0 && !graph.reaches(level) {
            lengths[place] = before;
            continue;
        }
        let schedule = graph.schedule(n, &lives, level);
        lengths[place] = schedule.length.max(before);
        if is_loop {
            // The next round needs the units again.
            lengths[place] = lengths[place].max(graph.needed_by_units(n, level));
        }
        spilled = schedule.spilled;
    }
    let mut prologue = None;
    let mut cycles = lengths;
    if overlaps {
        let mut intervals = [0; 3];
        for (place, level) in MemoryLevel::ALL.into_iter().enumerate() {
            let before = intervals[..place].last().copied().unwrap_or(0);
            let interval = modulo_schedule::interval(code, graph, &lives, level, lengths[place]);
            intervals[place] = interval.max(before);
        }
        if intervals[2] < lengths[2] {
            let all = lengths[2] - intervals[2];
            let compute = lengths[0].saturating_sub(intervals[0]).min(all);
            let near = lengths[1].saturating_sub(intervals[1]).clamp(compute, all);
            prologue = Some([compute, near - compute, all - near]);
            cycles = intervals;
            spilled = [0; 2];
        }
    }
    let rounded = |parts: u64| u32::try_from((parts + WHOLE / 2) / WHOLE).unwrap_or(u32::MAX);
    cost.compute = cycles[0];
    cost.scratchpad = cycles[1] - cycles[0];
    cost.outside = cycles[2] - cycles[1];
    for (vector, registers) in [(false, spilled[0]), (true, spilled[1])] {
        let spill = access::spill(code, vector, registers);
        cost.operations += spill.operations();
        cost.scratchpad_bytes += spill.scratchpad_bytes;
        let cycles = access::spill_cycles(code, vector, registers);
        cost.scratchpad = cost.scratchpad.saturating_add(cycles);
        traffic += spill.traffic;
        stall += spill.stall;
    }
    cost.traffic[ddr] = rounded(traffic);
    cost.outside = cost.outside.saturating_add(rounded(stall));
    (cost, prologue)
}
