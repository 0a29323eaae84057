//! Events.

mod event;

pub use event::{CommandType, Event, ExecutionStatus, ProfilingPoint};
