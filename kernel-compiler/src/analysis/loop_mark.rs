//! Marks of loops, on the branches of their latches: what the passes that write loops know of them.

use crate::ir::{self, Block};

/// Iterations of a walk along rows in one: a power of two.
pub const WALKED_ITERATIONS: u64 = 16;

/// What is known of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMark {
    /// It executes the iterations which remain after another form of the loop: few, as a rule.
    Remainder,
    /// It executes [`WALKED_ITERATIONS`] iterations of a walk along rows in one.
    RowWalk,
    /// LLVM vectorises it in scalar code, as its iterations are independent of each other.
    Independent,
}

impl LoopMark {
    /// Marks a loop's latch.
    pub fn set(self, latch: Block) {
        let branch = latch.terminator();
        let context = branch.ty().context();
        let kind = ir::metadata_kind(context, self.name());
        branch.set_metadata(kind, ir::metadata_node(context, &[]));
    }

    /// Whether a block is the latch of a loop with the mark.
    pub fn is_on(self, latch: Block) -> bool {
        let branch = latch.terminator();
        let kind = ir::metadata_kind(branch.ty().context(), self.name());
        branch.metadata_operands(kind).is_some()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Remainder => "mocl3.remainder",
            Self::RowWalk => "mocl3.row_walk",
            Self::Independent => "mocl3.independent",
        }
    }
}
