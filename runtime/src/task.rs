//! A command on its way through a queue: what it waits for, and what it does then.

use crate::command::Body;
use crate::error::Code;
use crate::event::{Event, ExecutionStatus, ProfilingPoint};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A command in a queue.
pub(crate) struct Task {
    event: Arc<Event>,
    body: Mutex<Option<Body>>,
    /// Events that have not ended, and one more until all are known.
    missing: AtomicUsize,
    /// An event of the wait list has failed.
    failed: AtomicBool,
}

impl Task {
    /// A task that waits for nothing but `all_known`.
    pub fn new(event: Arc<Event>, body: Body) -> Arc<Self> {
        Arc::new(Self {
            event,
            body: Mutex::new(Some(body)),
            missing: AtomicUsize::new(1),
            failed: AtomicBool::new(false),
        })
    }

    /// One event more to wait for.
    pub fn add_dependency(&self) {
        self.missing.fetch_add(1, Ordering::Relaxed);
    }

    /// The command will not run but fail.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// No more events will be added.
    pub fn all_known(self: &Arc<Self>) {
        self.dependency_ended(false);
    }

    /// One of the events has ended. The last one makes the task ready.
    pub fn dependency_ended(self: &Arc<Self>, failed: bool) {
        if failed {
            self.fail();
        }
        if self.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.event.measure(ProfilingPoint::Submit);
            self.event.advance(ExecutionStatus::Submitted);
            if let Some(queue) = self.event.queue() {
                queue.make_ready(Arc::clone(self));
            }
        }
    }

    /// Does it, and ends the event.
    pub fn run(&self) {
        let body = self.body.lock().take();
        let Some(body) = body else { return };
        if self.failed.load(Ordering::Relaxed) {
            drop(body);
            let code = Code::ExecStatusErrorForEventsInWaitList;
            self.event.advance(ExecutionStatus::Failed(code as i32));
            return;
        }
        self.event.measure(ProfilingPoint::Start);
        self.event.advance(ExecutionStatus::Running);
        // A panic is a defect of ours; the queue goes on without that command.
        let outcome = catch_unwind(AssertUnwindSafe(body));
        self.event.measure(ProfilingPoint::End);
        let status = match outcome {
            Ok(Ok(())) => ExecutionStatus::Complete,
            Ok(Err(error)) => {
                log::warn!("{:?}: {error}", self.event.command_type());
                self.event.context().notify(&error.sentence);
                ExecutionStatus::Failed(error.code as i32)
            }
            Err(_) => {
                log::error!("{:?}: internal error", self.event.command_type());
                ExecutionStatus::Failed(Code::OutOfResources as i32)
            }
        };
        self.event.advance(status);
    }
}
