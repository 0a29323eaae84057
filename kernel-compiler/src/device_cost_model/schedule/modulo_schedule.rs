//! Modulo scheduling: the iterations of a loop of one block overlap, one starting every initiation
//! interval, as far as units, loop-carried dependences and registers allow. The first iteration
//! takes as long as the block alone; what that exceeds an interval is paid where the loop is
//! entered.

use super::register_pressure::Live;
use crate::analysis::iteration_step::IterationStep;
use crate::device_cost_model::code::Code;
use crate::device_cost_model::dependence_graph::{CarriedDependence, Effort, Graph};
use crate::device_cost_model::operation::MemoryLevel;
use crate::ir::{Opcode, Value};

/// Nodes of the largest block that is modulo-scheduled.
const MAX_NODES: usize = 4000;

/// Passes over the carried dependences after which start times are taken not to converge.
const MAX_PASSES: usize = 64;

/// Whether a block is a loop that can be modulo-scheduled: a counted loop without calls, barriers
/// and atomic operations.
pub fn is_pipelined(code: &Code<'_>, block: usize, graph: &Graph) -> bool {
    if graph.operations.len() > MAX_NODES || !code.cfg.successors(block).contains(&block) {
        return false;
    }
    let Some(number) = code.loops.innermost[block] else {
        return false;
    };
    if code.loops.loops[number].nodes != [block] {
        return false;
    }
    let instructions = &code.instructions[block];
    let forbids_overlap = |(position, instruction): (usize, &Value)| {
        let cost = &graph.costs[position];
        let is_call = instruction.is(Opcode::LLVMCall)
            && !cost.is_free()
            && instruction
                .called_function()
                .is_none_or(|function| !function.name().starts_with("llvm."));
        is_call
            || cost.barrier > 0
            || instruction.is(Opcode::LLVMAtomicRMW)
            || instruction.is(Opcode::LLVMAtomicCmpXchg)
            || instruction.is(Opcode::LLVMFence)
    };
    if instructions.iter().enumerate().any(forbids_overlap) {
        return false;
    }
    let Some(terminator) = instructions.last().filter(|last| last.is(Opcode::LLVMBr)) else {
        return false;
    };
    let condition = terminator.operands().into_iter().next();
    let Some(comparison) = condition.filter(|condition| condition.is(Opcode::LLVMICmp)) else {
        return false;
    };
    let steps = code.steps_in(number);
    let is_induction = |value: Value| match steps.step(value) {
        IterationStep::Constant(step) => step != 0,
        IterationStep::Invariant => true,
        IterationStep::Unknown => false,
    };
    let is_invariant = |value: Value| steps.step(value) == IterationStep::Constant(0);
    let (a, b) = (comparison.operand(0), comparison.operand(1));
    (is_induction(a) && is_invariant(b)) || (is_induction(b) && is_invariant(a))
}

/// The initiation interval in cycles, at most `longest` unless loop-carried dependences take longer;
/// memories beyond `level` answer at once.
pub fn interval(
    code: &Code<'_>,
    graph: &Graph,
    lives: &[Live],
    level: MemoryLevel,
    longest: u32,
) -> u32 {
    let params = code.params;
    let efforts: Vec<Effort> = (0..graph.operations.len())
        .map(|node| graph.effort(node, level))
        .collect();
    let resource_bound = graph.resource_bound(params, level).max(1);
    let longest = longest.max(resource_bound);
    let Some(bound) = recurrence_bound(graph, &efforts, resource_bound, longest) else {
        return longest;
    };
    let longest = longest.max(bound);
    let mut interval = bound;
    // Values that live longer than an interval need a register per overlapping iteration.
    while interval < longest {
        let Some(start) = earliest_starts(graph, &efforts, interval) else {
            interval += 1;
            continue;
        };
        let start = latest_starts(graph, &efforts, interval, &start);
        let fits = [
            (true, params.vector_registers),
            (false, params.scalar_registers),
        ]
        .iter()
        .all(|(is_vector, registers)| {
            let class: Vec<&Live> = lives
                .iter()
                .filter(|live| live.is_vector == *is_vector)
                .collect();
            let needed = registers_needed(graph, &efforts, &class, &start, interval);
            needed <= u64::from(*registers)
        });
        if fits {
            break;
        }
        interval += (interval / 8).max(1);
    }
    interval.min(longest)
}

