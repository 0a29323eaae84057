//! Functions that the platform calls, and counters of the calls.

use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Number of counters, which are used cyclically; a sequence uses far fewer.
const COUNTERS: usize = 1 << 14;
static CALLS: [AtomicU32; COUNTERS] = [const { AtomicU32::new(0) }; COUNTERS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// Counts the calls of one callback that was registered.
#[derive(Clone, Copy, Debug)]
pub struct Counter(usize);

impl Counter {
    /// The next counter, reset to 0.
    pub fn new() -> Self {
        let place = NEXT.fetch_add(1, Ordering::Relaxed) % COUNTERS;
        CALLS[place].store(0, Ordering::Relaxed);
        Self(place)
    }

    /// The user data of the callback; never null.
    pub fn user_data(self) -> u64 {
        self.0 as u64 + 1
    }

    /// Number of calls so far.
    pub fn calls(self) -> u32 {
        CALLS[self.0].load(Ordering::Acquire)
    }
}

fn count(user_data: *mut c_void) {
    if let Some(counter) = CALLS.get(user_data.addr().wrapping_sub(1)) {
        counter.fetch_add(1, Ordering::AcqRel);
    }
}

/// `pfn_notify` of contexts.
pub extern "C" fn context(_: *const c_char, _: *const c_void, _: usize, user_data: *mut c_void) {
    count(user_data);
}

/// `pfn_notify` of programs, and of destructor callbacks of memory objects.
pub extern "C" fn object(_: *mut c_void, user_data: *mut c_void) {
    count(user_data);
}

/// `pfn_notify` of events.
pub extern "C" fn event(_: *mut c_void, _: i32, user_data: *mut c_void) {
    count(user_data);
}

/// A native kernel. Its argument block contains a counter's user data, the number of buffers, and
/// their addresses. It sets the first byte of each buffer.
pub extern "C" fn native(arguments: *mut c_void) {
    let words = arguments.cast::<u64>();
    // SAFETY: `transfers` makes blocks of that sort only; the platform's copy of it may
    // be anywhere.
    let word = |index| unsafe { words.add(index).read_unaligned() };
    for index in 0..word(1) as usize {
        let buffer = word(2 + index) as usize as *mut u8;
        if !buffer.is_null() {
            // SAFETY: the address of a buffer, which has at least one byte.
            unsafe { buffer.write(NATIVE_BYTE) };
        }
    }
    count(word(0) as usize as *mut c_void);
}

/// The byte that native kernels write.
pub const NATIVE_BYTE: u8 = 0x4E;
