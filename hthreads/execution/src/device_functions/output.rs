//! Text, and the time of day.

use crate::device_thread::current;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::LazyLock;
use std::time::Instant;

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes text to the standard output of the host program, through its C library.
///
/// # Safety
/// The text ends in NUL.
pub unsafe extern "C" fn __ht_print(text: *const c_char) {
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    current().alone(|| {
        // SAFETY: the C library's own stream; `text` is a slice. A closed stream is no error of
        // the kernel.
        unsafe {
            libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stdout);
            libc::fflush(stdout);
        }
    });
}

/// Reports an assertion that does not hold, and stops the thread.
///
/// # Safety
/// The texts end in NUL.
pub unsafe extern "C" fn __ht_assert_failed(
    condition: *const c_char,
    file: *const c_char,
    line: c_int,
) {
    let thread = current();
    let text = |text: *const c_char| {
        // SAFETY: as the caller promises.
        unsafe { CStr::from_ptr(text) }.to_string_lossy()
    };
    thread.alone(|| {
        let (group, number) = (thread.group.id, thread.number);
        eprintln!(
            "{}:{line}: Group {group}-Thread {number}: Assertion `{}' failed.",
            text(file),
            text(condition)
        );
    });
    super::control::dsp_abort(crate::exception::Exception::INVALID_OPERATION.0);
}

/// # Safety
/// `time` can be written.
pub unsafe extern "C" fn hthread_gettimeofday(time: *mut libc::timeval) {
    // SAFETY: as the caller promises.
    unsafe { libc::gettimeofday(time, std::ptr::null_mut()) };
}

/// Cycles of the machine's clock in the time that has passed on the host.
pub extern "C" fn get_clk() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanoseconds = START.elapsed().as_nanos();
    let hertz = u128::from(current().clock.hertz());
    (nanoseconds * hertz / 1_000_000_000) as u64
}
