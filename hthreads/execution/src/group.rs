//! Groups of threads, as the host program sees them.

use crate::arithmetic::ArithmeticExceptions;
use crate::exception::Exception;
use crate::interrupts::HostHandler;
use crate::memory::array::ArrayMemory;
use device_sim::machine::Machine;
use device_sim::units::Nanoseconds;
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a group does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its threads have ended, or none has been started.
    Idle,
    /// Threads run.
    Running,
    /// A thread was stopped by an exception, the first one of the launch.
    Stopped(Exception),
}

/// An array of a group.
#[derive(Debug)]
pub struct Member {
    /// Its number in the cluster.
    pub core: u32,
    /// Its memories. Buffers in them last until the group is destroyed.
    pub memory: ArrayMemory,
}

/// Groups of a cluster in ids of groups, and cores at most (from the machine's headers). A machine file
/// may have fewer arrays.
pub const CORES: u32 = 24;

/// A group: arrays of one cluster, that run the same kernel.
#[derive(Debug)]
pub struct Group {
    /// Its id, `cluster * CORES + slot`.
    pub id: u32,
    /// The number of threads that the program requested; more than there are members if too few
    /// arrays were free.
    pub size: u32,
    /// Its arrays, by thread.
    pub members: Vec<Member>,
    state: Mutex<State>,
    changed: Condvar,
    /// The host program's function that interrupts of its threads call.
    handler: Mutex<Option<HostHandler>>,
    /// When the host learned of the end of the last launch, nanoseconds of simulated time.
    end: AtomicU64,
}

#[derive(Debug)]
struct State {
    status: Status,
    /// The number of the last launch.
    launch: u64,
    /// Started threads that have not ended.
    live: usize,
    /// Host threads that wait.
    waiting: usize,
    /// The last launch whose status the host program saw while it ran.
    seen_running: u64,
    /// Exceptions of arithmetic in the last launch, by thread.
    arithmetic: BTreeMap<u32, ArithmeticExceptions>,
}

impl Group {
    /// A group on arrays of `machine`, whose buffers in SM end at `sm_end`. `None` if the host has no memory
    /// for theirs.
    pub fn new(id: u32, size: u32, cores: &[u32], machine: &Machine, sm_end: u64) -> Option<Self> {
        let member = |core: &u32| {
            let memory = ArrayMemory::new(machine, sm_end)?;
            Some(Member {
                core: *core,
                memory,
            })
        };
        Some(Self {
            id,
            size,
            members: cores.iter().map(member).collect::<Option<_>>()?,
            state: Mutex::new(State {
                status: Status::Idle,
                launch: 0,
                live: 0,
                waiting: 0,
                seen_running: 0,
                arithmetic: BTreeMap::new(),
            }),
            changed: Condvar::new(),
            handler: Mutex::new(None),
            end: AtomicU64::new(0),
        })
    }

    /// The number of its cluster.
    pub fn cluster(&self) -> u32 {
        self.id / CORES
    }

    /// When the host learned of the end of the last launch; 0 without simulated time.
    pub fn end_time(&self) -> Nanoseconds {
        Nanoseconds(self.end.load(Ordering::Relaxed))
    }

    /// Sets when the host learns of the end of a launch.
    pub fn set_end_time(&self, time: Nanoseconds) {
        self.end.store(time.0, Ordering::Relaxed);
    }

    /// The host program's function for interrupts.
    pub fn handler(&self) -> Option<HostHandler> {
        *self.handler.lock()
    }

    /// Replaces that function; the one before.
    pub fn set_handler(&self, handler: Option<HostHandler>) -> Option<HostHandler> {
        std::mem::replace(&mut *self.handler.lock(), handler)
    }

    /// The mask of its arrays.
    pub fn cores(&self) -> u32 {
        let cores = self.members.iter();
        cores.fold(0, |mask, member| mask | 1 << member.core)
    }

    /// What it does.
    pub fn status(&self) -> Status {
        self.state.lock().status
    }

    /// What it does, for the host program, which may query it again until it does not run.
    pub(crate) fn observe_status(&self) -> Status {
        let mut state = self.state.lock();
        if state.status == Status::Running {
            state.seen_running = state.launch;
        }
        state.status
    }

    /// Whether a launch runs and a host thread waits for it.
    pub(crate) fn is_awaited(&self, launch: u64) -> bool {
        let state = self.state.lock();
        state.waiting > 0 && state.launch == launch && state.status == Status::Running
    }

    /// Whether a launch runs and the host program waits for it, or queries its status.
    pub(crate) fn is_observed(&self, launch: u64) -> bool {
        let state = self.state.lock();
        let is_seen = state.waiting > 0 || state.seen_running == launch;
        is_seen && state.launch == launch && state.status == Status::Running
    }

    /// Notes a launch: from now on the group runs. Its number; threads of earlier ones, which an
    /// exception of others has made part of the past, do not count any more.
    pub(crate) fn begin(&self) -> u64 {
        let mut state = self.state.lock();
        state.status = Status::Running;
        state.live = self.members.len();
        state.launch += 1;
        state.arithmetic.clear();
        state.launch
    }

    /// A thread of a launch ends, whose operations have raised these.
    pub(crate) fn note_arithmetic(&self, launch: u64, thread: u32, raised: ArithmeticExceptions) {
        let mut state = self.state.lock();
        if state.launch == launch && raised != ArithmeticExceptions::default() {
            state.arithmetic.insert(thread, raised);
        }
    }

    /// Takes the exceptions of arithmetic of the threads that have ended, by thread.
    pub fn take_arithmetic(&self) -> BTreeMap<u32, ArithmeticExceptions> {
        std::mem::take(&mut self.state.lock().arithmetic)
    }

    /// A thread of a launch has ended; whether it was the last one.
    pub(crate) fn end_thread(&self, launch: u64) -> bool {
        let mut state = self.state.lock();
        if state.launch != launch {
            return false;
        }
        state.live -= 1;
        state.live == 0
    }

    /// All threads of a launch have ended.
    pub(crate) fn complete(&self, launch: u64) {
        self.set(launch, Status::Idle);
    }

    /// An exception has stopped a thread; the first one of a launch counts.
    pub(crate) fn stop(&self, launch: u64, exception: Exception) {
        self.set(launch, Status::Stopped(exception));
    }

    fn set(&self, launch: u64, status: Status) {
        let mut state = self.state.lock();
        if state.launch == launch && state.status == Status::Running {
            state.status = status;
            self.changed.notify_all();
        }
    }

    /// Threads that the program requested and that no idle core was there for.
    pub(crate) fn missing(&self) -> usize {
        (self.size as usize).saturating_sub(self.members.len())
    }

    /// Waits until it does not run; `begin_wait` is called while it is known to be awaited.
    pub(crate) fn wait(&self, begin_wait: impl FnOnce()) -> Status {
        self.state.lock().waiting += 1;
        begin_wait();
        let mut state = self.state.lock();
        while state.status == Status::Running {
            self.changed.wait(&mut state);
        }
        state.waiting -= 1;
        state.status
    }
}
