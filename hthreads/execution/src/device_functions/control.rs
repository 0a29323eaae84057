//! The end of threads, delays, and volatile accesses.

use crate::device_thread::{Request, current};
use crate::exception::{Exception, Raised};
use std::time::{Duration, Instant};

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
    let delay = Duration::from_micros(microseconds);
    if let Some(end) = Instant::now().checked_add(delay) {
        current().ask(Request::Sleep(end));
    }
}

// Compiled code calls these around each volatile access of memory that others may access
// (`device_c::VOLATILE`).
pub extern "C" fn __ht_volatile() {
    current().ask(Request::Alone);
}

pub extern "C" fn __ht_end_volatile() {
    current().ask(Request::Together);
}
