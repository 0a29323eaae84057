//! The simulated times of a command, and what they follow from as long as they are not known.

use crate::device::Device;
use crate::event::{Event, ProfilingPoint};
use crate::recording::recorder::PendingRecord;
use crate::time::command_work::CommandWork;
use crate::time::host_clock::Nanoseconds;
use device_sim::timing::launch_report::LaunchReport;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// What a time belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandKind {
    /// A command that the device runs without the host program.
    Device,
    /// A native kernel, which may wait for what the host program does next.
    Native,
    /// Something that timed commands wait for and that is no timed command: a user event, or a
    /// command of another queue.
    Untimed,
}

/// Those that a command waits for.
pub(crate) type After = SmallVec<[Arc<SimulatedCommand>; 2]>;

/// The times of a command.
pub(crate) struct SimulatedCommand {
    pub kind: CommandKind,
    /// From 1 on in the order of enqueuing; 0 for what is no timed command.
    number: AtomicU64,
    /// Where it runs.
    device: Option<Arc<Device>>,
    event: OnceLock<Weak<Event>>,
    /// By `ProfilingPoint`; 0 while not known.
    times: [AtomicU64; 4],
    report: OnceLock<Arc<LaunchReport>>,
    /// `timeline` locks it, and whoever runs the command.
    pub state: Mutex<State>,
}

/// What is known before the times are.
#[derive(Default)]
pub(crate) struct State {
    /// It waits for nothing any more that only the host program can end: it has its place in the
    /// order of commands.
    pub ordered: bool,
    /// How many of those it waits for have no place yet.
    pub unordered: usize,
    /// Those that wait for it to have a place.
    pub followers: Vec<Arc<SimulatedCommand>>,
    /// Those whose ends its SUBMIT is not before. Let go when the times are known, so that
    /// nobody keeps all commands before it alive.
    pub after: After,
    /// It has ended on the host.
    pub ended: bool,
    /// What it did.
    pub spent: CommandWork,
    /// Its execution status then, as OpenCL has it.
    pub status: i32,
    /// What is recorded of it.
    pub record: Option<Box<PendingRecord>>,
}

impl SimulatedCommand {
    fn new(kind: CommandKind, device: Option<Arc<Device>>) -> Arc<Self> {
        Arc::new(Self {
            kind,
            number: AtomicU64::new(0),
            device,
            event: OnceLock::new(),
            times: Default::default(),
            report: OnceLock::new(),
            state: Mutex::default(),
        })
    }

    /// Of a command that is about to be put into a queue of the device.
    pub fn of_command(kind: CommandKind, device: &Arc<Device>) -> Arc<Self> {
        Self::new(kind, Some(Arc::clone(device)))
    }

    /// Of something else that a timed command waits for.
    pub fn untimed() -> Arc<Self> {
        Self::new(CommandKind::Untimed, None)
    }

    /// The event by whose end the command's end is known.
    pub fn set_event(&self, event: &Arc<Event>) {
        self.event.get_or_init(|| Arc::downgrade(event));
    }

    /// The event; none if it is gone.
    pub fn event(&self) -> Option<Arc<Event>> {
        self.event.get()?.upgrade()
    }

    pub fn device(&self) -> Option<&Arc<Device>> {
        self.device.as_ref()
    }

    pub fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    pub fn set_number(&self, number: u64) {
        self.number.store(number, Ordering::Relaxed);
    }

    /// A time; none while it is not known.
    pub fn at(&self, point: ProfilingPoint) -> Option<Nanoseconds> {
        match self.times[point as usize].load(Ordering::Acquire) {
            0 => None,
            time => Some(time),
        }
    }

    /// When it ended; none while that is not known.
    pub fn end(&self) -> Option<Nanoseconds> {
        self.at(ProfilingPoint::End)
    }

    pub fn set(&self, point: ProfilingPoint, time: Nanoseconds) {
        self.times[point as usize].store(time, Ordering::Release);
    }

    /// It begins to run on the host.
    pub fn begins(&self) {
        if let Some(record) = &mut self.state.lock().record {
            record.begins();
        }
    }

    /// It has run on the host.
    pub fn has_run(&self) {
        if let Some(record) = &mut self.state.lock().record {
            record.has_run();
        }
    }

    /// This is what the launch was like, once it has been run.
    pub fn report(&self) -> Option<&Arc<LaunchReport>> {
        self.report.get()
    }

    /// It has been run: this is what it did.
    pub fn spend(&self, spent: CommandWork) {
        if let Some(report) = &spent.report {
            self.report.get_or_init(|| Arc::clone(report));
        }
        self.state.lock().spent = spent;
    }
}
