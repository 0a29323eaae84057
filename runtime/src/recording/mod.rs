//! What a run is measured by: its recording, and performance counters.

pub mod performance_counters;
pub mod recorder;
