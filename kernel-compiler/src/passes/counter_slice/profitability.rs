//! Whether a counter slice is worth its time: untimed code and the slice together must take less than
//! timed code, which does both in one.

use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::loops::LoopForest;
use crate::ir::{Opcode, Value};
use std::collections::HashSet;

/// Iterations that a loop is assumed to run.
const ASSUMED_TRIP_COUNT: f64 = 8.0;

/// Loops around a block whose iterations count.
const MAX_DEPTH: u32 = 6;

/// Maximum part of the work that a slice may do again.
const MAX_SHARE: f64 = 0.5;

/// Whether the instructions in `kept` do little of a function's work. In vectorised code only vector
/// operations count: scalar ones count iterations, and LLVM computes their number without a loop.
pub fn is_profitable(function: Value, kept: &HashSet<Value>) -> bool {
    let cfg = Cfg::compute(function);
    let loops = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let is_vectorized = function.instructions().into_iter().any(uses_vectors);
    let (mut slice, mut all) = (0.0, 0.0);
    for (number, block) in cfg.blocks.iter().enumerate() {
        let mut around = loops.innermost[number];
        let mut depth = 0;
        while let Some(l) = around.filter(|_| depth < MAX_DEPTH) {
            depth += 1;
            around = loops.loops[l].parent;
        }
        let frequency = ASSUMED_TRIP_COUNT.powi(depth as i32);
        for instruction in block.instructions() {
            if is_vectorized && !uses_vectors(instruction) {
                continue;
            }
            let work = frequency * weight(instruction);
            all += work;
            if kept.contains(&instruction) {
                slice += work;
            }
        }
    }
    slice <= MAX_SHARE * all
}

fn uses_vectors(instruction: Value) -> bool {
    let is_vector = |value: &Value| value.ty().is_vector();
    is_vector(&instruction) || instruction.operands().iter().any(is_vector)
}

fn is_variable(address: Value) -> bool {
    address.is(Opcode::LLVMAlloca)
}

/// Roughly the cycles of an instruction on the host.
fn weight(instruction: Value) -> f64 {
    let name = instruction.called_function().map(Value::name);
    let name = name.as_deref().unwrap_or_default();
    if name.starts_with("llvm.masked.gather") || name.starts_with("llvm.masked.scatter") {
        return 16.0;
    }
    match instruction.opcode() {
        Opcode::LLVMFDiv
        | Opcode::LLVMFRem
        | Opcode::LLVMSDiv
        | Opcode::LLVMUDiv
        | Opcode::LLVMSRem
        | Opcode::LLVMURem
        | Opcode::LLVMAtomicRMW
        | Opcode::LLVMAtomicCmpXchg => 8.0,
        // Counters become registers.
        Opcode::LLVMLoad if is_variable(instruction.operand(0)) => 0.0,
        Opcode::LLVMStore if is_variable(instruction.operand(1)) => 0.0,
        Opcode::LLVMLoad | Opcode::LLVMStore => 4.0,
        Opcode::LLVMCall if name.starts_with("llvm.masked") => 4.0,
        Opcode::LLVMCall if name.starts_with("llvm.sqrt") => 8.0,
        _ => 1.0,
    }
}
