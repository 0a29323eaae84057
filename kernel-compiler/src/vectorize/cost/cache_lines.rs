//! Cache lines that loops use: those that gathers and scatters keep in use from one iteration to the next, and those that accesses
//! to columns come to in each.

use crate::analysis::all_lanes::{self, Version};
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::analysis::linear_address::LinearAddress;
use crate::analysis::loop_mark::LoopMark;
use crate::analysis::loops::LoopForest;
use crate::ir::{Block, Opcode, Value};
use crate::vectorize::access::AccessKind;
use crate::vectorize::instruction_queries::{accessed_type, pointer_of};
use crate::vectorize::plan::VectorPlan;
use std::collections::HashMap;

/// Bytes of a cache line of the host.
const LINE_BYTES: i64 = 64;

/// Least bytes from lane to lane whose lines share few sets: 32 lanes that lie closer together fill
/// half of a first-level cache of 32 KiB at most, and different sets.
const LEAST_CONFLICTING_STRIDE: i64 = 512;

/// The most cache lines that the gathers and scatters of an inner loop come back to: each lane walks
/// through a row of its own, a part of a line per iteration. Where rows lie a power of two apart, as
/// those of matrices often do, all these lines share a few sets of the cache.
pub fn reused_lines(function: Value, plan: &VectorPlan<'_>) -> u32 {
    let versions = all_lanes::versions(plan.blocks(), plan.cfg());
    let is_frequent = |block| {
        let number = plan.block_number(block);
        number.is_none_or(|number| versions[number] != Some(Version::SomeLanes))
    };
    let accesses: Vec<Value> = plan
        .instructions()
        .filter(|access| access.is(Opcode::LLVMLoad) || access.is(Opcode::LLVMStore))
        .filter(|access| is_frequent(access.block()))
        .filter(|access| plan.is_in_inner_loop(access.block()))
        .filter(|access| !plan.transposes(*access))
        .filter(|access| match plan.access_kind(*access) {
            AccessKind::Strided(step) => step.abs() >= LEAST_CONFLICTING_STRIDE,
            kind => kind == AccessKind::GatherScatter,
        })
        .collect();
    if accesses.is_empty() {
        return 0;
    }
    let cfg = Cfg::compute(function);
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let mut rows: Vec<Vec<Option<LinearAddress>>> = vec![Vec::new(); forest.loops.len()];
    for access in accesses {
        let Some(innermost) = forest.innermost[cfg.number(access.block())] else {
            continue;
        };
        let mut latches = forest.loops[innermost].latches.iter();
        if latches.any(|latch| LoopMark::Remainder.is_on(cfg.blocks[*latch])) {
            continue;
        }
        let steps = IterationSteps {
            cfg: &cfg,
            l: &forest.loops[innermost],
            layout: plan.layout(),
        };
        if let IterationStep::Constant(step) = steps.step(pointer_of(access))
            && (1..LINE_BYTES).contains(&step.abs())
        {
            let row = LinearAddress::of(pointer_of(access), plan.layout());
            if !rows[innermost]
                .iter()
                .any(|other| share_a_line(other, &row))
            {
                rows[innermost].push(row);
            }
        }
    }
    let most = rows.iter().map(Vec::len).max();
    plan.lanes() * most.unwrap_or(0) as u32
}

/// Cache lines that an access touches each time.
#[derive(Clone, Copy, Default)]
pub struct TouchedLines {
    /// By a work-item.
    pub scalar: f64,
    /// By a vector of them.
    pub vector: f64,
}

/// The lines that accesses to columns touch: those in inner loops of which each iteration comes to another row. Lanes that are
/// side by side touch them together, which scalar code comes back to for each work-item.
pub fn touched_lines(plan: &VectorPlan<'_>) -> HashMap<Value, TouchedLines> {
    let accesses = plan
        .instructions()
        .filter(|access| access.is(Opcode::LLVMLoad) || access.is(Opcode::LLVMStore))
        .filter(|access| plan.is_in_inner_loop(access.block()));
    let accesses: Vec<Value> = accesses.collect();
    if accesses.is_empty() {
        return HashMap::new();
    }
    let cfg = Cfg::compute(plan.function());
    let forest = LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph));
    let touched = |access: Value| {
        let innermost = forest.innermost[cfg.number(access.block())]?;
        let mut latches = forest.loops[innermost].latches.iter();
        if latches.any(|latch| LoopMark::RowWalk.is_on(cfg.blocks[*latch])) {
            return None;
        }
        let steps = IterationSteps {
            cfg: &cfg,
            l: &forest.loops[innermost],
            layout: plan.layout(),
        };
        let is_column = match steps.step(pointer_of(access)) {
            IterationStep::Constant(step) => step.abs() >= LINE_BYTES,
            IterationStep::Invariant => true,
            IterationStep::Unknown => false,
        };
        let bytes = plan.layout().stored(accessed_type(access)) as i64;
        let apart = match plan.access_kind(access) {
            AccessKind::Consecutive => bytes,
            AccessKind::Strided(step) => step.abs().min(LINE_BYTES),
            AccessKind::GatherScatter => LINE_BYTES,
            _ => return None,
        };
        is_column.then(|| TouchedLines {
            scalar: 1.0,
            vector: (i64::from(plan.lanes()) * apart) as f64 / LINE_BYTES as f64,
        })
    };
    let touched = accesses
        .into_iter()
        .filter_map(|access| Some((access, touched(access)?)));
    touched.collect()
}

/// Whether two addresses are mostly in one line.
fn share_a_line(a: &Option<LinearAddress>, b: &Option<LinearAddress>) -> bool {
    let bytes = a.as_ref().zip(b.as_ref()).and_then(|(a, b)| a.bytes_to(b));
    bytes.is_some_and(|bytes| bytes.abs() < LINE_BYTES)
}

impl VectorPlan<'_> {
    /// Whether a block of the loop over work-items is in a loop of the kernel.
    fn is_in_inner_loop(&self, block: Block) -> bool {
        let number = self.block_number(block);
        number.is_some_and(|number| self.cfg().innermost[number].is_some())
    }
}
