//! The simulated execution of a command: its times, and the state from which they are computed.

use crate::device::Device;
use crate::execution::execution_status::ExecutionStatus;
use crate::recording::command_record::PendingRecord;
use crate::time::command_work::CommandWork;
use crate::time::profiling_point::{ProfilingPoint, ProfilingTimes};
use device_sim::timing::pending_report::PendingReport;
use device_sim::units::Nanoseconds;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// The kind of a simulated command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandKind {
    /// Executes on the device, independently of the host program.
    Device,
    /// A native kernel, which may wait for what the host program does next.
    Native,
    /// A user event, or a command of a queue without timing, that timed commands wait for.
    Untimed,
}

/// The execution of a command on the host, on which its simulated times depend.
pub(crate) trait HostExecution: Send + Sync {
    /// Blocks until the command has ended on the host.
    fn wait_until_ended(&self);
}

/// Commands that another one waits for.
pub(crate) type Dependencies = SmallVec<[Arc<SimulatedCommand>; 2]>;

/// A command in simulated time.
pub(crate) struct SimulatedCommand {
    /// Decides when the command is ordered among others.
    pub kind: CommandKind,
    /// From 1 on in the order of enqueuing; 0 if untimed.
    number: AtomicU64,
    /// The node in whose simulated time it is.
    node: usize,
    /// The device that executes it; none if untimed.
    device: Option<Arc<Device>>,
    host: OnceLock<Weak<dyn HostExecution>>,
    times: ProfilingTimes,
    gave_up: AtomicBool,
    report: OnceLock<Arc<PendingReport>>,
    /// Locked by `simulated_schedule` and by the thread that executes the command.
    pub state: Mutex<State>,
}

/// The state of a command whose times are not known yet.
#[derive(Default)]
pub(crate) struct State {
    /// Whether the command no longer depends on the host program and is in the schedule's log.
    pub ordered: bool,
    /// Number of dependencies that are not ordered yet.
    pub unordered: usize,
    /// Commands that wait for this one to be ordered.
    pub followers: Vec<Arc<SimulatedCommand>>,
    /// Commands that end before this one's SUBMIT. Cleared when the times are known, so that
    /// earlier commands are not kept alive.
    pub dependencies: Dependencies,
    /// Whether the command has ended on the host.
    pub ended: bool,
    /// The work of the executed command.
    pub work: CommandWork,
    /// The execution status that it ended with.
    pub status: i32,
    /// The command's record, if the process is recorded.
    pub record: Option<PendingRecord>,
    /// The number of a task that the scheduler of its device has, and whose times are not known.
    pub task: Option<u64>,
    /// The place of a task in a chain.
    pub chain: Option<Box<ChainLink>>,
}

/// The place of a task in a chain.
pub(crate) struct ChainLink {
    /// The task before it.
    pub before: Option<Arc<SimulatedCommand>>,
    /// Whether the next task follows.
    pub is_followed: bool,
    /// The priority of the chain's tasks.
    pub priority: i32,
}

impl SimulatedCommand {
    fn new(kind: CommandKind, node: usize, device: Option<Arc<Device>>) -> Arc<Self> {
        Arc::new(Self {
            kind,
            number: AtomicU64::new(0),
            node,
            device,
            host: OnceLock::new(),
            times: ProfilingTimes::default(),
            gave_up: AtomicBool::new(false),
            report: OnceLock::new(),
            state: Mutex::default(),
        })
    }

    /// A command that is about to be enqueued on a queue of the device.
    pub fn timed(kind: CommandKind, device: &Arc<Device>) -> Arc<Self> {
        Self::new(kind, device.node(), Some(Arc::clone(device)))
    }

    /// An event without simulated times that a timed command of the node waits for.
    pub fn untimed(node: usize) -> Arc<Self> {
        Self::new(CommandKind::Untimed, node, None)
    }

    /// The task queue manager has given the task up.
    pub fn set_gave_up(&self) {
        self.gave_up.store(true, Ordering::Relaxed);
    }

    /// Whether the task queue manager has given the task up; known with its times.
    pub fn gave_up(&self) -> bool {
        self.gave_up.load(Ordering::Relaxed)
    }

    /// Connects it with its execution on the host.
    pub fn set_host(&self, host: Weak<dyn HostExecution>) {
        self.host.get_or_init(|| host);
    }

    /// Its execution on the host; none if its event has been dropped.
    pub fn host(&self) -> Option<Arc<dyn HostExecution>> {
        self.host.get()?.upgrade()
    }

    pub fn device(&self) -> Option<&Arc<Device>> {
        self.device.as_ref()
    }

    pub fn node(&self) -> usize {
        self.node
    }

    pub fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    pub fn set_number(&self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
    }

    /// A time; none while it is unknown.
    pub fn at(&self, point: ProfilingPoint) -> Option<Nanoseconds> {
        self.times.get(point)
    }

    /// The END time; none while it is unknown.
    pub fn end(&self) -> Option<Nanoseconds> {
        self.at(ProfilingPoint::End)
    }

    pub fn set(&self, point: ProfilingPoint, time: Nanoseconds) {
        self.times.set(point, time);
    }

    /// The status that it has at a time before its end, if its times are known.
    pub fn status_at(&self, now: Nanoseconds) -> ExecutionStatus {
        let is_past = |point| self.at(point).is_some_and(|time| time <= now);
        if is_past(ProfilingPoint::Start) {
            ExecutionStatus::Running
        } else if is_past(ProfilingPoint::Submit) {
            ExecutionStatus::Submitted
        } else {
            ExecutionStatus::Queued
        }
    }

    /// Execution on the host begins.
    pub fn host_begins(&self) {
        if let Some(record) = &mut self.state.lock().record {
            record.begin();
        }
    }

    /// Execution on the host has ended.
    pub fn host_ends(&self) {
        if let Some(record) = &mut self.state.lock().record {
            record.end();
        }
    }

    /// The report of a launch that has been executed, or of a task whose times are known.
    pub fn report(&self) -> Option<&Arc<PendingReport>> {
        self.report.get()
    }

    /// The same, if it is not known.
    pub fn unknown_report(&self) -> Option<&Arc<PendingReport>> {
        self.report().filter(|report| !report.is_known())
    }

    /// Stores the report of a launch.
    pub fn set_report(&self, report: &Arc<PendingReport>) {
        self.report.get_or_init(|| Arc::clone(report));
    }

    /// Stores the work of the command after its execution.
    pub fn set_work(&self, work: CommandWork) {
        if let Some(report) = &work.report {
            self.set_report(report);
        }
        self.state.lock().work = work;
    }
}
