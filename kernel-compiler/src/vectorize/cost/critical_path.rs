//! The time that the instructions of an iteration take because they wait for each other's results, as far as a processor
//! does not execute those of later iterations meanwhile. Wider vectors have more independent instructions.

use crate::analysis::effects::is_annotation;
use crate::analysis::lane_shape::Shape;
use crate::ir::{Opcode, Type, TypeKind, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::plan::VectorPlan;
use std::collections::HashMap;

/// Instructions among which a processor finds those that can execute: entries of the reorder buffer of Golden Cove (Intel's
/// "Optimization Reference Manual", on that microarchitecture). Zen 4 has 320.
const WINDOW: f64 = 512.0;

/// Instructions of cost 1 that a processor issues in a cycle.
const WIDTH: f64 = 4.0;

/// Most values whose paths through an iteration are followed, for the sake of compile time.
const MAX_CARRIED: usize = 32;

/// Cycles that the instructions of an iteration take as far as each waits for the results of others.
pub struct CriticalPath {
    /// From the first instruction to the last one.
    whole: f64,
    /// From what one iteration passes on to what it passes on to the next. Branches are assumed to be predicted.
    carried: f64,
}

impl CriticalPath {
    /// Of the blocks that are in a loop of the kernel but in no inner one, or in none at all.
    pub fn find(plan: &VectorPlan<'_>, innermost: Option<usize>) -> Self {
        let blocks = plan.blocks().iter().enumerate().filter(|(number, _)| {
            plan.cfg().innermost[*number] == innermost
                && !plan.is_rare(*number)
                && !plan.is_report(*number)
        });
        let instructions: Vec<Value> = blocks
            .flat_map(|(_, block)| block.instructions())
            .filter(|instruction| !is_annotation(*instruction))
            .collect();
        let graph = Graph::new(plan, &instructions);
        let whole = graph.ends(None).into_iter().fold(0.0, f64::max);
        let carried = innermost.map_or(0.0, |number| {
            let l = &plan.cfg().loops[number];
            let (header, latch) = (plan.blocks()[l.header], plan.blocks()[l.latch]);
            let is_carried = |of: &&Value| {
                of.is(Opcode::LLVMPHI) && of.block() == header && plan.shape(**of) == Shape::Varying
            };
            let phis = instructions.iter().filter(is_carried).take(MAX_CARRIED);
            let of_phis = phis.filter_map(|phi| {
                let next = phi.incoming_from(latch)?;
                let ends = graph.ends(Some(graph.numbers[phi]));
                graph.numbers.get(&next).map(|number| ends[*number])
            });
            let of_phis = of_phis.fold(0.0, f64::max);
            of_phis.max(graph.mask_latency(plan, number))
        });
        Self { whole, carried }
    }

    /// The least cost of an iteration that costs `throughput` where no instruction waits for another.
    pub fn cost(&self, throughput: f64) -> f64 {
        let shown = (throughput / WINDOW).min(1.0);
        throughput
            .max(WIDTH * self.whole * shown)
            .max(WIDTH * self.carried)
    }
}

/// Instructions in their order, and which of them each uses.
struct Graph {
    numbers: HashMap<Value, usize>,
    operands: Vec<Vec<usize>>,
    latencies: Vec<f64>,
}

impl Graph {
    fn new(plan: &VectorPlan<'_>, instructions: &[Value]) -> Self {
        let numbered = instructions.iter().copied().enumerate();
        let numbers: HashMap<Value, usize> = numbered.map(|(number, of)| (of, number)).collect();
        let operands = |(number, of): (usize, &Value)| {
            let operands = of.operands().into_iter();
            operands
                .filter_map(|operand| numbers.get(&operand).copied())
                .filter(|operand| *operand < number)
                .collect()
        };
        Self {
            operands: instructions.iter().enumerate().map(operands).collect(),
            latencies: instructions.iter().map(|of| latency(plan, *of)).collect(),
            numbers,
        }
    }

    /// From the mask of an iteration of a loop that lanes leave in different ones to the next mask, where loads of each lane
    /// wait for the mask, and conditions for the loads.
    fn mask_latency(&self, plan: &VectorPlan<'_>, l: usize) -> f64 {
        if !plan.divergence().divergent_loops[l] {
            return 0.0;
        }
        let exits = plan.cfg().loops[l].exits.iter();
        let conditions = exits.map(|(exiting, _)| plan.blocks()[*exiting].terminator().operand(0));
        let conditions: Vec<usize> = conditions
            .filter_map(|condition| self.numbers.get(&condition).copied())
            .collect();
        let loads = self.numbers.iter().filter(|(load, _)| {
            load.is(Opcode::LLVMLoad) && plan.access_kind(**load) == AccessKind::GatherScatter
        });
        let mut loads: Vec<usize> = loads.map(|(_, number)| *number).collect();
        // The same ones are followed each time.
        loads.sort_unstable();
        loads
            .iter()
            .take(MAX_CARRIED)
            .map(|load| {
                let ends = self.ends(Some(*load));
                let last = conditions.iter().map(|condition| ends[*condition]);
                self.latencies[*load] + last.fold(f64::NEG_INFINITY, f64::max)
            })
            .fold(0.0, f64::max)
    }

    /// When the results of the instructions are there; with `from`, of those that depend on this one, from when its own
    /// is there. Others have a negative time.
    fn ends(&self, from: Option<usize>) -> Vec<f64> {
        let start = if from.is_some() {
            f64::NEG_INFINITY
        } else {
            0.0
        };
        let mut ends: Vec<f64> = Vec::with_capacity(self.operands.len());
        for (number, operands) in self.operands.iter().enumerate() {
            let last = operands.iter().map(|operand| ends[*operand]);
            let last = last.fold(start, f64::max);
            ends.push(match from == Some(number) {
                true => 0.0,
                false => last + self.latencies[number],
            });
        }
        ends
    }
}

/// Cycles from an instruction's operands to its result, in vectors of floats of 256 bits on Golden Cove
/// (<https://uops.info>).
fn latency(plan: &VectorPlan<'_>, instruction: Value) -> f64 {
    let is_double = |ty: Type| ty.scalar().kind() == TypeKind::LLVMDoubleTypeKind;
    match instruction.opcode() {
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFCmp => 4.0,
        Opcode::LLVMFDiv if is_double(instruction.ty()) => 15.0,
        Opcode::LLVMFDiv => 11.0,
        Opcode::LLVMFPToSI | Opcode::LLVMFPToUI | Opcode::LLVMSIToFP | Opcode::LLVMUIToFP => 4.0,
        Opcode::LLVMMul => 10.0,
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem => 20.0,
        Opcode::LLVMLoad => match plan.access_kind(instruction) {
            AccessKind::Uniform | AccessKind::Consecutive => 6.0,
            _ => 20.0,
        },
        Opcode::LLVMCall => match instruction.called_function().map(Value::name) {
            Some(name) if name.starts_with("llvm.sqrt") => 13.0,
            Some(name) if name.starts_with("llvm.f") || name.starts_with("llvm.m") => 4.0,
            Some(name) if name.starts_with("llvm.") => 1.0,
            _ => 20.0,
        },
        Opcode::LLVMPHI
        | Opcode::LLVMFreeze
        | Opcode::LLVMBitCast
        | Opcode::LLVMGetElementPtr
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMExtractElement
        | Opcode::LLVMInsertElement
        | Opcode::LLVMExtractValue
        | Opcode::LLVMInsertValue => 0.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_costs_what_a_processor_cannot_overlap() {
        for (whole, carried, throughput, cost) in [
            // Eight iterations are in the window.
            (100.0, 0.0, 64.0, 64.0),
            (200.0, 0.0, 64.0, 100.0),
            // One iteration is.
            (200.0, 0.0, 1024.0, 1024.0),
            (300.0, 0.0, 1024.0, 1200.0),
            // What is carried is not overlapped.
            (20.0, 20.0, 16.0, 80.0),
            (20.0, 4.0, 32.0, 32.0),
        ] {
            let path = CriticalPath { whole, carried };
            assert_eq!(
                path.cost(throughput),
                cost,
                "{whole} {carried} {throughput}"
            );
        }
    }
}
