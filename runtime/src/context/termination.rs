//! The end of a context at its host program's wish (cl_khr_terminate_context): commands
//! that have not begun never do, launches stop between work-groups, and every event ends.

use crate::error::{Code, Error};
use crate::event::ExecutionStatus;
use crate::queue::task::Task;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// What the events of commands end with that the termination has ended.
pub(crate) const STATUS: ExecutionStatus =
    ExecutionStatus::Failed(Code::ContextTerminatedKhr as i32);

/// Of a context that may be terminated.
#[derive(Default)]
pub(crate) struct Termination {
    terminated: AtomicBool,
    /// Commands put into queues. Those that are gone have ended.
    tasks: Mutex<Vec<Weak<Task>>>,
}

/// The error of calls that a terminated context refuses.
pub(crate) fn refusal() -> Error {
    Error::new(
        Code::ContextTerminatedKhr,
        "the context has been terminated",
    )
}

impl Termination {
    /// Whether it has been terminated. Launches look at it between work-groups.
    pub fn flag(&self) -> &AtomicBool {
        &self.terminated
    }

    /// Whether it has been terminated.
    pub fn has_happened(&self) -> bool {
        self.terminated.load(Ordering::Relaxed)
    }

    /// A new command: it will be ended with the others, or is now.
    pub fn admit(&self, task: &Arc<Task>) {
        let mut tasks = self.tasks.lock();
        if self.has_happened() {
            drop(tasks);
            task.terminate();
            return;
        }
        if tasks.len() == tasks.capacity() {
            tasks.retain(|task| task.strong_count() > 0);
        }
        tasks.push(Arc::downgrade(task));
    }

    /// Ends all commands, but for those that run: they do so as soon as they can. False
    /// if it has happened before.
    pub fn terminate(&self) -> bool {
        let mut waiting = self.tasks.lock();
        if self.terminated.swap(true, Ordering::Relaxed) {
            return false;
        }
        let tasks = std::mem::take(&mut *waiting);
        drop(waiting);
        for task in tasks.iter().filter_map(Weak::upgrade) {
            task.terminate();
        }
        true
    }
}
