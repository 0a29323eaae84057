//! Simulated time: what a launch does on each array (`record`), what its code costs there
//! (`cost`), and when everything happens (`outcome`); `report` is all that is told of it. Launches of the
//! same code share what `kernel` has.
//!
//! Code is counted, not watched: compiled kernels keep how often each of their blocks ran, and
//! what the machine would take for it follows from the blocks' costs. Nothing here depends on
//! the host's threads or clock.

pub mod cost;
mod counter_costs;
pub mod engine;
pub mod host_command;
pub mod launch_record;
pub mod launch_report;
pub mod launch_timing;
pub mod recorder;
mod step_writer;
pub mod timed_kernel;
