//! Recognises grid-stride loops.

use super::counter::{self, Comparison, MAX_DEPTH};
use crate::analysis::cfg::Cfg;
use crate::analysis::dominators::Dominators;
use crate::analysis::effects::is_cheap_and_speculatable;
use crate::analysis::uniformity::Uniformity;
use crate::intrinsics::Query;
use crate::ir::{Block, Opcode, Value};
use crate::work_group::rotated_loop::RotatedLoop;

/// Blocks without code that are followed from a loop's exit to where its guard skips it to.
const MAX_EMPTY_BLOCKS: usize = 4;

/// A loop whose counter starts with the id of the work-item, is increased by a uniform step, and
/// is compared with a uniform bound.
pub struct GridStrideLoop {
    pub rotated: RotatedLoop,
    /// φ of the header.
    pub counter: Value,
    pub step: Value,
    /// The counter's value in the first iteration.
    pub first: Value,
    /// The loop continues while the counter's next value satisfies `comparison` with it.
    pub bound: Value,
    pub comparison: Comparison,
    /// Dimension of the id.
    pub dimension: u64,
    /// The branch that skips the loop if `first` does not satisfy `comparison`.
    pub guard: Option<Guard>,
}

/// The branch that skips a loop.
pub struct Guard {
    /// Ends in the branch, to the loop's preheader or to `target`.
    pub block: Block,
    /// The block after the loop, whether it is executed or skipped.
    pub target: Block,
    /// The block that branches to `target` after the loop: its exit, or an empty block behind that.
    pub last: Block,
}

/// A kernel in which grid-stride loops are searched.
pub struct Candidates<'a> {
    cfg: &'a Cfg,
    dominators: Dominators,
    is_cyclic: Vec<bool>,
    uniformity: &'a Uniformity,
    small_launch: bool,
}

impl<'a> Candidates<'a> {
    pub fn new(cfg: &'a Cfg, uniformity: &'a Uniformity, small_launch: bool) -> Self {
        Self {
            cfg,
            dominators: Dominators::compute(&cfg.graph),
            is_cyclic: cfg.graph.cyclic_nodes(),
            uniformity,
            small_launch,
        }
    }

    /// The grid-stride loop that a rotated loop is, if the group executes it once as a whole.
    pub fn recognise(&self, rotated: &RotatedLoop) -> Option<GridStrideLoop> {
        rotated
            .header
            .phis()
            .into_iter()
            .find_map(|phi| self.with_counter(rotated, phi))
    }

    fn with_counter(&self, rotated: &RotatedLoop, counter: Value) -> Option<GridStrideLoop> {
        let next = RotatedLoop::incoming(counter, rotated.latch);
        let first = RotatedLoop::incoming(counter, rotated.preheader);
        let branch = rotated.latch.terminator();
        let (comparison, bound) =
            Comparison::of_branch(branch, rotated.header, |value| value == next)?;
        if !next.is(Opcode::LLVMAdd) || !matches!(counter.ty().integer_bits(), 32 | 64) {
            return None;
        }
        let step = match (next.operand(0), next.operand(1)) {
            (left, step) if left == counter => step,
            (step, right) if right == counter => step,
            _ => return None,
        };
        let guard = self.guard(rotated, first, comparison, bound);
        let before = guard
            .as_ref()
            .map_or(rotated.preheader, |guard| guard.block);
        let is_uniform = |value| self.is_uniform_at(before, value);
        let dimension = counter::start_dimension(first, self.small_launch, &is_uniform)?;
        let is_run_once =
            self.uniformity.is_run_by_all(before) && !self.is_cyclic[self.cfg.number(before)];
        let starts_are_known = rotated.header.phis().into_iter().all(|phi| {
            phi == counter
                || self.is_available(
                    before,
                    RotatedLoop::incoming(phi, rotated.preheader),
                    MAX_DEPTH,
                )
        });
        (is_run_once && starts_are_known && is_uniform(step) && is_uniform(bound)).then(|| {
            GridStrideLoop {
                rotated: rotated.clone(),
                counter,
                step,
                first,
                bound,
                comparison,
                dimension,
                guard,
            }
        })
    }

    /// The branch around a loop, if it makes the loop's comparison for the first iteration.
    fn guard(
        &self,
        rotated: &RotatedLoop,
        first: Value,
        comparison: Comparison,
        bound: Value,
    ) -> Option<Guard> {
        let &[before] = self.cfg.predecessors(self.cfg.number(rotated.preheader)) else {
            return None;
        };
        let block = self.cfg.blocks[before];
        let branch = block.terminator();
        let (guarding, its_bound) = Comparison::of_branch(branch, rotated.preheader, |value| {
            counter::is_same(value, first, MAX_DEPTH)
                || counter::is_narrow_id(value, first, self.small_launch)
        })?;
        // LLVM widens counters to 64 bits, and leaves the comparison before the loop as it was.
        let is_bound = counter::is_same(its_bound, bound, MAX_DEPTH)
            || counter::is_extended(its_bound, bound, comparison.signed);
        let is_same = guarding == comparison && is_bound;
        let mut targets = block.successors();
        targets.retain(|target| *target != rotated.preheader);
        let &[target] = &targets[..] else {
            return None;
        };
        let last = self.empty_until(rotated.exit, target)?;
        (is_same && rotated.preheader.phis().is_empty()).then_some(Guard {
            block,
            target,
            last,
        })
    }

    /// The last of the blocks without code that lead from `block` to `target`.
    fn empty_until(&self, mut block: Block, target: Block) -> Option<Block> {
        for _ in 0..MAX_EMPTY_BLOCKS {
            let &[next] = &block.successors()[..] else {
                return None;
            };
            let is_entered_once = self.cfg.predecessors(self.cfg.number(block)).len() == 1;
            if block == target || !is_entered_once || !block.first_after_phis().is_terminator() {
                return None;
            }
            if next == target {
                return Some(block);
            }
            block = next;
        }
        None
    }

    /// Whether a value can be computed at the end of `block`, and is the same for all work-items.
    fn is_uniform_at(&self, block: Block, value: Value) -> bool {
        self.uniformity.is_uniform(value) && self.is_available(block, value, MAX_DEPTH)
    }

    /// Whether a value can be computed at the end of `block`.
    fn is_available(&self, block: Block, value: Value, depth: u32) -> bool {
        if !value.is_instruction() || self.dominates(value.block(), block) {
            return true;
        }
        if is_repeatable_query(value) {
            return true;
        }
        depth > 0
            && is_cheap_and_speculatable(value.opcode())
            && value
                .operands()
                .iter()
                .all(|operand| self.is_available(block, *operand, depth - 1))
    }

    fn dominates(&self, dominator: Block, block: Block) -> bool {
        let number = |block| self.cfg.number(block);
        self.dominators.dominates(number(dominator), number(block))
    }
}

fn is_repeatable_query(value: Value) -> bool {
    counter::query(value).is_some_and(|(query, _)| query != Query::LocalMemory)
}
