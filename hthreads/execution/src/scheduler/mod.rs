//! The scheduler of a cluster's threads.
//!
//! It works in rounds. First all threads that can continue run side by side, each until it requests
//! something that others have to do with: a barrier, a lock, output, a volatile variable. When all
//! have come to such a point, their requests are served one after the other, in the order in which
//! the threads were started. So the order of events is the same with any number of host threads.

pub mod cluster;
mod deadlock;
mod floating_point;
mod report;
mod round;
mod running;
mod serving;
