//! The discrete-event simulation of a launch: schedules what the arrays did (`launch_record`) on
//! one time axis (`launch_timing`), where they compete for the cluster's memories and locks.
//!
//! Events are processed in the order of their times, and of the arrays' numbers where these are
//! equal. All numbers are integers, so the same record always gives the same timing.

mod activity_timeline;
mod array;
mod array_progress;
mod channels;
mod cluster_resources;
pub mod code_only;
mod code_segment;
mod cycle_account;
mod even_split;
pub mod live;
pub mod programs;
mod server;
mod simulation;
#[cfg(test)]
mod tests;

pub use simulation::{code_fetched, run};
