//! The cost model of the simulated device: what each basic block of a kernel's code costs on it, by
//! a static schedule of its operations. docs/compiler/cost-model.md lists the assumptions.
//!
//! It prices LLVM's instructions for the simulated machine, as the machine's own compiler might lower
//! them; only timed code uses it. What code costs on the host is the vectoriser's cost model.

mod active_lanes;
mod addressing;
mod arithmetic_costs;
mod atomic_locks;
mod attribution;
mod block_costs;
mod call_costs;
mod code;
mod dependence_builder;
mod dependence_graph;
mod dump;
mod instruction_cache;
mod instruction_costs;
mod lane_mask;
mod machine_params;
mod memory_access;
mod memory_costs;
mod operation;
mod outside_lines;
mod packed_f32;
mod predicated_sections;
mod register_layout;
mod schedule;
mod shuffle_costs;
mod stack_costs;
mod taken_branches;
mod uncached_costs;

pub use addressing::device_functions::names as device_functions;
pub use addressing::objects::{Addressing, Objects};
pub use dump::dump;

use crate::ir::Value;
use crate::passes::instrumentation::Plan;
use attribution::argument_loads;
use attribution::source_lines::{DmaSites, SourceLines};
use block_costs::block_costs;
use code::Code;
use dependence_graph::Graph;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::Machine;
use device_sim::timing::cost::{BlockCost, KernelCost};
use machine_params::MachineParams;
use packed_f32::Pairs;
use schedule::modulo_schedule;
use std::collections::HashMap;

/// Upper bound of the cycles that a block spends for one purpose, so that their sum does not
/// overflow. Latencies in a machine file may exceed it.
const MAX_CYCLES: u32 = u32::MAX / 4;

/// The cost of a work-group function, block by block in its order, and what timed code has to count
/// and record for it.
pub fn cost(function: Value, machine: &Machine, layout: &CodeStackLayout) -> (KernelCost, Plan) {
    cost_of(function, &Addressing::AddressSpaces, machine, layout)
}

/// As `cost`, for a function whose pointers name memories as `addressing` says.
pub fn cost_of(
    function: Value,
    addressing: &Addressing,
    machine: &Machine,
    layout: &CodeStackLayout,
) -> (KernelCost, Plan) {
    let params = MachineParams::new(machine, layout);
    let mut code = Code::new(function, &params, addressing);
    outside_lines::count_groups_of_lanes(&mut code);
    let mut lines = SourceLines::default();
    let mut loads = argument_loads::Collector::default();
    let mut blocks = scheduled_blocks(&code, &mut lines, &mut loads);
    let bytes: Vec<u32> = (0..code.cfg.blocks.len())
        .map(|block| code_bytes(&code, &blocks, block))
        .collect();
    let fetched = instruction_cache::fetched(&code, &bytes);
    for (cost, fetched) in blocks.iter_mut().zip(fetched) {
        let lines = fetched.div_ceil(params.instruction_line);
        cost.code_lines = lines;
        cost.outside = cost.outside.saturating_add(params.fetch(lines));
        let traffic = &mut cost.traffic[params.code_memory as usize];
        *traffic = traffic.saturating_add(lines.saturating_mul(params.instruction_line));
        for cycles in [
            &mut cost.compute,
            &mut cost.scratchpad,
            &mut cost.outside,
            &mut cost.barrier,
        ] {
            *cycles = (*cycles).min(MAX_CYCLES);
        }
    }
    for (cost, taken) in blocks.iter_mut().zip(taken_branches::of_blocks(&code)) {
        cost.taken = taken;
    }
    let locks = machine.clusters.read_write_locks.value;
    let locked = atomic_locks::find(&code, locks, &mut lines);
    let sites = DmaSites::collect(&code, &mut lines);
    let cost = KernelCost {
        counters: code.counters(),
        locked,
        code_bytes: bytes.iter().fold(0, |all, one| all.saturating_add(*one)),
        stack_bytes: u32::try_from(code.stack_bytes).unwrap_or(u32::MAX),
        lanes: if code.has_lanes { params.lanes } else { 0 },
        blocks,
        files: lines.files,
        lines: lines.shares,
        dma_sites: sites.lines,
        loaded_arguments: Vec::new(),
    };
    let plan = Plan {
        lane_counters: code.lane_counters,
        dma_sites: sites.numbers,
        argument_loads: loads.finish(),
    };
    (cost, plan)
}

/// Size of a block's code, with that of its predicated sections.
fn code_bytes(code: &Code<'_>, costs: &[BlockCost], block: usize) -> u32 {
    let sections = code.sections.in_block(block);
    let of_sections = &costs[code.cfg.blocks.len()..][sections];
    let operations = of_sections.iter().map(|cost| cost.operations());
    let all = operations.fold(costs[block].operations(), u32::saturating_add);
    all.saturating_mul(code.params.operation_bytes)
}

/// The costs of all blocks and then of all predicated sections by their schedules, without fetching
/// their code.
fn scheduled_blocks(
    code: &Code<'_>,
    lines: &mut SourceLines,
    loads: &mut argument_loads::Collector,
) -> Vec<BlockCost> {
    let pairs = Pairs::find(code);
    let count = code.cfg.blocks.len();
    let graphs: Vec<Graph> = (0..count)
        .map(|block| dependence_builder::build(code, &pairs, block))
        .collect();
    let mut depths = HashMap::new();
    for (graph, instructions) in graphs.iter().zip(&code.instructions) {
        depths.extend(instructions.iter().copied().zip(graph.depths()));
    }
    let mut blocks = Vec::with_capacity(count);
    let mut sections = Vec::new();
    let mut prologues = Vec::new();
    for (block, mut graph) in graphs.into_iter().enumerate() {
        let overlaps = modulo_schedule::is_pipelined(code, block, &graph);
        graph.find_use_distances(code, block, &depths, overlaps);
        let costs = block_costs(code, &mut graph, block, overlaps);
        prologues.extend(costs.prologue.map(|cycles| (block, cycles)));
        lines.add(code, block, &graph);
        loads.add(code, block, &graph);
        blocks.push(costs.block);
        sections.extend(costs.sections);
    }
    blocks.extend(sections);
    for (block, cycles) in prologues {
        for amortising_block in amortising_blocks(code, block) {
            let cost: &mut BlockCost = &mut blocks[amortising_block];
            cost.compute = cost.compute.saturating_add(cycles[0]);
            cost.scratchpad = cost.scratchpad.saturating_add(cycles[1]);
            cost.outside = cost.outside.saturating_add(cycles[2]);
        }
    }
    blocks
}

/// The blocks that run once per entry of a single-block loop, and so pay for its prologue: those
/// that enter the loop, or those it exits to if the former may also branch elsewhere and the latter
/// are reached from the loop only.
fn amortising_blocks(code: &Code<'_>, block: usize) -> Vec<usize> {
    let Some(number) = code.loops.innermost[block] else {
        return Vec::new();
    };
    let entering = code.loops.loops[number].entering(&code.cfg.graph);
    let mut exits = code.cfg.successors(block).to_vec();
    exits.retain(|exit| *exit != block);
    let only_enters = |from: &usize| code.cfg.unique_successor(*from).is_some();
    let only_exit = |exit: &usize| code.cfg.predecessors(*exit).len() == 1;
    if entering.iter().all(only_enters) || !exits.iter().all(only_exit) {
        entering
    } else {
        exits
    }
}
