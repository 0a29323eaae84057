//! The end of threads, delays, and volatile accesses.

use crate::check::Checking;
use crate::device_thread::{Request, current};
use crate::exception::{Exception, Raised};
use std::time::Duration;

pub extern "C" fn dsp_abort(number: u32) {
    current().raise(Raised::new(Exception(number)));
}

pub extern "C" fn dsp_halt() {
    let thread = current();
    loop {
        thread.ask(Request::Halt);
    }
}

pub extern "C" fn dsp_sleep(microseconds: u64) {
    current().ask(Request::Sleep(Duration::from_micros(microseconds)));
}

// Compiled code calls these around each volatile access of memory that others may access
// (`device_c::VOLATILE`).
pub extern "C" fn __ht_volatile() {
    let thread = current();
    thread.ask(Request::Alone);
    if let Some(checking) = Checking::of(thread) {
        checking.take_turn();
    }
}

pub extern "C" fn __ht_end_volatile() {
    current().ask(Request::Together);
}

/// Gives compiled code that is timed the counters of its thread.
pub extern "C" fn __ht_counters() -> *const std::cell::Cell<u64> {
    let progress = current().progress();
    progress.map_or(std::ptr::null(), |progress| progress.counters())
}
