//! The event object: the status of a command, the commands and threads that wait for it, and its
//! callbacks.

use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::event::command_type::CommandType;
use crate::execution::callbacks;
use crate::execution::execution_status::ExecutionStatus;
use crate::execution::ready_queue::{self, CommandId, ReadyQueue};
use crate::handle_slot::{HandleSlot, HasHandle};
use crate::time::profiling_point::{ProfilingPoint, ProfilingTimes};
use crate::time::profiling_source::ProfilingSource;
use crate::time::simulated_command::{HostExecution, SimulatedCommand};
use crate::time::simulated_schedule;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::units::Nanoseconds;
use host_exec::process_lifecycle;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex, MutexGuard};
use smallvec::SmallVec;
use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Interval at which a waiting thread checks whether it can execute commands itself. It has to
/// if the system could start no worker thread.
const RECHECK: Duration = Duration::from_millis(100);

/// Host nanoseconds since the first use of the clock; never 0, which encodes unknown times.
fn host_time() -> Nanoseconds {
    static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);
    Nanoseconds(ORIGIN.elapsed().as_nanos() as u64 + 1)
}

/// A command's queue as far as events use it. Events keep it alive.
pub(crate) trait OwnerQueue: Any + Send + Sync {
    /// The queue's ready commands.
    fn ready_queue(&self) -> &Arc<ReadyQueue>;
    /// Whether the queue was created with `CL_QUEUE_PROFILING_ENABLE`.
    fn profiles(&self) -> bool;
}

/// A command that waits for events.
pub(crate) trait Dependent: Send + Sync {
    /// One of its events has ended; `failed` if the command has to fail with that event.
    fn dependency_ended(self: Arc<Self>, failed: bool);
}

type Callback = Box<dyn FnOnce(ExecutionStatus) + Send>;

#[derive(Default)]
struct Subscribers {
    /// Callbacks with the status that triggers each.
    callbacks: Vec<(ExecutionStatus, Callback)>,
    /// Triggered callbacks in order, with the status to pass.
    due: VecDeque<(ExecutionStatus, Callback)>,
    /// Whether a thread calls the due callbacks.
    notifying: bool,
    /// Commands that cannot start before this one has ended.
    dependents: Dependents,
}

/// The commands that wait for an event: usually one, the next command of an in-order queue.
type Dependents = SmallVec<[DependentCommand; 1]>;

struct DependentCommand {
    command: Arc<dyn Dependent>,
    /// Whether the event is in the command's wait list. Only then a failure propagates.
    in_wait_list: bool,
}

/// An event. Queries of its state never block on the command.
///
/// ```
/// use runtime::context::Context;
/// use runtime::device::platform::Platform;
/// use runtime::event::{Event, ExecutionStatus};
/// use std::sync::Arc;
///
/// let context = Context::new(vec![Arc::clone(&Platform::get().devices()[0])], None)?;
/// let event = Event::user(&context);
/// assert_eq!(event.status(), ExecutionStatus::Submitted);
/// event.set_user_status(ExecutionStatus::Complete)?;
/// assert_eq!(event.wait(), ExecutionStatus::Complete);
/// # Ok::<(), runtime::error::Error>(())
/// ```
pub struct Event {
    handle: HandleSlot,
    context: Arc<Context>,
    queue: Option<Arc<dyn OwnerQueue>>,
    command_type: CommandType,
    /// Written only while `subscribers` is locked.
    status: AtomicI32,
    subscribers: Mutex<Subscribers>,
    ended: Condvar,
    /// Times measured by the host's clock, nanoseconds.
    host_times: ProfilingTimes,
    /// The command in simulated time: from the beginning if it is timed, else as soon as a timed
    /// command waits for it.
    simulated: OnceLock<Arc<SimulatedCommand>>,
}

