//! How much stack threads of the host program have left: they run commands while they wait,
//! and may have been started with little.

use std::cell::Cell;
use std::ops::Range;

thread_local! {
    /// Addresses of this thread's stack; asked for once.
    static STACK: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Bytes of stack that this thread has left; 0 if it is on a stack of its own making (a
/// coroutine's), of which nothing is known.
pub fn remaining() -> usize {
    let here = 0u8;
    let here = std::ptr::from_ref(&here).addr();
    let known = STACK.try_with(|stack| {
        stack.get().unwrap_or_else(|| {
            let Range { start, end } = addresses();
            stack.set(Some((start, end)));
            (start, end)
        })
    });
    // While the thread ends, its stack is as good as empty.
    let Ok((start, end)) = known else {
        return usize::MAX;
    };
    if (start..end).contains(&here) {
        here - start
    } else {
        0
    }
}

/// Of this thread's stack; all there are if the system does not tell.
fn addresses() -> Range<usize> {
    let (mut start, mut bytes) = (std::ptr::null_mut(), 0);
    // SAFETY: asks for this thread's attributes, which are destroyed again.
    unsafe {
        let mut attributes = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return 0..usize::MAX;
        }
        let told = libc::pthread_attr_getstack(&attributes, &mut start, &mut bytes);
        libc::pthread_attr_destroy(&mut attributes);
        if told != 0 {
            return 0..usize::MAX;
        }
    }
    start.addr()..start.addr() + bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_what_it_was_started_with() {
        for bytes in [64 << 10, 8 << 20] {
            let builder = std::thread::Builder::new().stack_size(bytes);
            let left = builder.spawn(|| [remaining(), remaining()]);
            for left in left.unwrap().join().unwrap() {
                assert!(left > bytes / 2 && left <= bytes + (64 << 10), "{left}");
            }
        }
    }
}
