//! Events: the state of a command, who waits for it and who wants to be callback_status.

use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::execution::callbacks;
use crate::execution::ready_queue;
use crate::handle_slot::HandleSlot;
use crate::queue::CommandQueue;
use crate::queue::task::Task;
use crate::time::profiling_time::ProfilingTime;
use crate::time::simulated_command::{CommandKind, SimulatedCommand};
use crate::time::simulated_schedule;
use device_sim::timing::launch_report::LaunchReport;
use host_exec::process_lifecycle;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex, MutexGuard};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionStatus {
    /// 3
    Queued,
    /// 2
    Submitted,
    /// 1
    Running,
    /// 0
    Complete,
    /// The command, or one it depends on, failed with this negative code.
    Failed(i32),
}

impl ExecutionStatus {
    /// The value OpenCL has for it.
    pub fn value(self) -> i32 {
        match self {
            Self::Queued => 3,
            Self::Submitted => 2,
            Self::Running => 1,
            Self::Complete => 0,
            Self::Failed(code) => code,
        }
    }

    fn of(value: i32) -> Self {
        match value {
            3 => Self::Queued,
            2 => Self::Submitted,
            1 => Self::Running,
            0 => Self::Complete,
            code => Self::Failed(code),
        }
    }

    pub(crate) fn has_ended(self) -> bool {
        self.value() <= 0
    }
}

/// `CL_EVENT_COMMAND_TYPE` with OpenCL's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "named as in the specification")]
pub enum CommandType {
    NdRangeKernel = 0x11F0,
    Task = 0x11F1,
    NativeKernel = 0x11F2,
    ReadBuffer = 0x11F3,
    WriteBuffer = 0x11F4,
    CopyBuffer = 0x11F5,
    ReadImage = 0x11F6,
    WriteImage = 0x11F7,
    CopyImage = 0x11F8,
    CopyImageToBuffer = 0x11F9,
    CopyBufferToImage = 0x11FA,
    MapBuffer = 0x11FB,
    MapImage = 0x11FC,
    UnmapMemObject = 0x11FD,
    Marker = 0x11FE,
    ReadBufferRect = 0x1201,
    WriteBufferRect = 0x1202,
    CopyBufferRect = 0x1203,
    User = 0x1204,
    Barrier = 0x1205,
    MigrateMemObjects = 0x1206,
    FillBuffer = 0x1207,
    FillImage = 0x1208,
}

impl CommandType {
    /// OpenCL's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NdRangeKernel => "CL_COMMAND_NDRANGE_KERNEL",
            Self::Task => "CL_COMMAND_TASK",
            Self::NativeKernel => "CL_COMMAND_NATIVE_KERNEL",
            Self::ReadBuffer => "CL_COMMAND_READ_BUFFER",
            Self::WriteBuffer => "CL_COMMAND_WRITE_BUFFER",
            Self::CopyBuffer => "CL_COMMAND_COPY_BUFFER",
            Self::ReadImage => "CL_COMMAND_READ_IMAGE",
            Self::WriteImage => "CL_COMMAND_WRITE_IMAGE",
            Self::CopyImage => "CL_COMMAND_COPY_IMAGE",
            Self::CopyImageToBuffer => "CL_COMMAND_COPY_IMAGE_TO_BUFFER",
            Self::CopyBufferToImage => "CL_COMMAND_COPY_BUFFER_TO_IMAGE",
            Self::MapBuffer => "CL_COMMAND_MAP_BUFFER",
            Self::MapImage => "CL_COMMAND_MAP_IMAGE",
            Self::UnmapMemObject => "CL_COMMAND_UNMAP_MEM_OBJECT",
            Self::Marker => "CL_COMMAND_MARKER",
            Self::ReadBufferRect => "CL_COMMAND_READ_BUFFER_RECT",
            Self::WriteBufferRect => "CL_COMMAND_WRITE_BUFFER_RECT",
            Self::CopyBufferRect => "CL_COMMAND_COPY_BUFFER_RECT",
            Self::User => "CL_COMMAND_USER",
            Self::Barrier => "CL_COMMAND_BARRIER",
            Self::MigrateMemObjects => "CL_COMMAND_MIGRATE_MEM_OBJECTS",
            Self::FillBuffer => "CL_COMMAND_FILL_BUFFER",
            Self::FillImage => "CL_COMMAND_FILL_IMAGE",
        }
    }
}

