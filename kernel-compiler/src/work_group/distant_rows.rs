//! Loops in which work-items store rows that lie far apart, as stencils do that march through planes. Vector by vector,
//! each iteration would touch a piece of another page; the cache would lose it before the next vector touches the rest.

use super::loop_interchange::Candidates;
use super::rotated_loop::{RotatedLoop, is_movable};
use crate::analysis::cfg::Cfg;
use crate::analysis::dimension_shapes::DimensionShapes;
use crate::analysis::dominators::Dominators;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::analysis::loops::LoopForest;
use crate::intrinsics::address_space;
use crate::ir::{Opcode, Value};
use crate::work_items::Lanes;

/// Least bytes from row to row: processors prefetch within pages.
const LEAST_DISTANCE: u64 = 4096;

/// The most that a work-item keeps in memory while the loop runs.
const MAX_KEPT_BYTES: u64 = 24;

/// What is known of a kernel's accesses.
pub struct DistantRows {
    cfg: Cfg,
    forest: LoopForest,
    shapes: DimensionShapes,
}

impl DistantRows {
    /// For the accesses of vectors with those lanes.
    pub fn new(kernel: Value, lanes: Lanes) -> Self {
        let cfg = Cfg::compute(kernel);
        Self {
            forest: LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph)),
            shapes: DimensionShapes::along(kernel, lanes.dimension, lanes.count),
            cfg,
        }
    }

    /// Whether a loop stores such rows, and interchanging it with those over work-items costs little.
    pub fn are_walked_by(&self, l: &RotatedLoop, candidates: &Candidates<'_>) -> bool {
        let instructions = l.instructions();
        candidates.kept_bytes(l) <= MAX_KEPT_BYTES
            && candidates.is_innermost(l)
            && !l.is_unrolled(&instructions)
            && instructions.iter().all(|i| is_movable(*i))
            && instructions.iter().any(|i| self.is_distant_store(*i))
    }

    /// Whether an instruction stores consecutive elements for a vector, and others far from them in the next iteration.
    fn is_distant_store(&self, store: Value) -> bool {
        if !store.is(Opcode::LLVMStore)
            || store.operand(1).ty().address_space() != address_space::GLOBAL
        {
            return false;
        }
        let bytes = self.shapes.layout().stored(store.operand(0).ty());
        let step = self.shapes.step(store.operand(1));
        if step.is_none_or(|step| u64::try_from(step) != Ok(bytes)) {
            return false;
        }
        let Some(innermost) = self.forest.innermost[self.cfg.number(store.block())] else {
            return false;
        };
        let steps = IterationSteps {
            cfg: &self.cfg,
            l: &self.forest.loops[innermost],
            layout: self.shapes.layout(),
        };
        match steps.step(store.operand(1)) {
            IterationStep::Constant(step) => step.unsigned_abs() >= LEAST_DISTANCE,
            IterationStep::Invariant => true,
            IterationStep::Unknown => false,
        }
    }
}
