//! Termination of a context (cl_khr_terminate_context): commands that have not begun never
//! execute, launches stop between work-groups, and every event ends.

use crate::error::{Code, Error};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// A command that ends with its context.
pub(crate) trait Terminable: Send + Sync {
    /// Ends the command unless it executes or has ended.
    fn terminate(&self);
}

/// The termination of a context created with `CL_CONTEXT_TERMINATE_KHR`.
#[derive(Default)]
pub(crate) struct Termination {
    terminated: AtomicBool,
    /// Enqueued commands; dropped ones have ended.
    commands: Mutex<Vec<Weak<dyn Terminable>>>,
}

/// The error of calls on a terminated context.
pub(crate) fn refusal() -> Error {
    Error::new(
        Code::ContextTerminatedKhr,
        "the context has been terminated",
    )
}

impl Termination {
    /// Set when the context is terminated; launches poll it between work-groups.
    pub fn flag(&self) -> &AtomicBool {
        &self.terminated
    }

    /// Whether the context has been terminated.
    pub fn has_happened(&self) -> bool {
        self.terminated.load(Ordering::Relaxed)
    }

    /// Registers a new command; ends it at once if the context has been terminated.
    pub fn register(&self, command: &Arc<impl Terminable + 'static>) {
        let mut commands = self.commands.lock();
        if self.has_happened() {
            drop(commands);
            command.terminate();
            return;
        }
        if commands.len() == commands.capacity() {
            commands.retain(|command| command.strong_count() > 0);
            // Room for as many as are left, so that the next pruning is not soon.
            let left = commands.len();
            commands.reserve(left);
        }
        let command = Arc::downgrade(command);
        commands.push(command);
    }

    /// Ends all commands except executing ones, which stop as soon as they can. False if the
    /// context was terminated before.
    pub fn terminate(&self) -> bool {
        let mut commands = self.commands.lock();
        if self.terminated.swap(true, Ordering::Relaxed) {
            return false;
        }
        let ended = std::mem::take(&mut *commands);
        drop(commands);
        for command in ended.iter().filter_map(Weak::upgrade) {
            command.terminate();
        }
        true
    }
}
