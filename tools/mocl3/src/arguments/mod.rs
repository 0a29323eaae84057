//! The arguments of `mocl3 compile` and `mocl3 opt`. `mocl3` checks them and describes them in help,
//! completions and manual; `mocl3-compile` executes them.

pub mod compile;
pub mod opt;

/// Columns of help texts.
pub const HELP_WIDTH: usize = 80;
