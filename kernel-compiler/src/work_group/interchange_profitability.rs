//! Which loops it pays to interchange with those over work-items: the order in which they access memory then, and what
//! LLVM's vectoriser makes of them.

use super::loop_interchange::Candidates;
use super::rotated_loop::{RotatedLoop, is_movable};
use crate::analysis::cfg::Cfg;
use crate::analysis::dimension_shapes::DimensionShapes;
use crate::analysis::dominators::Dominators;
use crate::analysis::iteration_step::{IterationStep, IterationSteps};
use crate::analysis::loops::LoopForest;
use crate::intrinsics::{address_space, ends_region};
use crate::ir::{Block, Opcode, Value};
use crate::work_items::Lanes;

/// Least bytes from row to row: processors prefetch within pages.
const LEAST_DISTANCE: u64 = 4096;

/// The most that a work-item keeps in memory while the loop runs.
const MAX_KEPT_BYTES: u64 = 24;

/// Bytes of a cache line of the host.
const LINE_BYTES: u64 = 64;

/// What is known of a kernel's accesses.
pub struct LoopAccesses {
    cfg: Cfg,
    forest: LoopForest,
    shapes: DimensionShapes,
}

impl LoopAccesses {
    /// For the accesses of vectors with those lanes.
    pub fn new(kernel: Value, lanes: Lanes) -> Self {
        let cfg = Cfg::compute(kernel);
        Self {
            forest: LoopForest::compute(&cfg.graph, &Dominators::compute(&cfg.graph)),
            shapes: DimensionShapes::along(kernel, lanes.dimension, lanes.count),
            cfg,
        }
    }

    /// Whether work-items store rows that lie far apart, as stencils do that march through planes, and interchanging the
    /// loop with those over work-items costs little. Vector by vector, each iteration would touch a piece of another page;
    /// the cache would lose it before the next vector touches the rest.
    pub fn are_distant_rows(&self, l: &RotatedLoop, candidates: &Candidates<'_>) -> bool {
        let instructions = l.instructions();
        candidates.kept_bytes(l) <= MAX_KEPT_BYTES
            && candidates.is_innermost(l)
            && !l.is_unrolled(&instructions)
            && instructions.iter().all(|i| is_movable(*i))
            && instructions.iter().any(|i| self.is_distant_store(*i))
    }

    /// Whether interchanging pays for LLVM's vectoriser: for loops with barriers, which end regions anyway, and for
    /// innermost loops that LLVM will not unroll, but for walks along rows of work-items.
    pub fn gain_vectors(&self, l: &RotatedLoop, candidates: &Candidates<'_>) -> bool {
        let instructions = l.instructions();
        if instructions.iter().copied().any(ends_region) {
            return true;
        }
        // LLVM does not vectorise calls of external functions.
        let calls = instructions.iter().any(|i| {
            i.called_function().is_some_and(|f| {
                !f.name().starts_with("llvm.") && !f.name().starts_with("__mocl3_")
            })
        });
        candidates.is_innermost(l)
            && !calls
            && !l.is_unrolled(&instructions)
            && !self.are_own_rows(l)
    }

    /// Whether each work-item walks along a row of its own in a loop. Interchanged with the loop over work-items, each
    /// iteration would touch another cache line.
    fn are_own_rows(&self, l: &RotatedLoop) -> bool {
        let mut instructions = l.instructions().into_iter();
        instructions.any(|access| self.is_in_own_row(access))
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
        step.is_some_and(|step| u64::try_from(step) == Ok(bytes))
            && match self.iteration_step(store.block(), store.operand(1)) {
                IterationStep::Constant(step) => step.unsigned_abs() >= LEAST_DISTANCE,
                IterationStep::Invariant => true,
                IterationStep::Unknown => false,
            }
    }

    /// Whether an access stays in a cache line from one iteration to the next, but not from one work-item to the next.
    fn is_in_own_row(&self, access: Value) -> bool {
        let pointer = match access.opcode() {
            Opcode::LLVMLoad => access.operand(0),
            Opcode::LLVMStore => access.operand(1),
            _ => return false,
        };
        let step = self.shapes.step(pointer);
        pointer.ty().address_space() == address_space::GLOBAL
            && step.is_none_or(|step| step.unsigned_abs() >= LINE_BYTES)
            && matches!(self.iteration_step(access.block(), pointer),
                IterationStep::Constant(step) if (1..LINE_BYTES).contains(&step.unsigned_abs()))
    }

    /// How far the addresses of an access lie apart in two iterations of the innermost loop of its block.
    fn iteration_step(&self, block: Block, pointer: Value) -> IterationStep {
        let Some(innermost) = self.forest.innermost[self.cfg.number(block)] else {
            return IterationStep::Unknown;
        };
        let steps = IterationSteps {
            cfg: &self.cfg,
            l: &self.forest.loops[innermost],
            layout: self.shapes.layout(),
        };
        steps.step(pointer)
    }
}
