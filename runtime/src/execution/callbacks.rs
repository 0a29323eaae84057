//! Calls of the host program's callbacks. These may take the host program's locks, use the whole
//! API and block, so they are called by threads that hold no lock of the runtime.

use crate::execution::ready_queue;
use crate::execution::worker_pool::{self, Job};

struct Callback<F>(F);

impl<F: FnOnce() + Send> Job for Callback<F> {
    fn run(self: Box<Self>) {
        (self.0)();
    }
    fn refused(self: Box<Self>) {
        (self.0)();
    }
}

/// Calls `callback` on a worker thread, or on this one if the system has no thread left.
pub(crate) fn call_later(callback: impl FnOnce() + Send + 'static) {
    worker_pool::start(Box::new(Callback(callback)));
}

/// Calls `callback` before returning, unless this thread is executing a command: other threads
/// may wait for that one, so the callback goes to a worker thread.
pub(crate) fn call(callback: impl FnOnce() + Send + 'static) {
    if ready_queue::thread_runs_commands() {
        call_later(callback);
    } else {
        callback();
    }
}