impl Event {
    fn new(
        context: &Arc<Context>,
        queue: Option<Arc<dyn OwnerQueue>>,
        command_type: CommandType,
        status: ExecutionStatus,
    ) -> Arc<Self> {
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            queue,
            command_type,
            status: AtomicI32::new(status.value()),
            subscribers: Mutex::default(),
            ended: Condvar::new(),
            host_times: ProfilingTimes::default(),
            simulated: OnceLock::new(),
        })
    }

    /// A user event, status SUBMITTED.
    pub fn user(context: &Arc<Context>) -> Arc<Self> {
        Self::new(context, None, CommandType::User, ExecutionStatus::Submitted)
    }

    /// The event of a command that is being enqueued; `simulated` if it is timed.
    pub(crate) fn of_command(
        context: &Arc<Context>,
        queue: Arc<dyn OwnerQueue>,
        command_type: CommandType,
        simulated: Option<Arc<SimulatedCommand>>,
    ) -> Arc<Self> {
        let event = Self::new(context, Some(queue), command_type, ExecutionStatus::Queued);
        if let Some(simulated) = simulated {
            let host = Arc::downgrade(&event);
            simulated.set_host(host);
            event.simulated.get_or_init(|| simulated);
        }
        event.measure(ProfilingPoint::Queued);
        event
    }

    /// Sets a user event's status: `Complete` or `Failed`.
    ///
    /// # Errors
    /// `InvalidEvent`: not a user event. `InvalidOperation`: the status was set before.
    pub fn set_user_status(self: &Arc<Self>, status: ExecutionStatus) -> Result<()> {
        if !self.is_user_event() {
            return Err(Error::new(Code::InvalidEvent, "it is no user event"));
        }
        if self.advance(status) {
            return Ok(());
        }
        Err(Error::new(
            Code::InvalidOperation,
            "the user event's status has been set before",
        ))
    }
    /// The current execution status.
    pub fn status(&self) -> ExecutionStatus {
        ExecutionStatus::from_value(self.status.load(Ordering::Acquire))
    }
    /// The type of its command.
    pub fn command_type(&self) -> CommandType {
        self.command_type
    }
    /// Whether the host program sets its status.
    pub(crate) fn is_user_event(&self) -> bool {
        self.command_type == CommandType::User
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Its command's queue; none for user events.
    pub(crate) fn owner_queue(&self) -> Option<&Arc<dyn OwnerQueue>> {
        self.queue.as_ref()
    }
    /// The identity of its command.
    pub(crate) fn command_id(&self) -> CommandId {
        CommandId::of_owner(self)
    }
    /// The status as the host program observes it: its simulated clock advances to the end of an
    /// ended command; if a co-simulator sets the clock, it is the status at that time.
    pub fn observe_status(&self) -> ExecutionStatus {
        let status = self.status_for_host();
        if status.has_ended() {
            self.observed_by_host();
        }
        status
    }
    /// A profiling counter, of the simulated machine or, with
    /// `MOCL3_PROFILING_TIME=host`, of the host. Blocks until earlier commands of other queues
    /// that share the machine's resources have executed.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: queue without profiling, not complete, or user event.
    pub fn profiling(&self, point: ProfilingPoint) -> Result<Nanoseconds> {
        if !self.is_complete_and_profiled() {
            return not_available("the queue does not profile, or the command is not complete");
        }
        if ProfilingSource::get() == ProfilingSource::Host {
            return Ok(self.host_times.get(point).unwrap_or(Nanoseconds::ZERO));
        }
        match self.simulated.get() {
            Some(simulated) if simulated_schedule::resolve(simulated) => {
                self.observed_by_host();
                Ok(simulated.at(point).unwrap_or(Nanoseconds(1)))
            }
            _ => not_available("the times are not known in a child of fork"),
        }
    }

    /// The report of a timed kernel launch.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: no kernel, not complete, or not timed.
    pub fn launch_report(&self) -> Result<&LaunchReport> {
        let simulated = self.simulated.get();
        let simulated = simulated.filter(|_| self.is_complete_and_profiled());
        // That of a task is known with its times.
        let known =
            simulated.filter(|one| one.report().is_some() || simulated_schedule::resolve(one));
        match known.and_then(|simulated| simulated.report()) {
            Some(report) => {
                self.observed_by_host();
                Ok(report.get())
            }
            None => not_available("it is no kernel, is not complete, or is not timed"),
        }
    }

    /// The time at which the command ends on the simulated machine, nanoseconds. Blocks until it has
    /// ended on the host.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: it is not timed, or depends on what the host program does next.
    pub fn simulated_end(&self) -> Result<u64> {
        let simulated = self.simulated.get();
        let known = simulated.filter(|command| simulated_schedule::resolve_ordered(command));
        match known.and_then(|command| command.end()) {
            Some(end) => Ok(end.0),
            None => not_available("the command is not timed, or depends on the host program"),
        }
    }

    /// The status, at the time of the host program's clock if a co-simulator sets it. Blocks then
    /// until the command has ended on the host, unless it depends on the host program.
    fn status_for_host(&self) -> ExecutionStatus {
        let Some(simulated) = self
            .simulated
            .get()
            .filter(|_| simulated_schedule::has_external_clock(self.context.node()))
        else {
            return self.status();
        };
        let end = self.simulated_end();
        let now = simulated_schedule::host_clock(simulated.node());
        match (end, now) {
            (Ok(end), Some(now)) if end <= now.0 => self.wait_for_end(),
            (Ok(_), Some(now)) => simulated.status_at(now),
            _ => self.status(),
        }
    }

    fn is_complete_and_profiled(&self) -> bool {
        self.status_for_host() == ExecutionStatus::Complete
            && self.queue.as_ref().is_some_and(|queue| queue.profiles())
    }

    /// Blocks the host program until the command has ended; returns its status.
    pub fn wait(&self) -> ExecutionStatus {
        let status = self.wait_for_end();
        self.observed_by_host();
        status
    }

    /// The host program observes that the command has ended.
    fn observed_by_host(&self) {
        if let Some(simulated) = self.simulated.get() {
            simulated_schedule::observed_by_host(simulated);
        }
    }

    /// Blocks until the command has ended; returns its status. The waiting thread executes
    /// commands of the queue meanwhile. Returns `InvalidOperation` at once if the command can end
    /// only after one that this thread is executing.
    pub(crate) fn wait_for_end(&self) -> ExecutionStatus {
        let ended = || self.status().has_ended();
        if ended() {
            return self.status();
        }
        if process_lifecycle::forked() {
            return ExecutionStatus::Failed(Code::OutOfResources as i32);
        }
        let ready = self.queue.as_ref().map(|queue| queue.ready_queue());
        if ready.is_some_and(|ready| ready.waits_for_itself(Some(self.command_id()))) {
            log::warn!("a native kernel waits for an event that ends after itself");
            return ExecutionStatus::Failed(Code::InvalidOperation as i32);
        }
        ready_queue::release_slot_while(|| {
            while !ended() {
                if let Some(ready) = ready {
                    ready.help_until(self.command_id(), &ended);
                }
                let mut subscribers = self.subscribers.lock();
                if !ended() {
                    self.ended.wait_for(&mut subscribers, RECHECK);
                }
            }
        });
        self.status()
    }

    /// Calls `callback` with the status once the command has reached `threshold` (it may have),
    /// or has failed. The callbacks of an event are called one after another by a thread that
    /// holds no locks: they may block.
    pub fn on_status(
        self: &Arc<Self>,
        threshold: ExecutionStatus,
        callback: Box<dyn FnOnce(ExecutionStatus) + Send>,
    ) {
        let mut subscribers = self.subscribers.lock();
        let status = self.status();
        if status.value() > threshold.value() {
            subscribers.callbacks.push((threshold, callback));
        } else {
            let passed = callback_status(status, threshold);
            subscribers.due.push_back((passed, callback));
            self.notify(subscribers);
        }
    }

    /// Has a worker thread call the due callbacks.
    fn notify(self: &Arc<Self>, mut subscribers: MutexGuard<'_, Subscribers>) {
        if subscribers.notifying || subscribers.due.is_empty() {
            return;
        }
        subscribers.notifying = true;
        drop(subscribers);
        let event = Arc::clone(self);
        callbacks::call_later(move || {
            loop {
                let mut subscribers = event.subscribers.lock();
                let Some((status, callback)) = subscribers.due.pop_front() else {
                    subscribers.notifying = false;
                    return;
                };
                drop(subscribers);
                if status.has_ended() {
                    event.observed_by_host();
                }
                callback(status);
            }
        });
    }

    /// Called when the host program releases its last reference to a user event.
    pub fn released(&self) {
        let waiting = self.subscribers.lock().dependents.len();
        if self.is_user_event() && waiting > 0 {
            log::warn!(
                "a user event is released before its status is set; {waiting} commands wait for it"
            );
        }
    }

    /// Sets the next status and notifies subscribers. False if the event has ended before.
    pub(crate) fn advance(self: &Arc<Self>, status: ExecutionStatus) -> bool {
        let mut subscribers = self.subscribers.lock();
        if self.status().has_ended() {
            return false;
        }
        // A thread that sees the end may query the times.
        if status.has_ended()
            && let Some(simulated) = self.simulated.get()
        {
            if self.is_user_event() {
                simulated_schedule::user_event_set(simulated);
            } else {
                simulated_schedule::ended(simulated, status.value());
            }
        }
        self.status.store(status.value(), Ordering::Release);
        subscribers.trigger(status);
        let dependents = if status.has_ended() {
            // After `fork`, the memory of waiting threads may be unmapped.
            if !process_lifecycle::forked() {
                self.ended.notify_all();
            }
            std::mem::take(&mut subscribers.dependents)
        } else {
            Dependents::new()
        };
        self.notify(subscribers);
        for dependent in dependents {
            let failed = status.has_failed() && dependent.in_wait_list;
            dependent.command.dependency_ended(failed);
        }
        true
    }

    /// Registers a command that waits for this event. Returns the status instead if the event has
    /// ended.
    pub(crate) fn add_dependent(
        &self,
        command: Arc<dyn Dependent>,
        in_wait_list: bool,
    ) -> Option<ExecutionStatus> {
        let mut subscribers = self.subscribers.lock();
        let status = self.status();
        if status.has_ended() {
            return Some(status);
        }
        subscribers.dependents.push(DependentCommand {
            command,
            in_wait_list,
        });
        None
    }

    /// The command in simulated time, if it is timed or a timed command waits for it.
    pub(crate) fn simulated(&self) -> Option<&Arc<SimulatedCommand>> {
        self.simulated.get()
    }

    /// The dependency of a timed command that waits for this event. None if the event has ended
    /// without being timed.
    pub(crate) fn simulated_dependency(&self) -> Option<Arc<SimulatedCommand>> {
        if let Some(simulated) = self.simulated.get() {
            return Some(Arc::clone(simulated));
        }
        // The lock keeps the event from ending meanwhile.
        let _subscribers = self.subscribers.lock();
        if self.status().has_ended() {
            return None;
        }
        let node = self.context.node();
        let simulated = self
            .simulated
            .get_or_init(|| SimulatedCommand::untimed(node));
        Some(Arc::clone(simulated))
    }

    /// Measures a host time, if the queue profiles by the host's clock.
    pub(crate) fn measure(&self, point: ProfilingPoint) {
        if ProfilingSource::get() == ProfilingSource::Host
            && self.queue.as_ref().is_some_and(|queue| queue.profiles())
        {
            self.host_times.set(point, host_time());
        }
    }
}

impl Subscribers {
    /// Makes the callbacks due that a new status triggers.
    fn trigger(&mut self, status: ExecutionStatus) {
        if self.callbacks.is_empty() {
            return;
        }
        let due;
        (due, self.callbacks) = std::mem::take(&mut self.callbacks)
            .into_iter()
            .partition(|(threshold, _)| status.value() <= threshold.value());
        let due = due
            .into_iter()
            .map(|(threshold, callback)| (callback_status(status, threshold), callback));
        self.due.extend(due);
    }
}

fn not_available<T>(sentence: &'static str) -> Result<T> {
    Err(Error::new(Code::ProfilingInfoNotAvailable, sentence))
}

/// The status that a callback receives: the one it was registered for, or the failure.
fn callback_status(status: ExecutionStatus, threshold: ExecutionStatus) -> ExecutionStatus {
    if status.has_failed() {
        status
    } else {
        threshold
    }
}

impl HostExecution for Event {
    fn wait_until_ended(&self) {
        self.wait_for_end();
    }
}

impl HasHandle for Event {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
