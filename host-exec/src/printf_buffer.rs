//! What device code prints. Text waits here until the command that printed it ends, and
//! then goes to the standard output of the process.

use parking_lot::Mutex;
use std::ffi::c_void;

/// Text that waits is written before there is more of it, so that a kernel may print
/// without end (`CL_DEVICE_PRINTF_BUFFER_SIZE` is how much is kept, not how much is shown).
pub const CAPACITY: usize = 1 << 20;

static WAITING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Adds text; that of one call stays together.
pub fn print(text: &[u8]) {
    let mut waiting = WAITING.lock();
    if waiting.len() + text.len() > CAPACITY {
        write(&waiting);
        waiting.clear();
    }
    waiting.extend_from_slice(text);
}

/// Writes what waits.
pub fn flush() {
    let mut waiting = WAITING.lock();
    if !waiting.is_empty() {
        write(&waiting);
        waiting.clear();
    }
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Through the C library, so that it falls between what the host program printed before
/// and prints afterwards.
fn write(text: &[u8]) {
    // SAFETY: the C library's own stream; the text is `text.len()` bytes long. A stream
    // that cannot be written to is no error of the kernel's.
    unsafe {
        libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stdout);
        libc::fflush(stdout);
    }
}
