//! A cluster: what the host program asks of it, and the thread that runs its scheduler.

use super::deadlock;
use super::hold::Hold;
use super::round::Rounds;
use super::running::{self, Running, State};
use super::serving::{self, Server, StoppedLaunch, Threads};
use super::standstill::{Found, Standstill};
use super::timed_launch::{TimedLaunch, Timing};
use crate::arithmetic::Arithmetic;
use crate::assembly::DataCache;
use crate::check::{CheckedLaunch, Checker, Races};
use crate::device_functions::ALL_LANES;
use crate::device_thread::DeviceThread;
use crate::exception::{Exception, Raised};
use crate::faults;
use crate::faults::interruption::Interruption;
use crate::group::{CORES, Group, Status};
use crate::host_name::host_name;
use crate::host_service::HostService;
use crate::interrupts::{self, Interrupts};
use crate::memory::shared::ClusterMemory;
use crate::progress::{KernelTiming, Progress};
use crate::stacks::Stacks;
use crate::synchronisation::{ThreadNumber, Units};
use corosensei::stack::Stack;
use device_sim::machine::Machine;
use device_sim::timing::engine::live::LiveCluster;
use device_sim::units::Cycles;
use host_exec::threads;
use kernel_compiler::device_c::{DeviceCode, Entry, MAX_ARGUMENTS};
use parking_lot::{Condvar, Mutex};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A kernel to start on all threads of a group.
pub struct Launch {
    /// The group.
    pub group: Arc<Group>,
    /// The image.
    pub code: Arc<DeviceCode>,
    /// The kernel, which is in the image.
    pub entry: Entry,
    /// Its arguments.
    pub arguments: [u64; MAX_ARGUMENTS],
    /// What it needs if it has simulated time.
    pub timing: Option<Timing>,
    /// What it needs if its code is checked.
    pub checked: Option<CheckedLaunch>,
}

/// An interrupt of a thread.
pub struct Interrupt {
    /// The group.
    pub group: Arc<Group>,
    /// The thread's number.
    pub thread: u32,
    /// The interrupt's number.
    pub number: u32,
    /// When it arrives, if the program has simulated time.
    pub time: Option<Cycles>,
}

/// How long threads may take to their next request when their cluster closes, before they are interrupted.
const PATIENCE: Duration = Duration::from_secs(1);

/// After what time they are interrupted again.
const INTERRUPTION: Duration = Duration::from_millis(10);

/// What the host program requests, in this order.
enum Order {
    /// With its number.
    Launch(Box<Launch>, u64),
    Interrupt(Interrupt),
}

/// A cluster whose threads run.
pub struct Cluster {
    number: u32,
    inbox: Arc<Inbox>,
}

/// What the host program has requested and the scheduler has not seen.
#[derive(Default)]
struct Inbox {
    state: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Default)]
struct Pending {
    orders: Vec<Order>,
    closes: bool,
    is_closed: bool,
}

impl Cluster {
    /// Starts the scheduler of cluster `number`, which calls `host` for interrupts of the host program.
    ///
    /// # Errors
    /// The host starts no thread.
    pub fn start(number: u32, machine: &'static Machine, host: HostService) -> io::Result<Self> {
        faults::install();
        let inbox = Arc::new(Inbox::default());
        let hbsm = ClusterMemory::new(machine.memory.hbsm.size.value);
        let scheduler = Scheduler {
            number,
            inbox: Arc::clone(&inbox),
            threads: Threads::new(),
            next_thread: 0,
            units: Units::new(),
            rounds: Rounds::default(),
            hbsm: Arc::new(hbsm),
            machine,
            launches: BTreeMap::new(),
            simulation: LiveCluster::new(machine),
            stopped: Vec::new(),
            next_launch: 0,
            hold: Hold::default(),
            standstill: Standstill::default(),
            host,
        };
        threads::start(&format!("hthread-{number}"), None, move || scheduler.run())?;
        Ok(Self { number, inbox })
    }

