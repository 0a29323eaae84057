//! The end of threads, delays, and volatile accesses.

use crate::check::Checking;
use crate::device_thread::{Request, current};
use crate::exception::{Details, Exception, Raised};
use std::time::Duration;

pub extern "C" fn dsp_abort(number: u32) {
    current().raise(Raised::new(Exception(number)));
}

pub extern "C" fn dsp_halt() {
    current().halt();
}

pub extern "C" fn dsp_sleep(microseconds: u64) {
    current().ask(Request::Sleep(Duration::from_micros(microseconds)));
}

/// Raises the exception of a misaligned access, before which compiled code has found it.
pub extern "C" fn __ht_misaligned(address: usize) {
    let thread = current();
    let misaligned = "addr misaligned";
    let (exception, details) = match thread.member().memory.am.bytes_from(address) {
        Some(_) => (Exception::AM_MISALIGNED, Details::Am(misaligned)),
        None => (Exception::SM_MISALIGNED, Details::Sm(misaligned)),
    };
    thread.raise(Raised {
        exception,
        address: address as u64,
        details: Some(details),
    });
}

// Compiled code calls these around each volatile access of memory that others may access
// (`device_c::VOLATILE`).
pub extern "C" fn __ht_volatile() {
    let thread = current();
    thread.ask(Request::Access);
    if let Some(checking) = Checking::of(thread) {
        checking.take_turn();
    }
}

pub extern "C" fn __ht_volatile_write(bits: u64) {
    __ht_volatile();
    current().note_write(bits);
}

pub extern "C" fn __ht_end_volatile() {
    current().ask(Request::Together);
}

/// Gives compiled code that is timed the counters of its thread.
pub extern "C" fn __ht_counters() -> *const std::cell::Cell<u64> {
    let progress = current().progress();
    progress.map_or(std::ptr::null(), |progress| progress.counters())
}
