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
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
}

struct Search {
    code: CodeAddresses,
    frames: u32,
    found: Option<usize>,
}

/// An address within the innermost call instruction of `code` on this thread's stack. For signal
/// handlers.
pub(super) fn caller_in(code: CodeAddresses) -> Option<usize> {
    extern "C" fn visit(frame: *mut c_void, search: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes its frame, and `search` below, which nothing else uses.
        let (search, next) = unsafe { (&mut *search.cast::<Search>(), _Unwind_GetIP(frame)) };
        // The address is that of the next instruction.
        let address = next.wrapping_sub(1);
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