/// The four `CL_PROFILING_COMMAND_*` counters, nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfilingPoint {
    /// Put into the queue.
    Queued,
    /// Handed to the device.
    Submit,
    /// Began.
    Start,
    /// Ended.
    End,
}

/// A waiting thread looks this often whether it can run a command itself: there is
/// nobody else if the system could start no worker for the queue.
const RECHECK: Duration = Duration::from_millis(100);

/// Host nanoseconds since the first use of the clock.
fn now() -> u64 {
    static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);
    // Never 0, which stands for "not yet".
    ORIGIN.elapsed().as_nanos() as u64 + 1
}

type Callback = Box<dyn FnOnce(ExecutionStatus) + Send>;

#[derive(Default)]
struct Subscribers {
    /// Those who want to be callback_status, with the status they wait for.
    callbacks: Vec<(ExecutionStatus, Callback)>,
    /// Those who are to be callback_status now, in this order, and what.
    due: VecDeque<(ExecutionStatus, Callback)>,
    /// A thread tells them.
    notifying: bool,
    /// Commands that cannot start before this one has ended.
    dependents: Dependents,
}

/// Mostly one, the next of an in-order queue.
type Dependents = SmallVec<[Dependent; 1]>;

struct Dependent {
    task: Arc<Task>,
    /// It fails if this one fails: this one is in its wait list, not just before it.
    in_wait_list: bool,
}

/// An event. Reading its state never waits for the command.
pub struct Event {
    handle: HandleSlot,
    context: Arc<Context>,
    queue: Option<Arc<CommandQueue>>,
    command_type: CommandType,
    /// Changed with `followers` locked only.
    status: AtomicI32,
    followers: Mutex<Subscribers>,
    ended: Condvar,
    /// Of the host, by `ProfilingPoint`; 0 if not measured.
    host_times: [AtomicU64; 4],
    /// On the simulated machine, if the command is timed; else as soon as a timed one waits
    /// for it.
    time: OnceLock<Arc<SimulatedCommand>>,
}