    /// Starts a kernel. Threads that are left of a stopped launch of the group are gone.
    pub fn launch(&self, launch: Launch) {
        let number = launch.group.begin();
        self.order(Order::Launch(Box::new(launch), number));
    }

    /// Interrupts a thread.
    pub fn interrupt(&self, interrupt: Interrupt) {
        self.order(Order::Interrupt(interrupt));
    }

    fn order(&self, order: Order) {
        self.inbox.state.lock().orders.push(order);
        self.inbox.changed.notify_one();
    }

    /// Waits until a group does not run.
    pub fn wait(&self, group: &Group) -> Status {
        // The scheduler looks for deadlocks of groups that are awaited.
        group.wait(|| self.wake())
    }

    /// What a group does, for the host program.
    pub fn status(&self, group: &Group) -> Status {
        let status = group.observe_status();
        if status == Status::Running {
            self.wake();
        }
        status
    }

    fn wake(&self) {
        let _state = self.inbox.state.lock();
        self.inbox.changed.notify_one();
    }
}

impl Drop for Cluster {
    /// Ends all threads, after their next request, or soon if they make none.
    fn drop(&mut self) {
        let mut state = self.inbox.state.lock();
        state.closes = true;
        self.inbox.changed.notify_one();
        let mut limit = Instant::now() + PATIENCE;
        let mut interruption = None;
        while !state.is_closed {
            if self.inbox.changed.wait_until(&mut state, limit).timed_out() {
                interruption
                    .get_or_insert_with(|| Interruption::begin(self.number))
                    .interrupt();
                limit = Instant::now() + INTERRUPTION;
            }
        }
    }
}

/// The scheduler of a cluster.
struct Scheduler {
    number: u32,
    inbox: Arc<Inbox>,
    threads: Threads,
    next_thread: ThreadNumber,
    units: Units,
    rounds: Rounds,
    hbsm: Arc<ClusterMemory>,
    machine: &'static Machine,
    /// Launches in simulated time, by their numbers.
    launches: BTreeMap<u64, TimedLaunch>,
    /// What their arrays do.
    simulation: LiveCluster<'static>,
    /// Launches that have been stopped in this round.
    stopped: Vec<StoppedLaunch>,
    next_launch: u64,
    hold: Hold,
    standstill: Standstill,
    host: HostService,
}

// SAFETY: threads are suspended when the scheduler moves, and hold nothing of a host thread.
unsafe impl Send for Scheduler {}

impl Scheduler {
    fn run(mut self) {
        loop {
            serving::notify_host(&mut self.stopped);
            // Before orders are accepted: those that the program gave before it waited are among them.
            let is_observed = self.launches.values().any(TimedLaunch::is_observed);
            if !self.accept() {
                break;
            }
            self.wake();
            let is_held = self.hold.begin(!is_observed && self.may_be_disturbed());
            let mut server = self.server();
            server.is_held = is_held;
            let advanced = server.advance();
            if server.has_notified_host {
                // It may have sent interrupts.
                continue;
            }
            let earliest = self.earliest().filter(|_| !is_held);
            let all = self.threads.values_mut();
            let ready: Vec<_> = all.filter(|one| one.runs_next(earliest)).collect();
            if !ready.is_empty() {
                self.rounds.run(ready);
                self.server().take_steps();
                self.server().serve_all();
                self.find_standstill();
            } else if self.threads.values().any(Running::is_served) {
                self.server().serve_all();
            } else if !advanced {
                self.idle(is_held);
            }
        }
        self.threads.clear();
        self.inbox.state.lock().is_closed = true;
        self.inbox.changed.notify_all();
    }

    /// When the first thread continues in simulated time.
    fn earliest(&self) -> Option<Cycles> {
        let all = self.threads.values();
        let ready = all.filter(|one| one.timed.is_some() && one.state == State::Ready);
        ready.map(|one| one.resumes_at).min()
    }

