//! The text that kernels print. It is buffered until the command that printed it ends and then
//! written to the standard output of the process.

use parking_lot::Mutex;
use std::ffi::c_void;

/// Size of the buffer, bytes (`CL_DEVICE_PRINTF_BUFFER_SIZE`). It is written early when full, so that
/// nothing is lost however much a kernel prints.
pub const CAPACITY: usize = 1 << 20;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Appends text. The text of one call is not split by that of others.
pub fn print(text: &[u8]) {
    let mut buffer = BUFFER.lock();
    if buffer.len() + text.len() > CAPACITY {
        write(&buffer);
        buffer.clear();
    }
    buffer.extend_from_slice(text);
}

/// Writes the buffered text.
pub fn flush() {
    let mut buffer = BUFFER.lock();
    if !buffer.is_empty() {
        write(&buffer);
        buffer.clear();
    }
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes through the C library, so that the order relative to the host program's own output is
/// kept.
fn write(text: &[u8]) {
    // SAFETY: the C library's own stream; the text is `text.len()` bytes long. Failures are
    // ignored: a closed stream is no error of the kernel.
    unsafe {
        libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stdout);
        libc::fflush(stdout);
    }
}
