//! Analyses of LLVM IR, shared by work-group formation, the vectoriser and the cost model of the
//! device.
//!
//! [`graph`], [`dominators`] and [`loops`] work on block numbers, so that they also serve parts of
//! a function; [`cfg`] numbers the blocks of a whole one. [`effects`] classifies instructions.
//! [`loop_mark`] keeps what passes know of the loops that they write.
//!
//! Three analyses ask what is uniform, or by how much values differ. They stay apart because their
//! answers differ:
//!
//! - [`uniformity`]: what all work-items of a group share until the next barrier, on any control
//!   flow. Other groups may write global memory meanwhile, so that a load from it is never uniform.
//! - [`divergence`] and [`lane_shape`]: what lanes in lock-step share, and the exact stride between
//!   them, in reducible loop bodies. A load from a uniform address is uniform.
//!   [`lane_constants`] finds the exact differences between lanes where they are no stride.
//! - [`polynomial`]: what differences of integers have in common for all of them.
//! - [`dimension_shapes`]: the same strides of a kernel that has no loops over work-items yet, estimated.
//! - [`lane_step`] and [`iteration_step`]: estimates for the cost model, of vectorised code: the
//!   distance between a vector's elements, and between the iterations of a loop. They ignore
//!   wrapping, which [`lane_shape`] may not.

pub mod addressing;
pub mod all_lanes;
pub mod branch_comparison;
pub mod cfg;
pub mod compact_cfg;
pub mod counted_loop;
pub mod dimension_shapes;
pub mod divergence;
pub mod dominators;
pub mod effects;
pub mod gep;
pub mod graph;
pub mod influence_regions;
pub mod integer_range;
pub mod iteration_step;
pub mod lane_constants;
pub mod lane_shape;
pub mod lane_step;
pub mod linear_address;
pub mod loop_mark;
pub mod loops;
pub mod polynomial;
pub mod uniformity;
