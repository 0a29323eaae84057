//! Interrupts from the host program, and to it.

use crate::device_thread::{Request, current};
use crate::interrupts::Handler;

/// The handler before, as a number; 0 if there was none.
pub extern "C" fn intr_handler_register(handler: Option<Handler>) -> u64 {
    let thread = current();
    let before = thread.interrupts.register(handler);
    // Those that came before there was a handler.
    thread.take_interrupts();
    before.map_or(0, |before| before as *const () as u64)
}

pub extern "C" fn cpu_interrupt(value: u64) {
    current().ask(Request::InterruptHost(value));
}

/// Lets the host library show that an interrupt has come.
pub extern "C" fn trigger_cpu(value: u64) {
    current().ask(Request::TestInterrupt(value));
}