impl Event {
    fn new(
        context: &Arc<Context>,
        queue: Option<Arc<CommandQueue>>,
        command_type: CommandType,
        status: ExecutionStatus,
    ) -> Arc<Self> {
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            queue,
            command_type,
            status: AtomicI32::new(status.value()),
            followers: Mutex::default(),
            ended: Condvar::new(),
            host_times: Default::default(),
            time: OnceLock::new(),
        })
    }

    /// A user event, status SUBMITTED.
    pub fn user(context: &Arc<Context>) -> Arc<Self> {
        Self::new(context, None, CommandType::User, ExecutionStatus::Submitted)
    }

    /// The event of a command that has just been put into `queue`.
    pub(crate) fn of_command(queue: &Arc<CommandQueue>, command_type: CommandType) -> Arc<Self> {
        let event = Self::new(
            queue.context(),
            Some(Arc::clone(queue)),
            command_type,
            ExecutionStatus::Queued,
        );
        if queue.is_timed() {
            let kind = match command_type {
                CommandType::NativeKernel => CommandKind::Native,
                _ => CommandKind::Device,
            };
            let time = SimulatedCommand::of_command(kind, queue.device());
            time.set_event(&event);
            event.time.get_or_init(|| time);
        }
        event.measure(ProfilingPoint::Queued);
        event
    }

    /// Sets a user event's status: `Complete` or `Failed`.
    ///
    /// # Errors
    /// `InvalidEvent` if not a user event, `InvalidOperation` if set before.
    pub fn set_user_status(self: &Arc<Self>, status: ExecutionStatus) -> Result<()> {
        if self.command_type != CommandType::User {
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
    /// State now.
    pub fn status(&self) -> ExecutionStatus {
        ExecutionStatus::of(self.status.load(Ordering::Acquire))
    }
    /// What the command is.
    pub fn command_type(&self) -> CommandType {
        self.command_type
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Its queue; none for user events.
    pub fn queue(&self) -> Option<&Arc<CommandQueue>> {
        self.queue.as_ref()
    }
    /// The state, for the host program: its simulated clock goes on if the command has ended.
    pub fn status_for_program(&self) -> ExecutionStatus {
        let status = self.status();
        if status.has_ended() {
            self.observed_by_host();
        }
        status
    }
    /// A counter, of the simulated machine or, with `MOCL3_PROFILING_TIME=host`, of the host.
    /// Waits for commands of other queues that were before the command on the machine.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: queue without profiling, not complete, or user event.
    pub fn profiling(&self, point: ProfilingPoint) -> Result<u64> {
        let complete = self.status() == ExecutionStatus::Complete;
        if !complete || !self.queue.as_ref().is_some_and(|queue| queue.profiles()) {
            return not_available("the queue does not profile, or the command is not complete");
        }
        if ProfilingTime::get() == ProfilingTime::Host {
            return Ok(self.host_times[point as usize].load(Ordering::Acquire));
        }
        match self.time.get() {
            Some(time) if simulated_schedule::resolve(time) => {
                self.observed_by_host();
                Ok(time.at(point).unwrap_or(1))
            }
            _ => not_available("the times are not known in a child of fork"),
        }
    }
    /// The host program waits until the command has ended; how.
    pub fn wait(&self) -> ExecutionStatus {
        let status = self.wait_for_end();
        self.observed_by_host();
        status
    }
    /// The host program learns that the command has ended.
    fn observed_by_host(&self) {
        if let Some(time) = self.time.get() {
            simulated_schedule::observed_by_host(time);
        }
    }
    /// What a launch was like on the machine.
    ///
    /// # Errors
    /// `ProfilingInfoNotAvailable`: no kernel, not complete, or not timed.
    pub fn launch_report(&self) -> Result<&LaunchReport> {
        let complete = self.status() == ExecutionStatus::Complete;
        let profiles = self.queue.as_ref().is_some_and(|queue| queue.profiles());
        let report = self.time.get().and_then(|time| time.report());
        match report.filter(|_| complete && profiles) {
            Some(report) => {
                self.observed_by_host();
                Ok(report)
            }
            None => not_available("it is no kernel, is not complete, or is not timed"),
        }
    }
    /// Blocks until complete or failed (flushing what must be flushed) and returns that status.
    /// The waiting thread lends itself to the command's queue. `InvalidOperation` at once if the
    /// command can only end after one that the waiting thread is in the middle of.
    pub(crate) fn wait_for_end(&self) -> ExecutionStatus {
        let ended = || self.status().has_ended();
        if ended() {
            return self.status();
        }
        if process_lifecycle::forked() {
            return ExecutionStatus::Failed(Code::OutOfResources as i32);
        }
        let queue = self.queue.as_ref();
        if queue.is_some_and(|queue| queue.waits_for_itself(Some(self))) {
            log::warn!("a native kernel waits for an event that ends after itself");
            return ExecutionStatus::Failed(Code::InvalidOperation as i32);
        }
        ready_queue::release_slot_while(|| {
            while !ended() {
                if let Some(queue) = &self.queue {
                    queue.help_until(self);
                }
                let mut followers = self.followers.lock();
                if !ended() {
                    self.ended.wait_for(&mut followers, RECHECK);
                }
            }
        });
        self.status()
    }
    /// Calls `callback` with the status once the command has reached `threshold` (it may
    /// have), or failed. The callbacks of an event are called one after another, by a
    /// thread that holds nothing: they may block.
    pub fn on_status(
        self: &Arc<Self>,
        threshold: ExecutionStatus,
        callback: Box<dyn FnOnce(ExecutionStatus) + Send>,
    ) {
        let mut followers = self.followers.lock();
        let status = self.status();
        if status.value() > threshold.value() {
            followers.callbacks.push((threshold, callback));
        } else {
            followers
                .due
                .push_back((callback_status(status, threshold), callback));
            self.notify(followers);
        }
    }

    /// Has those callback_status who are due.
    fn notify(self: &Arc<Self>, mut followers: MutexGuard<'_, Subscribers>) {
        if followers.notifying || followers.due.is_empty() {
            return;
        }
        followers.notifying = true;
        drop(followers);
        let event = Arc::clone(self);
        callbacks::call_later(move || {
            loop {
                let mut followers = event.followers.lock();
                let Some((status, callback)) = followers.due.pop_front() else {
                    followers.notifying = false;
                    return;
                };
                drop(followers);
                if status.has_ended() {
                    event.observed_by_host();
                }
                callback(status);
            }
        });
    }

    /// The host program has released a user event.
    pub fn released(&self) {
        let waiting = self.followers.lock().dependents.len();
        if self.command_type == CommandType::User && waiting > 0 {
            log::warn!(
                "a user event is released before its status is set; {waiting} commands wait for it"
            );
        }
    }

    /// Takes the next status; false if the event has ended before. Tells followers.
    pub(crate) fn advance(self: &Arc<Self>, status: ExecutionStatus) -> bool {
        let mut followers = self.followers.lock();
        if self.status().has_ended() {
            return false;
        }
        // Who sees the end can ask for the times.
        if status.has_ended()
            && let Some(time) = self.time.get()
        {
            match self.command_type {
                CommandType::User => simulated_schedule::set(time),
                _ => simulated_schedule::ended(time, status.value()),
            }
        }
        self.status.store(status.value(), Ordering::Release);
        if !followers.callbacks.is_empty() {
            let all = std::mem::take(&mut followers.callbacks);
            let due;
            (due, followers.callbacks) = all
                .into_iter()
                .partition(|(threshold, _)| status.value() <= threshold.value());
            let due = due
                .into_iter()
                .map(|(threshold, callback)| (callback_status(status, threshold), callback));
            followers.due.extend(due);
        }
        let dependents = if status.has_ended() {
            // After `fork`, the memory of whoever waits may be gone.
            if !process_lifecycle::forked() {
                self.ended.notify_all();
            }
            std::mem::take(&mut followers.dependents)
        } else {
            Dependents::new()
        };
        self.notify(followers);
        let failed = matches!(status, ExecutionStatus::Failed(_));
        for dependent in dependents {
            dependent
                .task
                .dependency_ended(failed && dependent.in_wait_list);
        }
        true
    }

    /// Makes `task` wait for this event, unless it has ended.
    pub(crate) fn add_dependent(self: &Arc<Self>, task: &Arc<Task>, in_wait_list: bool) {
        let mut followers = self.followers.lock();
        let status = self.status();
        if status.has_ended() {
            if in_wait_list && matches!(status, ExecutionStatus::Failed(_)) {
                task.fail();
            }
            return;
        }
        task.add_dependency();
        if self.command_type == CommandType::User {
            task.keep(Arc::clone(self));
        }
        followers.dependents.push(Dependent {
            task: Arc::clone(task),
            in_wait_list,
        });
    }

    /// Its time on the simulated machine, if the command is timed.
    pub(crate) fn time(&self) -> Option<&Arc<SimulatedCommand>> {
        self.time.get()
    }

    /// What a timed command waits for that waits for this event. None if it has ended without
    /// being timed: that was before.
    pub(crate) fn time_to_wait_for(&self) -> Option<Arc<SimulatedCommand>> {
        if let Some(time) = self.time.get() {
            return Some(Arc::clone(time));
        }
        // It does not end meanwhile.
        let followers = self.followers.lock();
        if self.status().has_ended() {
            return None;
        }
        let time = self.time.get_or_init(SimulatedCommand::untimed);
        drop(followers);
        Some(Arc::clone(time))
    }

    /// Notes the host's time, if the queue profiles by it.
    pub(crate) fn measure(&self, point: ProfilingPoint) {
        if ProfilingTime::get() == ProfilingTime::Host
            && self.queue.as_ref().is_some_and(|queue| queue.profiles())
        {
            self.host_times[point as usize].store(now(), Ordering::Release);
        }
    }
}

fn not_available<T>(sentence: &'static str) -> Result<T> {
    Err(Error::new(Code::ProfilingInfoNotAvailable, sentence))
}

/// The status a callback is given: the one it asked for, or the failure.
fn callback_status(status: ExecutionStatus, threshold: ExecutionStatus) -> ExecutionStatus {
    match status {
        ExecutionStatus::Failed(_) => status,
        _ => threshold,
    }
}

impl crate::handle_slot::HasHandle for Event {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