/// The least interval from `least` on for which start times exist, `likely` or fewer as a rule. None
/// if none is found.
fn recurrence_bound(graph: &Graph, efforts: &[Effort], least: u32, likely: u32) -> Option<u32> {
    let is_possible = |interval| earliest_starts(graph, efforts, interval).is_some();
    // No cycle of dependences is longer.
    let sum = efforts.iter().fold(1, |sum: u32, effort| {
        sum.saturating_add(effort.latency.max(1))
    });
    let most = [likely, sum].into_iter().find(|most| is_possible(*most))?;
    let (mut least, mut most) = (least, most.max(least));
    while least < most {
        let middle = least.midpoint(most);
        match is_possible(middle) {
            true => most = middle,
            false => least = middle + 1,
        }
    }
    Some(least)
}

/// Cycles from the issue of a carried dependence's source to that of its target, in the iteration
/// of the source.
fn carried_latency(carried: &CarriedDependence, efforts: &[Effort], interval: u32) -> i64 {
    let cycles = carried.order.unwrap_or(efforts[carried.from].latency);
    i64::from(cycles) - i64::from(interval) * i64::from(carried.distance)
}

/// The earliest start of each operation if an iteration begins every `interval` cycles and units
/// are unlimited; none if the carried dependences do not allow the interval.
fn earliest_starts(graph: &Graph, efforts: &[Effort], interval: u32) -> Option<Vec<i64>> {
    let mut start = vec![0i64; efforts.len()];
    for _ in 0..=graph.carried.len().min(MAX_PASSES) {
        for (node, dependences) in graph.dependences.iter().enumerate() {
            for dependence in dependences {
                let cycles = dependence.order.unwrap_or(efforts[dependence.from].latency);
                start[node] = start[node].max(start[dependence.from] + i64::from(cycles));
            }
        }
        let mut changed = false;
        for carried in &graph.carried {
            let at = start[carried.from] + carried_latency(carried, efforts, interval);
            if at > start[carried.to] {
                start[carried.to] = at;
                changed = true;
            }
        }
        if !changed {
            return Some(start);
        }
    }
    None
}

/// The latest start of each operation in an iteration that takes no longer: loads wait until their
/// results are needed.
fn latest_starts(graph: &Graph, efforts: &[Effort], interval: u32, start: &[i64]) -> Vec<i64> {
    let end = start.iter().copied().max().unwrap_or(0);
    let mut late = vec![end; start.len()];
    for _ in 0..=graph.carried.len().min(MAX_PASSES) {
        for (node, dependences) in graph.dependences.iter().enumerate().rev() {
            for dependence in dependences {
                let from = dependence.from;
                let cycles = dependence.order.unwrap_or(efforts[from].latency);
                late[from] = late[from].min(late[node] - i64::from(cycles));
            }
        }
        let mut changed = false;
        for carried in &graph.carried {
            let at = late[carried.to] - carried_latency(carried, efforts, interval);
            if at < late[carried.from] {
                late[carried.from] = at;
                changed = true;
            }
        }
        if !changed {
            return late;
        }
    }
    start.to_vec()
}

/// Registers of one class that overlapping iterations need at once, on average.
fn registers_needed(
    graph: &Graph,
    efforts: &[Effort],
    lives: &[&Live],
    start: &[i64],
    interval: u32,
) -> u64 {
    let interval = i64::from(interval);
    // Registers occupied throughout, and the sum of registers times cycles of the others.
    let mut permanent = 0u64;
    let mut occupied = 0u64;
    for live in lives {
        let registers = u64::from(live.registers);
        let Some(made) = live.made else {
            permanent += registers;
            continue;
        };
        let last = live.used.iter().map(|user| start[*user]).max();
        let is_phi = graph.operations[made].is_none() && graph.dependences[made].is_empty();
        let (ready, last) = if is_phi {
            // A φ is available once the value of the previous iteration is.
            let carried = graph.carried.iter().filter(|carried| carried.to == made);
            let ready = carried
                .map(|c| start[c.from] + i64::from(efforts[c.from].latency) - interval)
                .min();
            let (Some(ready), Some(last)) = (ready, last) else {
                permanent += registers;
                continue;
            };
            (ready, last)
        } else {
            let ready = start[made] + i64::from(efforts[made].latency);
            (ready, last.unwrap_or(ready).max(ready))
        };
        occupied += registers * u64::try_from(last - ready).unwrap_or(0).max(1);
    }
    permanent + occupied.div_ceil(interval.max(1) as u64)
}
