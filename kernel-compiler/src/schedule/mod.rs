//! What each basic block of a kernel's code costs on the machine: a static schedule on its issue
//! slots. docs/compiler.md, "Cost of code", says what is assumed.
//!
//! The host's code has nothing of this: what is reckoned here are cycles of the simulated machine
//! for LLVM's instructions, which stand for what the machine's own compiler would make of them.

mod access;
mod address;
mod code;
mod graph;
mod list;
mod locks;
mod loops;
mod numbers;
mod operation;

use crate::ir::Value;
use code::{ACTIVE_LANES, Code};
use device_sim::layout::Layout;
use device_sim::machine::Machine;
use device_sim::timing::cost::{Active, BlockCost, KernelCost, SharedMemory};
use graph::Graph;
use numbers::Numbers;
use operation::{Reach, WHOLE};

/// The cost of a work-group function, block by block in its order. Counters of lanes that take
/// part follow those of the blocks, in the order of the markers.
pub fn cost(function: Value, machine: &Machine, layout: &Layout) -> KernelCost {
    let numbers = Numbers::of(machine, layout);
    let code = Code::of(function, &numbers);
    let mut counters = code.blocks.len() as u32;
    let mut blocks = Vec::with_capacity(code.blocks.len());
    let mut code_bytes = 0;
    for block in 0..code.blocks.len() {
        let graph = Graph::of(&code, block);
        let mut cost = of_block(&code, &graph);
        cost.active = active(&code, block, &mut counters);
        code_bytes += cost.operations * numbers.operation_bytes;
        blocks.push(cost);
    }
    KernelCost {
        counters,
        locked: locks::find(&code, machine.clusters.read_write_locks.value),
        code_bytes,
        stack_bytes: u32::try_from(code.stack_bytes).unwrap_or(u32::MAX),
        lanes: if code.has_lanes { numbers.lanes } else { 0 },
        blocks,
        files: Vec::new(),
        lines: Vec::new(),
    }
}

fn active(code: &Code<'_>, block: usize, counters: &mut u32) -> Active {
    let instructions = &code.instructions[block];
    let first = *counters;
    *counters += instructions
        .iter()
        .filter(|i| i.calls(ACTIVE_LANES))
        .count() as u32;
    if *counters > first {
        return Active::Counted(first);
    }
    let of_lanes = |value: &Value| {
        code.is_of_lanes(*value) || value.operands().iter().any(|o| code.is_of_lanes(*o))
    };
    if instructions.iter().any(of_lanes) {
        Active::Always(code.numbers.lanes)
    } else {
        Active::Always(0)
    }
}

/// What a block's instructions add up to, and the cycles of its schedule.
fn of_block(code: &Code<'_>, graph: &Graph) -> BlockCost {
    let mut cost = BlockCost::default();
    let (mut traffic, mut stall) = (0, 0);
    let ddr = SharedMemory::Ddr as usize;
    for work in &graph.work {
        cost.operations += work.operations();
        cost.single_flops += work.flops[0];
        cost.double_flops += work.flops[1];
        cost.scalar_flops += work.flops[2];
        cost.scratchpad_bytes += work.scratchpad_bytes;
        cost.outside_per_lane += work.outside_per_lane;
        cost.traffic_per_lane[ddr] += work.traffic_per_lane;
        cost.barrier += work.barrier;
        traffic += work.traffic;
        stall += work.stall;
    }
    let rounded = |parts: u64| u32::try_from((parts + WHOLE / 2) / WHOLE).unwrap_or(u32::MAX);
    cost.traffic[ddr] = rounded(traffic);
    let compute = graph.schedule(code.numbers, Reach::Registers).length;
    let near = if graph.reaches(Reach::Scratchpad) {
        let length = graph.schedule(code.numbers, Reach::Scratchpad).length;
        length.max(compute)
    } else {
        compute
    };
    let far = if graph.reaches(Reach::Outside) {
        graph
            .schedule(code.numbers, Reach::Outside)
            .length
            .max(near)
    } else {
        near
    };
    cost.compute = compute;
    cost.scratchpad = near - compute;
    cost.outside = far - near + rounded(stall);
    cost
}
