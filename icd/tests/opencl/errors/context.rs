//! Contexts.

use super::provoked;
use cl_sys::*;
use std::ptr::null_mut;

provoked! {
    clReleaseContext {
        CL_INVALID_CONTEXT {
            // SAFETY: null is no context.
            null: |_session| unsafe { clReleaseContext(null_mut()) },
            a_queue: |session| {
                // SAFETY: a valid handle of another kind.
                unsafe { clReleaseContext(session.queue.cast()) }
            },
        }
    }
}
