//! Waits of signal handlers, which may not wait for locks.

use std::ptr::null_mut;

/// Waits until `is_over`, or for that many milliseconds.
pub(super) fn wait(milliseconds: u32, is_over: impl Fn() -> bool) {
    let millisecond = libc::timespec {
        tv_sec: 0,
        tv_nsec: 1_000_000,
    };
    for _ in 0..milliseconds {
        if is_over() {
            return;
        }
        // SAFETY: reads `millisecond` only.
        unsafe { libc::nanosleep(&millisecond, null_mut()) };
    }
}
