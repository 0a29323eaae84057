//! Frames of functions whose calls may take more of a stack than the machine has.

use crate::device_thread::current;
use crate::exception::Raised;

/// Called where a function begins, with the bytes of its frame in SM and in AM.
pub extern "C" fn __ht_push_frame(scalar: u64, vector: u64) {
    let thread = current();
    if let Some((exception, details)) = thread.stacks.push(scalar, vector) {
        let memory = &thread.member().memory;
        thread.raise(Raised {
            // Of the first byte before the part of SM or AM, to which the stack grows down.
            address: thread.stacks.start(memory, details) as u64,
            details: Some(details),
            ..Raised::new(exception)
        });
    }
}

/// Called where it returns.
pub extern "C" fn __ht_pop_frame(scalar: u64, vector: u64) {
    current().stacks.pop(scalar, vector);
}
