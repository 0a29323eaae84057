//! A command on its way through a queue: what it waits for, and what it does then.

use crate::command::Body;
use crate::context::termination;
use crate::error::Code;
use crate::event::{Event, ExecutionStatus, ProfilingPoint};
use crate::execution::callbacks;
use crate::time::command_work::CommandWork;
use fault_injection::Defect;
use host_exec::floating_point::in_default_environment;
use parking_lot::Mutex;
use std::borrow::Cow;
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
    /// User events of the wait list. The host program may release them before it sets
    /// their status; they stay until then (OpenCL 1.2, clReleaseEvent).
    user_events: Mutex<Vec<Arc<Event>>>,
}

impl Task {
    /// A task that waits for nothing but `all_known`.
    pub fn new(event: Arc<Event>, body: Body) -> Arc<Self> {
        Arc::new(Self {
            event,
            body: Mutex::new(Some(body)),
            missing: AtomicUsize::new(1),
            failed: AtomicBool::new(false),
            user_events: Mutex::default(),
        })
    }

    /// One event more to wait for.
    pub fn add_dependency(&self) {
        self.missing.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether it is the command of that event.
    pub fn ends(&self, event: &Event) -> bool {
        std::ptr::eq(self.event_pointer(), event)
    }

    /// Its event, to be compared with others.
    pub fn event_pointer(&self) -> *const Event {
        Arc::as_ptr(&self.event)
    }

    /// Keeps a user event that it waits for.
    pub fn keep(&self, user_event: Arc<Event>) {
        self.user_events.lock().push(user_event);
    }

    /// The command will not run but fail.
    pub fn fail(&self) {
        let failed = !fault_injection::is_active(Defect::IgnoredFailures);
        self.failed.store(failed, Ordering::Relaxed);
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
            self.user_events.lock().clear();
            self.event.measure(ProfilingPoint::Submit);
            self.event.advance(ExecutionStatus::Submitted);
            if let Some(queue) = self.event.queue() {
                queue.make_ready(Arc::clone(self));
            }
        }
    }

    /// Ends the event unless the command runs or has run: its context is terminated.
    pub fn terminate(&self) {
        let body = self.body.lock().take();
        if body.is_some() {
            drop(body);
            self.user_events.lock().clear();
            self.event.advance(termination::STATUS);
        }
    }

    /// Does it; the status that its event is to end with.
    pub fn run(&self) -> ExecutionStatus {
        let body = self.body.lock().take();
        if self.event.context().is_terminated() {
            return termination::STATUS;
        }
        if self.failed.load(Ordering::Relaxed) {
            return ExecutionStatus::Failed(Code::ExecStatusErrorForEventsInWaitList as i32);
        }
        self.event.measure(ProfilingPoint::Start);
        if let Some(time) = self.event.time() {
            time.begins();
        }
        self.event.advance(ExecutionStatus::Running);
        // A panic is a defect of ours; the queue goes on without that command.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            // The thread may be one of the host program's.
            in_default_environment(|| {
                body.map_or_else(|| Ok(CommandWork::default()), |body| body())
            })
        }));
        self.event.measure(ProfilingPoint::End);
        if let Some(time) = self.event.time() {
            time.has_run();
        }
        if self.event.context().is_terminated() {
            return termination::STATUS;
        }
        match outcome {
            Ok(Ok(spent)) => {
                if let Some(time) = self.event.time() {
                    time.spend(spent);
                }
                ExecutionStatus::Complete
            }
            Ok(Err(error)) => {
                log::warn!("{:?}: {error}", self.event.command_type());
                self.tell_context(error.sentence);
                ExecutionStatus::Failed(error.code as i32)
            }
            Err(_) => {
                log::error!("{:?}: internal error", self.event.command_type());
                self.tell_context("a command has failed: internal error".into());
                ExecutionStatus::Failed(Code::OutOfResources as i32)
            }
        }
    }

    /// Tells the callback of the context why the command has failed.
    fn tell_context(&self, sentence: Cow<'static, str>) {
        let context = Arc::clone(self.event.context());
        callbacks::call_later(move || context.notify(&sentence));
    }

    /// Ends the event with the status that `run` has given.
    pub fn end(&self, status: ExecutionStatus) {
        self.event.advance(status);
    }
}
