//! Records the calls of event callbacks.

use anyhow::Result;
use cl_sys::*;
use harness::call::ok;
use harness::callback::{self, Latch};
use harness::object::{Event, Object};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// Time limit of actions that the platform performs without further calls.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// Registers a callback for each of these states of an event. The calls are recorded in any order:
/// the state, the passed status, and whether the event was the right one.
///
/// # Errors
/// `clSetEventCallback`'s.
pub fn watch(event: &Object<Event>, states: &[cl_int]) -> Result<Watch> {
    let (latch, calls) = (Latch::new(states.len()), Arc::new(Mutex::new(Vec::new())));
    for &state in states {
        let (latch, calls, handle) = (latch.clone(), calls.clone(), event.get().addr());
        let user_data = callback::user_data("of an event", move |event, status| {
            calls.lock().push((state, status, event.addr() == handle));
            latch.count_down();
        });
        ok!(clSetEventCallback(
            event.get(),
            state,
            Some(callback::event),
            user_data
        ))?;
    }
    Ok(Watch { latch, calls })
}

/// The recorded callbacks of one event.
pub struct Watch {
    latch: Latch,
    calls: Arc<Mutex<Vec<Call>>>,
}

/// The state, the status, and whether the event was the right one.
pub type Call = (cl_int, cl_int, bool);

impl Watch {
    /// The calls so far, in their order.
    pub fn until_now(&self) -> Vec<Call> {
        self.calls.lock().clone()
    }

    /// Waits for all callbacks and returns their calls, sorted.
    ///
    /// # Errors
    /// They were not called within [`PATIENCE`].
    pub fn all(&self) -> Result<Vec<Call>> {
        self.latch.wait_for("callbacks of an event", PATIENCE)?;
        let mut calls = self.until_now();
        calls.sort_unstable();
        Ok(calls)
    }
}
