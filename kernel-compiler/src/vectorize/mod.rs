//! Vectoriser: makes a loop over work-items a loop over vectors of them, whose lanes run in
//! lock-step (whole-function vectorisation: Karrenberg and Hack, docs/bibliography.md).
//!
//! The body may have any reducible control flow. Where work-items diverge, both sides of a branch
//! run one after the other under masks, and a block without active lanes is skipped. Hence code
//! runs for at least one lane, and what is uniform is computed once, as a scalar.
//!
//! [`width`] chooses the width, [`driver`] narrows it and decides whether vector code is profitable,
//! [`plan`] holds what is known of a loop, and [`codegen`] writes the code. [`unroll_and_jam`] and [`loop_distribution`] improve
//! it afterwards.

mod access;
mod adjacent_accesses;
mod codegen;
mod cost;
mod disjoint_or;
mod driver;
mod guard_versions;
mod if_conversion;
mod index_ranges;
pub mod instruction_queries;
mod lane_pattern;
mod legality;
mod loop_body;
mod loop_distribution;
mod memory_intrinsics;
mod plan;
mod preparation;
pub mod private_arrays;
mod reduction;
mod rejection;
mod remarks;
mod row_walks;
mod strided_expression;
mod unroll_and_jam;
mod vector_dimension;
mod vector_unit;
mod width;
mod window_loops;
mod work_item_loop;

pub use access::AccessKind;
pub use disjoint_or::to_adds as disjoint_ors_to_adds;
pub use driver::vectorize;
pub use guard_versions::add as add_guard_versions;
pub use loop_distribution::distribute as distribute_loops;
pub use preparation::{PREPARE, PREPARE_UNROLL_AND_JAM, inline_calls};
pub use rejection::Rejection;
pub use remarks::{MemoryRegion, Operation, OperationKind, Rejected, Vectorized, VectorizedLoop};
pub use row_walks::block as block_row_walks;
pub use unroll_and_jam::{JammedLoop, run as unroll_and_jam};
pub use vector_dimension::is_consecutive_along;
pub use vector_unit::VectorUnit;
pub use width::{
    WidthPolicy, choose as choose_width, choose_dimension, width_policy_of_environment,
};
pub use window_loops::run as join_window_loops;
