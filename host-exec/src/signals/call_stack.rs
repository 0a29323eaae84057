//! The calls that have led to a fault.

use crate::launch::CodeAddresses;
use libc::{c_int, c_void};

/// Most frames between the handler and a kernel.
const MAX_FRAMES: u32 = 32;

/// `_URC_NO_REASON` and `_URC_NORMAL_STOP` (System V psABI for x86-64, section 6.2).
const CONTINUE: c_int = 0;
const STOP: c_int = 4;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        search: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(frame: *mut c_void, is_interrupted: *mut c_int) -> usize;
}

struct Search {
    code: CodeAddresses,
    frames: u32,
    found: Option<usize>,
}

/// An address within the innermost instruction of `code` on this thread's stack: a call, or one that a
/// signal has interrupted. For signal handlers.
pub(super) fn caller_in(code: CodeAddresses) -> Option<usize> {
    extern "C" fn visit(frame: *mut c_void, search: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes its frame, and `search` below, which nothing else uses.
        let search = unsafe { &mut *search.cast::<Search>() };
        let mut is_interrupted = 0;
        // SAFETY: as above.
        let address = unsafe { _Unwind_GetIPInfo(frame, &mut is_interrupted) };
        // The address is that of the next instruction, unless a signal has interrupted the frame.
        let address = address.wrapping_sub(usize::from(is_interrupted == 0));
        search.frames += 1;
        if search.code.contains(address) {
            search.found = Some(address);
        }
        match search.found.is_some() || search.frames == MAX_FRAMES {
            true => STOP,
            false => CONTINUE,
        }
    }
    let mut search = Search {
        code,
        frames: 0,
        found: None,
    };
    // SAFETY: `visit` has the type that the unwinder demands; it reads the stack only.
    unsafe { _Unwind_Backtrace(visit, (&raw mut search).cast()) };
    search.found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn call(code: CodeAddresses) -> Option<usize> {
        std::hint::black_box(caller_in(std::hint::black_box(code)))
    }

    #[test]
    fn the_caller_is_found() {
        let start = call as fn(_) -> _ as usize;
        let code = CodeAddresses {
            start,
            end: start + 256,
        };
        assert!(call(code).is_some_and(|address| code.contains(address)));
        assert_eq!(call(CodeAddresses::default()), None);
    }
}
