//! Handlers of the host program, which interrupts by threads call.

use crate::error::Error;
use crate::recorder;
use device_threads::{HostInterrupt, host_name};
use std::cell::Cell;

thread_local! {
    /// The cluster whose scheduler calls a handler on this thread.
    static HANDLES_OF: Cell<Option<i32>> = const { Cell::new(None) };
}

/// Calls the handler of a group, on the thread of the scheduler of cluster `cluster`.
pub fn serve(cluster: i32, interrupt: &HostInterrupt<'_>) {
    if let (Some(recorder), Some(time)) = (recorder::get(), interrupt.time) {
        recorder.observe(time);
    }
    let HostInterrupt {
        group,
        thread,
        value,
        ..
    } = interrupt;
    let Some(handler) = group.handler() else {
        eprintln!(
            "{}: Cluster {cluster}-Group {}-Thread {thread}: no handler is registered for \
             cpu_interrupt({value})",
            host_name(),
            group.id
        );
        return;
    };
    HANDLES_OF.set(Some(cluster));
    // SAFETY: the host program has registered it with this type.
    unsafe { handler(*thread as i32, *value) };
    HANDLES_OF.set(None);
}

/// Refuses a call that would wait for a cluster while its scheduler waits for the caller.
///
/// # Errors
/// The caller is a handler of that cluster.
pub fn forbid_in_handler(function: &'static str, cluster: i32) -> Result<(), Error> {
    match HANDLES_OF.get() == Some(cluster) {
        true => Err(Error::InHandler(function)),
        false => Ok(()),
    }
}
