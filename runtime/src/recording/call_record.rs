//! API calls in the recording. A call is written when its simulated times are known.

use crate::device::nodes;
use crate::recording::recorder::{host_time, write};
use ::recording::Line;
use device_sim::units::Nanoseconds;
use parking_lot::Mutex;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static THREAD: Cell<u64> = const { Cell::new(0) };
    /// The command that this thread's current call has enqueued; 0 for none.
    static ENQUEUED: Cell<u64> = const { Cell::new(0) };
}

/// Notes the number of the command that this thread's current call has enqueued.
pub(crate) fn set_enqueued(number: u64) {
    // A thread makes no calls while its thread-local storage is destroyed.
    let _ = ENQUEUED.try_with(|enqueued| enqueued.set(number));
}

/// The number of this thread in the recording: one for each node whose host program calls on it.
fn number_of_thread(node: usize) -> u64 {
    match thread() {
        0 => 0,
        thread => (thread - 1) * nodes::count() as u64 + node as u64 + 1,
    }
}

fn thread() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    THREAD
        .try_with(|thread| {
            if thread.get() == 0 {
                thread.set(COUNT.fetch_add(1, Ordering::Relaxed) + 1);
            }
            thread.get()
        })
        .unwrap_or(0)
}

/// A call whose simulated times may not be known yet.
pub(crate) struct PendingCall(Mutex<::recording::Call>);

impl PendingCall {
    /// A call of an API function that begins now on this thread, by the host program of that node.
    pub fn begin(function: &'static str, node: usize) -> Self {
        set_enqueued(0);
        Self(Mutex::new(::recording::Call {
            function: function.into(),
            thread: number_of_thread(node),
            host_begin: host_time(),
            ..::recording::Call::default()
        }))
    }

    /// The call returns.
    pub fn end(&self) {
        let mut call = self.0.lock();
        call.host_end = host_time();
        let number = ENQUEUED.try_with(Cell::get).unwrap_or(0);
        call.command = (number != 0).then_some(number);
    }

    /// Sets the simulated time at which the call began.
    pub fn set_begin(&self, time: Nanoseconds) {
        self.0.lock().begin = time.0;
    }

    /// Sets the simulated time at which the call returned, and writes the call.
    pub fn write(&self, end: Nanoseconds) {
        let mut call = self.0.lock();
        call.end = end.0;
        write(Line::Call(std::mem::take(&mut call)));
    }
}
