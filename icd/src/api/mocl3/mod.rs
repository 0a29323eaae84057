//! The extensions of this platform (docs/extensions.md).

mod host_clock;
pub mod performance_counters;
pub mod task_queue;
