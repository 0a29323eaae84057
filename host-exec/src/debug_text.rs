//! Text of the functions that debuggers call (`mocl3_debug_...`). They may be called wherever the
//! program has stopped, also within the allocator and while locks are held: the text is in memory
//! that exists before, and they give up where something is locked.

use parking_lot::Mutex;
use std::ffi::c_char;
use std::fmt::{self, Write};

/// Most bytes of a text, with the NUL at its end; what exceeds them is left out.
const CAPACITY: usize = 1 << 16;

/// Text that is being composed.
pub struct DebugText {
    bytes: [u8; CAPACITY],
    used: usize,
}

static TEXT: Mutex<DebugText> = Mutex::new(DebugText {
    bytes: [0; CAPACITY],
    used: 0,
});

/// The text that `compose` writes, ended by a NUL. It is valid until the next call; a debugger makes
/// one call at a time. Null if another thread composes one.
pub fn compose(compose: impl FnOnce(&mut DebugText) -> fmt::Result) -> *const c_char {
    let Some(mut text) = TEXT.try_lock() else {
        return std::ptr::null();
    };
    text.used = 0;
    // What does not fit is left out.
    let _ = compose(&mut text);
    let end = text.used;
    text.bytes[end] = 0;
    text.bytes.as_ptr().cast()
}

impl Write for DebugText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let count = text.len().min(CAPACITY - 1 - self.used);
        self.bytes[self.used..self.used + count].copy_from_slice(&text.as_bytes()[..count]);
        self.used += count;
        match count < text.len() {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn text_ends_with_a_nul_and_is_cut_where_it_is_full() {
        let read = |text: *const c_char| {
            // SAFETY: `compose` returns a C string.
            unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
        };
        assert_eq!(read(compose(|text| write!(text, "{} {}", 1, 2))), "1 2");
        let long = read(compose(|text| {
            loop {
                text.write_str("abc")?;
            }
        }));
        assert_eq!(long.len(), CAPACITY - 1);
        assert_eq!(read(compose(|_| Ok(()))), "");
    }
}
