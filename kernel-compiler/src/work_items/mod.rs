//! How the work-items of a group appear in LLVM IR between work-group formation and code
//! generation: what formation, the vectoriser and instrumentation agree on.

pub mod group_variable;
mod lanes;
pub mod loop_descriptor;
pub mod timing_markers;

pub use lanes::{Lanes, innermost_dimension};
