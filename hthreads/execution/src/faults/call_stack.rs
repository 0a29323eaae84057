//! The calls on a thread's stack.

use libc::{c_int, c_void};

/// Most frames.
const MAX_FRAMES: usize = 256;

/// `_URC_NO_REASON` and `_URC_NORMAL_STOP` (System V psABI for x86-64, section 6.2).
const CONTINUE: c_int = 0;
const STOP: c_int = 4;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        frames: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
}

/// Addresses of the calls that have led here, each within its call, from the innermost one on.
pub fn calls() -> Vec<usize> {
    extern "C" fn visit(frame: *mut c_void, frames: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes the list below, which nothing else uses.
        let frames = unsafe { &mut *frames.cast::<Vec<usize>>() };
        // SAFETY: the frame is the unwinder's.
        let next = unsafe { _Unwind_GetIP(frame) };
        frames.push(next.wrapping_sub(1));
        match frames.len() < MAX_FRAMES {
            true => CONTINUE,
            false => STOP,
        }
    }
    let mut frames: Vec<usize> = Vec::new();
    // SAFETY: `visit` has the type that the unwinder demands; it reads the stack only.
    unsafe { _Unwind_Backtrace(visit, (&raw mut frames).cast()) };
    frames
}
