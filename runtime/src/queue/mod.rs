//! Command queues and the commands in them.

mod command_queue;
pub(crate) mod task;

pub use command_queue::{CommandQueue, QueueProperties};
