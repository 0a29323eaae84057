//! Command queues and the commands in them.

mod command_queue;
mod dependency_tracker;
mod inspection;
mod region_tracker;
pub mod shared_launches;
mod task;
mod task_state;

pub use command_queue::{CommandQueue, QueueProperties};
pub use task_state::TaskState;
