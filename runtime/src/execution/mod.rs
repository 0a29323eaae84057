//! Execution of commands and callbacks by threads of the host.

pub(crate) mod callbacks;
pub(crate) mod ready_queue;
pub(crate) mod worker_pool;
