//! Scheduling by the hardware: cycle by cycle, without the cycles in which nothing happens.
//!
//! In each cycle the stages work from the last to the first, so that what one passes on reaches the
//! next one in the following cycle: announcements on the common data bus, decisions of branches, issue
//! to accelerators, dispatch to reservation stations, decoding.

mod branches;
mod bus;
mod decide;
mod decode;
mod dispatch;
mod engine;
mod execution;
mod look_up_buffer;
mod queue;
mod stations;
pub(crate) mod stream;
mod tasks;

pub(crate) use engine::run;
