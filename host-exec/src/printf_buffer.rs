//! The text that kernels print. It is buffered until the command that printed it ends and then
//! written to the standard output of the process.

use parking_lot::Mutex;
use std::ffi::c_void;

/// Size of the buffer, bytes (`CL_DEVICE_PRINTF_BUFFER_SIZE`). It is written early when full, so that
/// nothing is lost however much a kernel prints.
pub const CAPACITY: usize = 1 << 20;

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

static RECORDED: Mutex<Recorded> = Mutex::new(Recorded {
    recordings: 0,
    are_mixed: false,
    text: Vec::new(),
});

/// What is printed while recordings last.
struct Recorded {
    recordings: usize,
    /// Whether there was more than one since there was none.
    are_mixed: bool,
    text: Vec<u8>,
}

/// A recording of what kernels print.
#[derive(Debug)]
pub struct Recording(());

impl Recording {
    /// Records what is printed from now on.
    #[must_use]
    pub fn begin() -> Self {
        let mut recorded = RECORDED.lock();
        recorded.recordings += 1;
        if recorded.recordings == 1 {
            recorded.are_mixed = false;
            recorded.text.clear();
        } else {
            recorded.are_mixed = true;
        }
        Self(())
    }

    /// What was printed. None if there was another recording meanwhile, since the text may be that one's.
    #[must_use]
    pub fn finish(self) -> Option<Vec<u8>> {
        let mut recorded = RECORDED.lock();
        let is_alone = !recorded.are_mixed;
        let text = std::mem::take(&mut recorded.text);
        // Dropping locks it again.
        drop(recorded);
        is_alone.then_some(text)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        RECORDED.lock().recordings -= 1;
    }
}

/// Appends text. The text of one call is not split by that of others.
pub fn print(text: &[u8]) {
    let mut recorded = RECORDED.lock();
    if recorded.recordings == 1 && !recorded.are_mixed {
        recorded.text.extend_from_slice(text);
    }
    drop(recorded);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_that_overlap_have_no_text() {
        let first = Recording::begin();
        print(b"a");
        assert_eq!(first.finish().as_deref(), Some(&b"a"[..]));
        let (second, third) = (Recording::begin(), Recording::begin());
        print(b"b");
        assert_eq!(second.finish(), None);
        print(b"c");
        assert_eq!(third.finish(), None);
        print(b"d");
        let last = Recording::begin();
        assert_eq!(last.finish().as_deref(), Some(&b""[..]));
    }
}
