//! Loops that execute the iterations which remain after another form of the loop: few, as a rule.

use crate::ir::{self, Block};

const REMAINDER: &str = "mocl3.remainder";

/// Marks the latch of such a loop.
pub fn mark_latch(latch: Block) {
    let branch = latch.terminator();
    let context = branch.ty().context();
    let kind = ir::metadata_kind(context, REMAINDER);
    branch.set_metadata(kind, ir::metadata_node(context, &[]));
}

/// Whether a block is the latch of such a loop.
pub fn is_latch(block: Block) -> bool {
    let branch = block.terminator();
    let kind = ir::metadata_kind(branch.ty().context(), REMAINDER);
    branch.metadata_operands(kind).is_some()
}
