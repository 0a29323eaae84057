//! Text, and the time of day.

use crate::device_thread::{Request, current};
use crate::host_output;
use device_sim::units::Cycles;
use std::ffi::{CStr, c_char, c_int};
use std::sync::LazyLock;
use std::time::Instant;

/// Writes text to the standard output of the host program, through its C library.
///
/// # Safety
/// The text ends in NUL.
pub unsafe extern "C" fn __ht_print(text: *const c_char) {
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    current().alone(|| host_output::write(text));
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

/// In simulated time, since the host program opened its first cluster.
///
/// # Safety
/// `time` can be written.
pub unsafe extern "C" fn hthread_gettimeofday(time: *mut libc::timeval) {
    let thread = current();
    if thread.progress.is_some() {
        let cycles = Cycles(thread.ask(Request::Clock));
        let microseconds = thread.machine.clock().nanoseconds(cycles).0 / 1000;
        let now = libc::timeval {
            tv_sec: (microseconds / 1_000_000) as libc::time_t,
            tv_usec: (microseconds % 1_000_000) as libc::suseconds_t,
        };
        // SAFETY: as the caller promises.
        unsafe { time.write(now) };
        return;
    }
    thread.clock_reads.update(|reads| reads + 1);
    // SAFETY: as the caller promises.
    unsafe { libc::gettimeofday(time, std::ptr::null_mut()) };
}

/// Cycles of simulated time; without it, of the machine's clock in the time that has passed on the host.
pub extern "C" fn get_clk() -> u64 {
    let thread = current();
    if thread.progress.is_some() {
        return thread.ask(Request::Clock);
    }
    thread.clock_reads.update(|reads| reads + 1);
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let nanoseconds = START.elapsed().as_nanos();
    let hertz = u128::from(thread.machine.clock().hertz());
    (nanoseconds * hertz / 1_000_000_000) as u64
}
