//! Simulated time: what a launch does on each array (`launch_record`), what its code costs there
//! (`cost`), and when everything happens (`launch_timing`, which `engine` computes);
//! `launch_report` has all results of a launch, those by source line from `line_cycles`. Launches of
//! the same code share a `timed_kernel`, and equal ones a report.
//!
//! Code is counted, not traced: compiled kernels count how often each of their blocks runs, and
//! the cycles follow from the blocks' costs. Nothing here depends on the host's threads or clock.

pub mod cost;
pub mod counter_costs;
pub mod engine;
pub mod footprint;
mod group_place;
pub mod group_sample;
pub mod host_command;
mod known_reports;
pub mod launch_record;
pub mod launch_report;
pub mod launch_sizes;
pub mod launch_timing;
pub mod line_cycles;
pub mod pending_report;
pub mod prediction;
pub mod recorder;
pub mod recorder_shard;
mod row;
mod step_runs;
mod step_writer;
#[cfg(test)]
mod test_steps;
pub mod timed_kernel;
pub mod what_if;
