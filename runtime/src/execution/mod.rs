//! Execution of commands and callbacks on threads of the host.

pub(crate) mod callbacks;
pub(crate) mod execution_status;
pub(crate) mod ready_queue;
pub(crate) mod worker_pool;
