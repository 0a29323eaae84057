//! Work-group function formation: a kernel, written for one work-item, becomes a function that runs
//! all work-items of a group (MOCL3 paper and PoCL, docs/bibliography.md).
//!
//! Barriers split the kernel into regions. A region is what can be reached from one barrier, or from
//! the entry, without passing another barrier. Blocks that several barriers lead to are copied into
//! each region or, where that makes too many copies, begin a region of their own. Each region runs
//! for all work-items before the next one starts; work-items agree on the next region, as OpenCL
//! demands for barriers (`emit` has what happens if they do not). So loops with barriers, conditional
//! barriers, loops with several exits and irreducible control flow need no special treatment.

pub mod async_copy_events;
pub(crate) mod barrier_split;
pub(crate) mod branches;
pub(crate) mod constant_local_size;
pub(crate) mod cross_barrier_values;
mod emit;
mod formation;
pub(crate) mod grid_stride;
pub(crate) mod interchange_profitability;
mod joins;
pub(crate) mod local_variables;
pub(crate) mod loop_interchange;
pub(crate) mod nonatomic_local;
pub(crate) mod private_arrays;
pub(crate) mod region;
pub(crate) mod report;
mod resources;
pub(crate) mod rotated_loop;
pub(crate) mod slot_coalescing;
pub(crate) mod small_ids;
pub(crate) mod uniform_trip_counts;

pub use formation::{Formation, form, has_loop};
pub use resources::{Resources, SYMBOL};

#[cfg(test)]
mod tests;
