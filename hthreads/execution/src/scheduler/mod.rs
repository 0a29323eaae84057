//! The scheduler of a cluster's threads.
//!
//! It works in rounds. First all threads that can continue run side by side, each until it requests
//! something that others have to do with: a barrier, a lock, output, a volatile variable. When all
//! have come to such a point, their requests are served one after the other, in the order in which
//! the threads were started. So the order of events is the same with any number of host threads.
//!
//! In simulated time, what a thread did in a round becomes steps of its array. Its request is served when
//! these have been simulated, in the order of simulated time (`simulated_time`). The launches of groups are
//! simulated each for itself, as those of OpenCL kernels are.

pub mod cluster;
mod deadlock;
mod hold;
mod in_flight;
mod interrupts;
mod order;
mod polls;
mod report;
mod round;
mod running;
mod serving;
mod simulated_time;
mod standstill;
pub mod timed_launch;

pub use polls::fingerprint;
