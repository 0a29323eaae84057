//! Interrupts between the host program and threads.
//!
//! A thread takes an interrupt of the host when it makes its next request, or while it waits at a barrier
//! or for a lock, or sleeps without simulated time: its handler runs on the thread's own stack, and the
//! wait continues afterwards. Handlers are not interrupted themselves.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// Numbers that the host program may send (from the machine's headers).
pub const NUMBERS: RangeInclusive<u64> = 16..=59;

/// A function of device code that interrupts of the host call with their number.
pub type Handler = unsafe extern "C" fn(number: i32);

/// A function of the host program that interrupts of threads call, with the thread's number and what it
/// passes.
pub type HostHandler = unsafe extern "C" fn(thread: i32, value: u64);

/// The function of device code that registers a handler. Images that call it expect interrupts.
pub const REGISTER: &str = "intr_handler_register";

/// The interrupts of a thread.
#[derive(Debug, Default)]
pub struct Interrupts {
    handler: Cell<Option<Handler>>,
    /// Those that it has not taken.
    pending: RefCell<VecDeque<u32>>,
    is_handling: Cell<bool>,
    /// Whether it was resumed although its wait is not over.
    wait_is_interrupted: Cell<bool>,
    taken: Cell<u64>,
}

impl Interrupts {
    /// An interrupt arrives, while the thread is suspended.
    pub fn arrive(&self, number: u32) {
        self.pending.borrow_mut().push_back(number);
    }

    /// Whether the thread is to be resumed in a wait, since it has interrupts to take.
    pub fn interrupt_wait(&self) -> bool {
        let can_take = self.handler.get().is_some() && !self.is_handling.get();
        let is_interrupted = can_take && !self.pending.borrow().is_empty();
        self.wait_is_interrupted.set(is_interrupted);
        is_interrupted
    }

    /// Replaces the handler; the one before.
    pub fn register(&self, handler: Option<Handler>) -> Option<Handler> {
        self.handler.replace(handler)
    }

    /// How many it has taken.
    pub fn taken(&self) -> u64 {
        self.taken.get()
    }

    /// The numbers of those that it has not taken.
    pub fn pending(&self) -> Vec<u32> {
        self.pending.borrow().iter().copied().collect()
    }

    /// Calls the handler for the first one that is pending, unless a handler runs; false if there is nothing
    /// to do.
    pub fn handle(&self) -> bool {
        if self.is_handling.get() {
            return false;
        }
        let Some(handler) = self.handler.get() else {
            return false;
        };
        // Suspended threads hold nothing: the borrow ends here.
        let next = self.pending.borrow_mut().pop_front();
        let Some(number) = next else {
            return false;
        };
        self.is_handling.set(true);
        self.taken.set(self.taken.get() + 1);
        // SAFETY: device code has registered it with this type, and its image is loaded while the
        // thread exists.
        unsafe { handler(number as i32) };
        self.is_handling.set(false);
        true
    }

    /// Whether the thread was resumed although its wait is not over; once for each time.
    pub fn take_interrupted_wait(&self) -> bool {
        self.wait_is_interrupted.take()
    }
}
