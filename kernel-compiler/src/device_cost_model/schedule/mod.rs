//! When the operations of a block are issued: one run after the other, or overlapping iterations.

mod list_scheduler;
pub mod modulo_schedule;
pub mod register_pressure;
