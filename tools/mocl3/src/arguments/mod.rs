//! Arguments of both programs: those of `mocl3 compile` and `mocl3 opt`, which `mocl3` checks and
//! describes in help, completions and manual, and `mocl3-compile` executes; and the options by which
//! commands select the machine.

pub mod compile;
pub mod machine;
pub mod opt;

/// Columns of help texts.
pub const HELP_WIDTH: usize = 80;
