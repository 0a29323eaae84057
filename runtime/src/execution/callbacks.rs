//! Calls of the host program's functions. They may take locks of the host program, use
//! the whole interface and block, so they are made by threads that hold nothing.

use crate::execution::ready_queue;
use crate::execution::worker_pool::{self, Job};

struct Call<F>(F);

impl<F: FnOnce() + Send> Job for Call<F> {
    fn run(self: Box<Self>) {
        (self.0)();
    }
    fn refused(self: Box<Self>) {
        (self.0)();
    }
}

/// Calls from a thread of its own. If the system has none left, here and now.
pub(crate) fn call_later(function: impl FnOnce() + Send + 'static) {
    worker_pool::start(Box::new(Call(function)));
}

/// Calls before it returns, unless this thread is in the middle of a command, which
/// others may wait for: then `call_later`.
pub(crate) fn call(function: impl FnOnce() + Send + 'static) {
    if ready_queue::runs_commands() {
        call_later(function);
    } else {
        function();
    }
}
