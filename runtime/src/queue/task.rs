//! A command in a queue: its dependencies, its execution and the end of its event.

use crate::command::Body;
use crate::context::Terminable;
use crate::error::Code;
use crate::event::{Dependent, Event};
use crate::execution::callbacks;
use crate::execution::execution_status::ExecutionStatus;
use crate::execution::ready_queue::{CommandId, ReadyCommand, ReadyQueue};
use crate::fault;
use crate::time::command_work::CommandWork;
use crate::time::profiling_point::ProfilingPoint;
use host_exec::floating_point::in_default_environment;
use host_exec::process_lifecycle;
use parking_lot::Mutex;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The status of commands that end with their context.
const TERMINATED: ExecutionStatus = ExecutionStatus::Failed(Code::ContextTerminatedKhr as i32);

/// A command in a queue.
pub(crate) struct Task {
    event: Arc<Event>,
    body: Mutex<Option<Body>>,
    /// Number of dependencies that have not ended, plus one until all are registered.
    missing: AtomicUsize,
    /// Whether an event of the wait list has failed.
    failed: AtomicBool,
    /// User events of the wait list. The host program may release them before it sets their
    /// status; they are kept alive until then (OpenCL 1.2, `clReleaseEvent`).
    user_events: Mutex<Vec<Arc<Event>>>,
}

impl Task {
    /// A command that becomes ready after `all_dependencies_known` and the end of its
    /// dependencies.
    pub fn new(event: Arc<Event>, body: Body) -> Arc<Self> {
        Arc::new(Self {
            event,
            body: Mutex::new(Some(body)),
            missing: AtomicUsize::new(1),
            failed: AtomicBool::new(false),
            user_events: Mutex::default(),
        })
    }

    /// Adds a dependency. The command fails with the event if that is `in_wait_list`.
    pub fn wait_for(self: &Arc<Self>, event: &Arc<Event>, in_wait_list: bool) {
        self.missing.fetch_add(1, Ordering::Relaxed);
        let dependent: Arc<dyn Dependent> = self.clone();
        match event.add_dependent(dependent, in_wait_list) {
            Some(status) => {
                self.missing.fetch_sub(1, Ordering::Relaxed);
                if in_wait_list && status.has_failed() {
                    self.fail();
                }
            }
            None if event.is_user_event() => self.user_events.lock().push(Arc::clone(event)),
            None => {}
        }
    }

    /// Makes the command fail instead of executing.
    fn fail(&self) {
        self.failed
            .store(fault::failures_propagate(), Ordering::Relaxed);
    }

    /// Ends the registration of dependencies: the command is ready once all of them have ended. A
    /// short one executes on this thread if they have.
    pub fn all_dependencies_known(self: Arc<Self>, is_short: bool) {
        let add = match is_short {
            true => ReadyQueue::add_short,
            false => ReadyQueue::add,
        };
        self.count_down(add);
    }

    /// Counts a dependency that has ended. The end of the last one makes the command ready.
    fn count_down(self: Arc<Self>, add: fn(&Arc<ReadyQueue>, Arc<dyn ReadyCommand>)) {
        if self.missing.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        self.user_events.lock().clear();
        self.event.measure(ProfilingPoint::Submit);
        self.event.advance(ExecutionStatus::Submitted);
        // Threads do not survive a `fork`.
        if process_lifecycle::forked() {
            return;
        }
        let event = Arc::clone(&self.event);
        if let Some(queue) = event.owner_queue() {
            add(queue.ready_queue(), self);
        }
    }

    /// Executes the command; returns the status for its event.
    fn execute(&self) -> ExecutionStatus {
        let body = self.body.lock().take();
        if self.event.context().is_terminated() {
            return TERMINATED;
        }
        if self.failed.load(Ordering::Relaxed) {
            return ExecutionStatus::Failed(Code::ExecStatusErrorForEventsInWaitList as i32);
        }
        self.event.measure(ProfilingPoint::Start);
        if let Some(simulated) = self.event.simulated() {
            simulated.host_begins();
        }
        self.event.advance(ExecutionStatus::Running);
        // A panic is a defect of the runtime; the queue continues without the command.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            // The thread may belong to the host program.
            in_default_environment(|| {
                body.map_or_else(|| Ok(CommandWork::default()), |body| body())
            })
        }));
        self.event.measure(ProfilingPoint::End);
        if let Some(simulated) = self.event.simulated() {
            simulated.host_ends();
        }
        if self.event.context().is_terminated() {
            return TERMINATED;
        }
        match outcome {
            Ok(Ok(work)) => {
                if let Some(simulated) = self.event.simulated() {
                    simulated.set_work(work);
                }
                ExecutionStatus::Complete
            }
            Ok(Err(error)) => {
                log::warn!("{:?}: {error}", self.event.command_type());
                self.notify_context(error.sentence);
                ExecutionStatus::Failed(error.code as i32)
            }
            Err(_) => {
                log::error!("{:?}: internal error", self.event.command_type());
                self.notify_context("a command has failed: internal error".into());
                ExecutionStatus::Failed(Code::OutOfResources as i32)
            }
        }
    }

    /// Calls the context's error callback with the reason of a failure.
    fn notify_context(&self, sentence: Cow<'static, str>) {
        let context = Arc::clone(self.event.context());
        callbacks::call_later(move || context.notify(&sentence));
    }
}

impl Dependent for Task {
    fn dependency_ended(self: Arc<Self>, failed: bool) {
        if failed {
            self.fail();
        }
        self.count_down(ReadyQueue::add);
    }
}

impl ReadyCommand for Task {
    fn id(&self) -> CommandId {
        self.event.command_id()
    }

    fn run(&self) -> ExecutionStatus {
        self.execute()
    }

    fn end(&self, status: ExecutionStatus) {
        self.event.advance(status);
    }
}

impl Terminable for Task {
    fn terminate(&self) {
        let body = self.body.lock().take();
        if body.is_some() {
            drop(body);
            self.user_events.lock().clear();
            self.event.advance(TERMINATED);
        }
    }
}