    /// Whether what the host program does next may change what launches in simulated time do: it can interrupt
    /// threads, or start others.
    fn may_be_disturbed(&self) -> bool {
        let launches = self.launches.values();
        let busy: usize = launches.map(|launch| launch.places().len()).sum();
        let mut launches = self.launches.values();
        busy > 0
            && (busy < self.machine.clusters.arrays.value.min(CORES.into()) as usize
                || launches.any(|launch| launch.expects_interrupts))
    }

    /// Starts what the host program requests; false if the cluster closes.
    fn accept(&mut self) -> bool {
        let mut pending = self.inbox.state.lock();
        let orders = std::mem::take(&mut pending.orders);
        let closes = pending.closes;
        drop(pending);
        for order in orders {
            match order {
                Order::Launch(launch, number) => self.start(*launch, number),
                Order::Interrupt(interrupt) => self.interrupt(&interrupt),
            }
            self.hold.renew();
            self.standstill = Standstill::default();
        }
        !closes
    }

    fn interrupt(&mut self, interrupt: &Interrupt) {
        let Interrupt {
            group,
            thread,
            number,
            time,
        } = interrupt;
        self.server().send(group, *thread, *number, *time);
    }

    fn start(&mut self, mut launch: Launch, launch_number: u64) {
        let of_group = |running: &Running| Arc::ptr_eq(&running.thread.group, &launch.group);
        let left = self.threads.iter().filter(|(_, running)| of_group(running));
        let left: Vec<ThreadNumber> = left.map(|(number, _)| *number).collect();
        for number in left {
            self.units.forget(number);
            self.threads.remove(&number);
        }
        let kernel = launch
            .timing
            .as_ref()
            .map(|timing| Arc::clone(&timing.kernel));
        let timed = launch.timing.take().map(|timing| {
            let simulation = &mut self.simulation;
            let mut timed = TimedLaunch::new(timing, &launch.group, launch_number, simulation);
            timed.expects_interrupts = launch.code.calls(interrupts::REGISTER);
            self.next_launch += 1;
            self.launches.insert(self.next_launch, timed);
            self.next_launch
        });
        let members = launch.group.members.len();
        let checked = launch.checked.as_ref();
        let races = checked
            .filter(|checked| checked.checks.races)
            .map(|_| Arc::new(Mutex::new(Races::new(members))));
        for number in 0u32.. {
            if number as usize >= members {
                break;
            }
            let checker = launch.checked.clone();
            let checker = checker.map(|checked| Checker::new(checked, races.clone()));
            match self.thread(&launch, launch_number, number, kernel.as_ref(), checker) {
                Ok(mut running) => {
                    running.timed = timed;
                    running.resumes_at = self.simulation.now();
                    self.threads.insert(self.next_thread, running);
                    self.next_thread += 1;
                }
                Err(error) => {
                    log::error!("thread {number} is not started: {error}");
                    let barrier = Some(Exception::BARRIER);
                    match timed {
                        Some(id) => self.server().end_launch(id, barrier),
                        None => self.server().notify(&launch.group, launch_number, barrier),
                    }
                }
            }
        }
    }

    fn thread(
        &self,
        launch: &Launch,
        launch_number: u64,
        number: u32,
        kernel: Option<&Arc<KernelTiming>>,
        checker: Option<Checker>,
    ) -> io::Result<Running> {
        let stack = running::stack()?;
        let thread = Box::new(DeviceThread {
            number,
            group: Arc::clone(&launch.group),
            launch: launch_number,
            stack: stack.limit().get()..stack.base().get(),
            frames: Cell::default(),
            clock_reads: Cell::default(),
            written: Cell::default(),
            notes_calls: Cell::default(),
            stacks: Stacks::new(self.machine),
            channels: RefCell::default(),
            exchange: Cell::default(),
            lane_mask: Cell::new(ALL_LANES),
            interrupts: Interrupts::default(),
            arithmetic: Arithmetic::default(),
            events: Cell::default(),
            is_transferring: Cell::default(),
            is_accessing: Cell::default(),
            activations: RefCell::default(),
            data_cache: RefCell::new(DataCache::new(self.machine)),
            calls: RefCell::default(),
            hbsm: Arc::clone(&self.hbsm),
            machine: self.machine,
            code: Arc::clone(&launch.code),
            progress: kernel.map(|kernel| RefCell::new(Progress::new(Arc::clone(kernel)))),
            checker,
            suspender: Cell::new(std::ptr::null()),
        });
        let code = Arc::clone(&launch.code);
        let (entry, arguments) = (launch.entry, launch.arguments);
        Ok(Running::new(thread, stack, code, entry, arguments))
    }

