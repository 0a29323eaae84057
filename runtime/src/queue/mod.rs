//! Command queues and the commands in them.

mod command_queue;
mod dependency_tracker;
mod inspection;
mod region_tracker;
mod task;

pub use command_queue::{CommandQueue, QueueProperties};
