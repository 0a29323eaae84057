//! The recording of a run, and performance counters.

pub(crate) mod call_record;
pub(crate) mod command_record;
mod header;
mod line_queue;
pub mod performance_counters;
pub(crate) mod program_record;
pub(crate) mod record_id;
pub mod recorder;
