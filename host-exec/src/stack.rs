//! The remaining stack of the host program's threads: they run commands while they wait, and may
//! have been started with small stacks.

use std::cell::Cell;
use std::ops::Range;

thread_local! {
    /// Addresses of this thread's stack, once they have been queried.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Remaining stack of this thread, bytes; 0 on a stack that the system does not know (a
/// coroutine's).
pub fn remaining() -> usize {
    let here = 0u8;
    let here = std::ptr::from_ref(&here).addr();
    // Thread-local storage is gone: the thread ends, and its stack is almost empty.
    let Some(known) = known_addresses() else {
        return usize::MAX;
    };
    if known.contains(&here) {
        here - known.start
    } else {
        0
    }
}

/// Whether bytes at an address may be on this thread's stack, in the frames of callers.
#[inline(never)]
pub fn may_hold(address: usize, bytes: usize) -> bool {
    let here = 0u8;
    let here = std::ptr::from_ref(&here).addr();
    known_addresses()
        .is_none_or(|known| here <= address && address <= known.end && bytes <= known.end - address)
}

/// The addresses of this thread's stack, queried once; none if the thread ends.
fn known_addresses() -> Option<Range<usize>> {
    let known = STACK.try_with(|stack| {
        stack.get().unwrap_or_else(|| {
            let Range { start, end } = addresses();
            stack.set(Some((start, end)));
            (start, end)
        })
    });
    known.ok().map(|(start, end)| start..end)
}

/// The addresses of this thread's stack; the whole address space if the query fails.
fn addresses() -> Range<usize> {
    let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
    // SAFETY: queries this thread's attributes, which are destroyed again.
    unsafe {
        let mut attributes = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return 0..usize::MAX;
        }
        let status = libc::pthread_attr_getstack(&attributes, &mut start, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
        if status != 0 {
            return 0..usize::MAX;
        }
    }
    start.addr()..start.addr() + bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_on_the_stack() {
        let variable = [0u8; 16];
        assert!(may_hold(variable.as_ptr().addr(), 16));
        assert!(!may_hold(64, 4));
        assert!(!may_hold(Box::new(1u8).as_ref() as *const u8 as usize, 1));
    }

    #[test]
    fn a_thread_has_the_stack_it_was_started_with() {
        for bytes in [64 << 10, 8 << 20] {
            let builder = std::thread::Builder::new().stack_size(bytes);
            let left = builder.spawn(|| [remaining(), remaining()]);
            for left in left.unwrap().join().unwrap() {
                assert!(left > bytes / 2 && left <= bytes + (64 << 10), "{left}");
            }
        }
    }
}
