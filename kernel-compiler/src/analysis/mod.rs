//! Analyses of LLVM IR, shared by work-group formation, the vectoriser and the cost model of the
//! device.
//!
//! [`graph`], [`dominators`] and [`loops`] work on block numbers, so that they also serve parts of
//! a function; [`cfg`] numbers the blocks of a whole one. [`effects`] classifies instructions.
//!
//! Some questions look alike and have different answers:
//!
//! - [`uniformity`] asks which values all work-items of a *group* share for as long as the kernel
//!   runs. Another group may write global memory, so a load from it is never uniform.
//! - [`iteration_step`] asks how a scalar moves from one iteration of a loop to the next.
//! - [`lane_step`] asks how the elements of a *vector* lie apart, after vectorisation.

pub mod cfg;
pub mod dominators;
pub mod effects;
pub mod gep;
pub mod graph;
pub mod iteration_step;
pub mod lane_step;
pub mod loops;
pub mod uniformity;
