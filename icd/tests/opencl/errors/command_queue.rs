//! Command-queues.
