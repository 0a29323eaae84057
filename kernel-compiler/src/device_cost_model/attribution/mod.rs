//! What the cycles of a block are attributed to.

pub mod argument_loads;
pub mod source_lines;
mod weights;
