//! Callbacks of events. The platform would call them in threads of its own, which run no rank and
//! so cannot call MPI, and when the host has executed a command, which is no simulated time. The
//! layer calls them in the rank that set them, when it makes a call at or after the time at which
//! the command reaches the status.

use crate::functions::direct;
use crate::functions::types::{
    CL_EVENT_COMMAND_EXECUTION_STATUS, CL_SUCCESS, EventCallback, c_void, cl_event, cl_int,
};
use crate::rank::Rank;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ptr::null_mut;

/// A callback that has not been called.
#[derive(Clone, Copy)]
pub struct Callback {
    /// The event, of which the layer has a reference.
    pub event: cl_event,
    /// The status that it waits for.
    pub threshold: cl_int,
    /// The program's function.
    pub function: EventCallback,
    /// The program's data.
    pub user_data: *mut c_void,
}

// SAFETY: the layer only passes the pointers on.
unsafe impl Send for Callback {}

/// The callbacks of a rank.
#[derive(Default)]
struct Pending {
    /// In the order in which they were set.
    callbacks: Vec<Callback>,
    /// Whether one is being called.
    calling: bool,
}

/// The callbacks of all ranks that have some, by actor.
static PENDING: Mutex<Option<HashMap<i64, Pending>>> = Mutex::new(None);

/// Adds a callback of a rank.
pub fn add(rank: Rank, callback: Callback) {
    let mut pending = PENDING.lock();
    let of_rank = pending.get_or_insert_default().entry(rank.actor);
    of_rank.or_default().callbacks.push(callback);
}

/// The status of an event at the time of the node's clock, or the error of the query.
pub fn status(event: cl_event) -> cl_int {
    let mut status: cl_int = 0;
    // SAFETY: the layer has a reference to the event, and the status is a local variable.
    let code = unsafe {
        direct::clGetEventInfo(
            event,
            CL_EVENT_COMMAND_EXECUTION_STATUS,
            size_of::<cl_int>(),
            (&raw mut status).cast(),
            null_mut(),
        )
    };
    if code == CL_SUCCESS { status } else { code }
}

/// Calls the callbacks of the rank that are due, unless one of them makes the current call. Returns
/// whether there was one.
pub fn call_due(rank: Rank) -> bool {
    let mut any = false;
    while let Some((callback, status)) = take_due(rank) {
        let passed = if status < 0 {
            status
        } else {
            callback.threshold
        };
        // SAFETY: the program gave the function for this; the event is still there.
        unsafe {
            (callback.function)(callback.event, passed, callback.user_data);
            direct::clReleaseEvent(callback.event);
        }
        if let Some(pending) = PENDING.lock().get_or_insert_default().get_mut(&rank.actor) {
            pending.calling = false;
        }
        // The callback may have waited, for messages too.
        rank.synchronise();
        any = true;
    }
    any
}

/// Whether the rank has callbacks that can be called now: none is being called.
pub fn are_pending(rank: Rank) -> bool {
    let pending = PENDING.lock();
    let of_rank = pending.as_ref().and_then(|all| all.get(&rank.actor));
    of_rank.is_some_and(|of_rank| !of_rank.calling && !of_rank.callbacks.is_empty())
}

/// The earliest known end of a command that a callback of the rank waits for.
pub fn next_end(rank: Rank) -> Option<u64> {
    let pending = PENDING.lock();
    let callbacks = &pending.as_ref()?.get(&rank.actor)?.callbacks;
    let ends = callbacks
        .iter()
        .map(|callback| rank.clock.end_of(callback.event));
    ends.flatten().min()
}

/// Takes the first callback of the rank that is due.
fn take_due(rank: Rank) -> Option<(Callback, cl_int)> {
    let callbacks = {
        let pending = PENDING.lock();
        let pending = pending.as_ref()?.get(&rank.actor)?;
        match pending.calling {
            true => return None,
            false => pending.callbacks.clone(),
        }
    };
    let due = |callback: &Callback| {
        let status = status(callback.event);
        (status <= callback.threshold).then_some(status)
    };
    let (index, status) = callbacks
        .iter()
        .enumerate()
        .find_map(|(index, callback)| Some((index, due(callback)?)))?;
    let mut pending = PENDING.lock();
    let pending = pending.as_mut()?.get_mut(&rank.actor)?;
    pending.calling = true;
    Some((pending.callbacks.remove(index), status))
}
