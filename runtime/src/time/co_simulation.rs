//! The clock of a node's host program, read and set by a co-simulator (docs/co-simulation.md).

use crate::device::nodes;
use crate::error::{Code, Error, Result};
use crate::time::simulated_schedule;
use device_sim::units::Nanoseconds;
use std::cell::Cell;

thread_local! {
    /// The node whose clock this thread has set last: that of the calls that it makes.
    static NODE: Cell<usize> = const { Cell::new(0) };
}

/// The clock of the node's host program after all that it has done, nanoseconds.
///
/// # Errors
/// `OutOfResources` in a child of `fork`.
pub fn host_clock(node: usize) -> Result<u64> {
    simulated_schedule::host_clock(node)
        .map(|time| time.0)
        .ok_or_else(|| {
            Error::new(
                Code::OutOfResources,
                "a child of fork has no simulated time",
            )
        })
}

/// Sets the clock of the node's host program to `time` nanoseconds. That program makes the calls of this thread from now on. The
/// node's commands are timed, and queries of its events go by simulated time, from the first
/// time on.
///
/// # Errors
/// `InvalidValue`: `time` is 0, which encodes unknown times.
pub fn set_host_clock(node: usize, time: u64) -> Result<()> {
    if time == 0 {
        return Err(Error::new(
            Code::InvalidValue,
            "simulated time begins at 1 ns",
        ));
    }
    // A thread makes no calls while its thread-local storage is destroyed.
    let _ = NODE.try_with(|current| current.set(node));
    simulated_schedule::set_host_clock(node, Nanoseconds(time));
    Ok(())
}

/// The node whose host program makes the calls of this thread.
pub(crate) fn node_of_thread() -> usize {
    match nodes::count() {
        1 => 0,
        _ => NODE.try_with(Cell::get).unwrap_or(0),
    }
}
