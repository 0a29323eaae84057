//! Calls that wait for commands, in ranks that have callbacks: those that are due before the end of the
//! wait are called at their times, during the wait. A command may depend on them, by a user event that
//! one of them sets.

use crate::callbacks;
use crate::functions::direct;
use crate::functions::types::{CL_SUCCESS, In, cl_command_queue, cl_event, cl_uint};
use crate::rank::Rank;
use std::ptr::{null, null_mut};

/// Calls the callbacks that are due before the events of the list have ended.
///
/// # Safety
/// `list` has `count` events.
pub unsafe fn for_events(count: cl_uint, list: In<cl_event>) {
    let Some(rank) = Rank::current().filter(|rank| callbacks::are_pending(*rank)) else {
        return;
    };
    if list.is_null() {
        return;
    }
    rank.synchronise();
    // SAFETY: as the caller promises.
    let events = unsafe { std::slice::from_raw_parts(list, count as usize) };
    while let Some(due) = callbacks::next_end(rank) {
        let ends: Option<Vec<u64>> = events
            .iter()
            .map(|event| rank.clock.end_of(*event))
            .collect();
        let is_late = ends.is_some_and(|ends| ends.into_iter().all(|end| end < due));
        if is_late {
            return;
        }
        rank.wait_until(due);
        if !callbacks::call_due(rank) {
            return;
        }
    }
}

/// Calls the callbacks that are due before all commands of a queue have ended, which a marker finds out.
///
/// # Safety
/// As for the function of OpenCL that takes the queue.
pub unsafe fn for_queue(queue: cl_command_queue) {
    let Some(rank) = Rank::current().filter(|rank| callbacks::are_pending(*rank)) else {
        return;
    };
    rank.synchronise();
    let mut marker = null_mut();
    // SAFETY: the platform checks the queue; the marker is released once.
    unsafe {
        let code = direct::clEnqueueMarkerWithWaitList(queue, 0, null(), &raw mut marker);
        if code == CL_SUCCESS {
            for_events(1, &raw const marker);
            direct::clReleaseEvent(marker);
        }
    }
}