    fn server(&mut self) -> Server<'_> {
        Server {
            cluster: self.number,
            threads: &mut self.threads,
            units: &mut self.units,
            launches: &mut self.launches,
            simulation: &mut self.simulation,
            stopped: &mut self.stopped,
            now: None,
            clock: self.machine.clock(),
            host: &self.host,
            has_notified_host: false,
            is_held: false,
        }
    }

    /// Lets threads continue whose time has come.
    fn wake(&mut self) {
        let now = Instant::now();
        for running in self.threads.values_mut() {
            if matches!(running.state, State::Until(time) if time <= now) {
                running.state = State::Ready;
            }
        }
    }

    /// No thread can continue, or simulated time is held: waits for the host program or for a time, or resolves a deadlock.
    fn idle(&mut self, is_held: bool) {
        let inbox = Arc::clone(&self.inbox);
        let mut pending = inbox.state.lock();
        if pending.closes || !pending.orders.is_empty() {
            return;
        }
        if is_held && self.launches.values().any(TimedLaunch::is_observed) {
            return;
        }
        let times = self.threads.values().filter_map(|one| match one.state {
            State::Until(time) => Some(time),
            _ => None,
        });
        let held = is_held.then(|| self.hold.end()).flatten();
        if let Some(time) = times.chain(held).min() {
            self.inbox.changed.wait_until(&mut pending, time);
        } else if self.threads.values().any(is_awaited) {
            drop(pending);
            self.resolve_deadlock();
        } else {
            self.inbox.changed.wait(&mut pending);
        }
    }

    /// Resolves a deadlock of threads that busy-wait.
    fn find_standstill(&mut self) {
        match self.standstill.note(self.threads.values()) {
            Found::Nothing => {}
            Found::Suspicion => {
                let polling = |one: &&mut Running| one.polls.is_cycle();
                for running in self.threads.values_mut().filter(polling) {
                    running.thread.notes_calls.set(true);
                    running.polls.renew();
                }
            }
            Found::Deadlock if self.threads.values().any(is_awaited) => {
                self.standstill = Standstill::default();
                self.resolve_deadlock();
            }
            Found::Deadlock => {}
        }
    }

    /// Ends the first wait that has a limit. If there is none, reports what threads wait for, and
    /// stops those of awaited groups.
    fn resolve_deadlock(&mut self) {
        let limited = self
            .threads
            .iter()
            .find(|(_, running)| matches!(running.state, State::AtBarrier { limit: Some(_), .. }));
        if let Some(number) = limited.map(|(number, _)| *number) {
            let raised = Raised::new(Exception::BARRIER);
            self.server().stop(number, &raised);
            return;
        }
        let host = host_name();
        eprintln!("{host}: Cluster {}: no thread can continue:", self.number);
        for line in deadlock::describe(self.threads.values(), &mut self.units) {
            eprintln!("  {line}");
        }
        let stuck = self.threads.iter().filter(|(_, one)| is_awaited(one));
        let stuck: Vec<ThreadNumber> = stuck.map(|(number, _)| *number).collect();
        for number in stuck {
            self.units.forget(number);
            if let Some(running) = self.threads.remove(&number) {
                let mut server = self.server();
                server.add_totals(&running);
                server.end_or_notify(&running.thread, Some(Exception::BARRIER));
            }
        }
    }
}

/// Whether the host program waits for the launch of a thread.
fn is_awaited(running: &Running) -> bool {
    running.thread.group.is_awaited(running.thread.launch)
}
