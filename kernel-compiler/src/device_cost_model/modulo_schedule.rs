//! Software pipelining: rounds of a loop that overlap.
//!
//! A loop of one block that counts is run as the machine's compiler would: a round begins every
//! `interval` cycles, as soon as units, what one round needs of the one before, and registers
//! allow. The first round takes as long as the block does alone: what that is more than an interval is
//! paid where the loop is entered.

use super::code::Code;
use super::graph::Graph;
use super::instruction_costs::MemoryLevel;
use super::list_scheduler::Effort;
use super::register_pressure::Live;
use crate::analysis::iteration_step::IterationStep;
use crate::ir::{Opcode, Value};

/// The largest block that is pipelined, in operations.
const LARGEST: usize = 4000;

/// Whether a block is a loop that can be pipelined: it goes to itself while something that counts
/// has not come to its end, and nothing in it has to be alone.
pub fn is_pipelined(code: &Code<'_>, block: usize, graph: &Graph) -> bool {
    if graph.nodes.len() > LARGEST || !code.cfg.successors(block).contains(&block) {
        return false;
    }
    let Some(of) = code.loops.innermost[block] else {
        return false;
    };
    if code.loops.loops[of].nodes != [block] {
        return false;
    }
    let instructions = &code.instructions[block];
    let alone = |(number, instruction): (usize, &Value)| {
        let is_call = instruction.is(Opcode::LLVMCall)
            && !graph.work[number].is_free()
            && instruction
                .called_function()
                .is_none_or(|function| !function.name().starts_with("llvm."));
        is_call
            || graph.work[number].barrier > 0
            || instruction.is(Opcode::LLVMAtomicRMW)
            || instruction.is(Opcode::LLVMAtomicCmpXchg)
            || instruction.is(Opcode::LLVMFence)
    };
    if instructions.iter().enumerate().any(alone) {
        return false;
    }
    let Some(terminator) = instructions.last().filter(|last| last.is(Opcode::LLVMBr)) else {
        return false;
    };
    let Some(condition) = terminator.operands().into_iter().next() else {
        return false;
    };
    if !condition.is(Opcode::LLVMICmp) {
        return false;
    }
    let steps = code.steps_in(of);
    let counts = |value: Value| match steps.of(value) {
        IterationStep::Constant(step) => step != 0,
        IterationStep::Invariant => true,
        IterationStep::Unknown => false,
    };
    let is_invariant = |value: Value| steps.of(value) == IterationStep::Constant(0);
    let (a, b) = (condition.operand(0), condition.operand(1));
    (counts(a) && is_invariant(b)) || (counts(b) && is_invariant(a))
}

/// Cycles from one round to the next, at most `longest`; memories beyond `level` answer at once.
pub fn interval(
    code: &Code<'_>,
    graph: &Graph,
    lives: &[Live],
    level: MemoryLevel,
    longest: u32,
) -> u32 {
    let n = code.params;
    let efforts: Vec<Effort> = (0..graph.nodes.len())
        .map(|node| graph.effort(node, level))
        .collect();
    let by_units = graph.needed_by_units(n, level).max(1);
    let (mut least, mut most) = (by_units, longest.max(by_units));
    // The least for which what goes round fits.
    while least < most {
        let middle = least.midpoint(most);
        match starts(graph, &efforts, middle) {
            Some(_) => most = middle,
            None => least = middle + 1,
        }
    }
    let mut interval = least;
    // Values live longer than a round have as many registers as rounds.
    while interval < longest {
        let Some(start) = starts(graph, &efforts, interval) else {
            interval += 1;
            continue;
        };
        let start = as_late_as_possible(graph, &efforts, interval, &start);
        let fits = [(true, n.vector_registers), (false, n.scalar_registers)]
            .iter()
            .all(|(vector, registers)| {
                needed(graph, &efforts, lives, &start, interval, *vector) <= u64::from(*registers)
            });
        if fits {
            break;
        }
        interval += (interval / 8).max(1);
    }
    interval.min(longest.max(1))
}

/// Earliest cycles of a round's operations if rounds begin every `interval` cycles and units are
/// plenty; none if a round needs more than that of the one before.
fn starts(graph: &Graph, efforts: &[Effort], interval: u32) -> Option<Vec<i64>> {
    let mut start = vec![0i64; efforts.len()];
    for _ in 0..=graph.carried.len().min(64) {
        for (node, edges) in graph.before.iter().enumerate() {
            for edge in edges {
                let cycles = edge.order.unwrap_or(efforts[edge.from].latency);
                start[node] = start[node].max(start[edge.from] + i64::from(cycles));
            }
        }
        let mut changed = false;
        for carried in &graph.carried {
            let cycles = carried.order.unwrap_or(efforts[carried.from].latency);
            let earlier = i64::from(interval) * i64::from(carried.rounds);
            let at = start[carried.from] + i64::from(cycles) - earlier;
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

/// Latest cycles of the operations in a round that takes no longer: loads wait until somebody
/// wants what they bring.
fn as_late_as_possible(
    graph: &Graph,
    efforts: &[Effort],
    interval: u32,
    start: &[i64],
) -> Vec<i64> {
    let end = start.iter().copied().max().unwrap_or(0);
    let mut late = vec![end; start.len()];
    for _ in 0..=graph.carried.len().min(64) {
        for (node, edges) in graph.before.iter().enumerate().rev() {
            for edge in edges {
                let cycles = edge.order.unwrap_or(efforts[edge.from].latency);
                late[edge.from] = late[edge.from].min(late[node] - i64::from(cycles));
            }
        }
        let mut changed = false;
        for carried in &graph.carried {
            let cycles = carried.order.unwrap_or(efforts[carried.from].latency);
            let earlier = i64::from(interval) * i64::from(carried.rounds);
            let at = late[carried.to] - i64::from(cycles) + earlier;
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

/// Registers that rounds which overlap need at a time.
fn needed(
    graph: &Graph,
    efforts: &[Effort],
    lives: &[Live],
    start: &[i64],
    interval: u32,
    vector: bool,
) -> u64 {
    let interval = i64::from(interval);
    let mut always = 0u64;
    let mut cycles = 0u64;
    for live in lives.iter().filter(|live| live.vector == vector) {
        let registers = u64::from(live.registers);
        let Some(made) = live.made else {
            always += registers;
            continue;
        };
        // φs have no node that makes them: their time is that of what they become.
        if graph.nodes[made].operation.is_none() && graph.before[made].is_empty() {
            let from = graph.carried.iter().filter(|carried| carried.to == made);
            let ready = from
                .map(|c| start[c.from] + i64::from(efforts[c.from].latency) - interval)
                .min();
            let last = live.used.iter().map(|user| start[*user]).max();
            let (Some(ready), Some(last)) = (ready, last) else {
                always += registers;
                continue;
            };
            cycles += registers * u64::try_from(last - ready).unwrap_or(0).max(1);
            continue;
        }
        let ready = start[made] + i64::from(efforts[made].latency);
        let last = live.used.iter().map(|user| start[*user]).max();
        let last = last.unwrap_or(ready).max(ready);
        cycles += registers * u64::try_from(last - ready).unwrap_or(0).max(1);
    }
    always + cycles.div_ceil(interval.max(1) as u64)
}
