//! Stacks on which the handlers run, so that they can report an exhausted stack too.

use std::ptr::null_mut;

/// Enough for the handlers here and for those of the program that they call.
const BYTES: usize = 64 << 10;

/// The alternate signal stack of the thread that made it, until it is dropped on that thread.
pub struct AlternateStack(*mut libc::c_void);

impl AlternateStack {
    /// None if the thread has one already, or the system has no memory.
    pub fn install() -> Option<Self> {
        if current()?.ss_flags & libc::SS_DISABLE == 0 {
            return None;
        }
        // SAFETY: new memory, which nothing else uses.
        let start = unsafe {
            libc::mmap(
                null_mut(),
                BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let own = Self(start);
        set(start, 0).then_some(own)
    }
}

impl Drop for AlternateStack {
    fn drop(&mut self) {
        if current().is_some_and(|stack| stack.ss_sp == self.0) {
            set(null_mut(), libc::SS_DISABLE);
        }
        // SAFETY: the mapping that `install` made; it is no signal stack any more.
        unsafe { libc::munmap(self.0, BYTES) };
    }
}

/// This thread's alternate stack.
fn current() -> Option<libc::stack_t> {
    // SAFETY: the call writes to `stack` only.
    unsafe {
        let mut stack = std::mem::zeroed();
        (libc::sigaltstack(std::ptr::null(), &mut stack) == 0).then_some(stack)
    }
}

/// Whether the system accepts that stack for this thread.
fn set(start: *mut libc::c_void, flags: libc::c_int) -> bool {
    let stack = libc::stack_t {
        ss_sp: start,
        ss_flags: flags,
        ss_size: BYTES,
    };
    // SAFETY: the memory stays mapped while it is the signal stack.
    unsafe { libc::sigaltstack(&stack, null_mut()) == 0 }
}
