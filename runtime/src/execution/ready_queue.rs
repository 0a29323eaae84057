//! The commands of a queue whose dependencies have ended, and the threads that execute them:
//! workers, at most one at a time for an in-order queue. A thread that waits for a command
//! executes the queue's ready commands itself meanwhile, which saves short commands two context
//! switches.

use crate::execution::execution_status::ExecutionStatus;
use crate::execution::worker_pool::{self, Job};
use host_exec::stack;
use parking_lot::{Mutex, MutexGuard};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::null;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A waiting thread spins this long before it blocks: about as long as waking it takes.
const SPIN: Duration = Duration::from_micros(10);

/// A worker leaves a ready command this long to a thread that may come to wait for it. More
/// commands gather meanwhile: two threads that add and remove single commands concurrently are
/// slower than one.
const HANDOFF_DELAY: Duration = Duration::from_micros(3);

/// An idle worker spins this long for more commands, so that the host program's next command
/// need not wake it.
const IDLE_SPIN: Duration = Duration::from_micros(20);

/// Bytes of stack that a waiting thread must have left to execute commands itself: kernels may
/// call library functions with large frames.
const MIN_STACK: usize = 256 << 10;

/// Identifies a command among all commands that exist at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommandId(usize);

impl CommandId {
    /// The identity of the command that owns `object`.
    pub fn of_owner<T>(object: &T) -> Self {
        Self(std::ptr::from_ref(object).addr())
    }
}

/// A command that can be executed.
pub(crate) trait ReadyCommand: Send + Sync {
    /// Identifies it to threads that wait for it.
    fn id(&self) -> CommandId;
    /// Executes it and returns the status that it ends with.
    fn run(&self) -> ExecutionStatus;
    /// Publishes the status, which may make dependent commands ready.
    fn end(&self, status: ExecutionStatus);
}

/// The ready commands of a queue. Threads that execute them may outlive the queue.
pub(crate) struct ReadyQueue {
    /// Most commands that execute at the same time.
    max_concurrent: usize,
    state: Mutex<State>,
    progress: Progress,
}

/// The queue's progress, for the idle worker that polls it. Written only while `state` is locked.
/// It has cache lines of its own: polling the lines of `state` and of the `Arc`'s counts would
/// slow the threads that enqueue.
#[derive(Default)]
#[repr(align(128))]
struct Progress {
    /// Ready commands that no thread has taken.
    waiting: AtomicUsize,
    /// Commands taken so far, modulo 2^64.
    taken: AtomicUsize,
}

impl Progress {
    fn set_waiting(&self, count: usize) {
        self.waiting.store(count, Ordering::Relaxed);
    }

    fn has_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    fn count_taken(&self) {
        self.taken
            .store(self.taken().wrapping_add(1), Ordering::Relaxed);
    }

    fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

#[derive(Default)]
struct State {
    commands: VecDeque<Arc<dyn ReadyCommand>>,
    /// Threads that execute commands of this queue.
    running: usize,
    /// Workers that have been requested and have not arrived yet, or that poll.
    called: usize,
    /// Whether a worker polls `progress`.
    polled: bool,
}

impl ReadyQueue {
    /// An empty queue that executes up to `max_concurrent` commands at the same time.
    pub fn new(max_concurrent: usize) -> Arc<Self> {
        Arc::new(Self {
            max_concurrent,
            state: Mutex::default(),
            progress: Progress::default(),
        })
    }

    /// Adds a command whose dependencies have all ended.
    pub fn add(self: &Arc<Self>, command: Arc<dyn ReadyCommand>) {
        let mut state = self.state.lock();
        state.commands.push_back(command);
        self.progress.set_waiting(state.commands.len());
        if state.commands.len() > 1 || !thread_is_ending_command_of(self) {
            self.call_worker(state);
        }
    }

    /// As `add`, for a command that takes less time than handing it to another thread: executes it
    /// on this thread, unless that is executing another command or has little stack left.
    pub fn add_short(self: &Arc<Self>, command: Arc<dyn ReadyCommand>) {
        let state = self.state.lock();
        let is_next = state.commands.is_empty() && state.running < self.max_concurrent;
        if is_next && !thread_runs_commands() && stack::remaining() >= MIN_STACK {
            self.execute(state, command, None, &|| true);
        } else {
            drop(state);
            self.add(command);
        }
    }

    /// Executes ready commands on this thread until `done`, which says that the command
    /// `awaited` has ended. Returns earlier if there has been nothing to execute for `SPIN`.
    ///
    /// An out-of-order queue executes only the awaited command here: an unrelated one may take
    /// long, or depend on what the host program does next.
    pub fn help_until(self: &Arc<Self>, awaited: CommandId, done: &dyn Fn() -> bool) {
        let wanted = (!self.is_in_order()).then_some(awaited);
        let mut idle_since = None;
        while !done() {
            if self.run(wanted, done) {
                idle_since = None;
                continue;
            }
            let since = *idle_since.get_or_insert_with(Instant::now);
            if since.elapsed() > SPIN {
                return;
            }
            std::hint::spin_loop();
        }
    }

    fn is_in_order(&self) -> bool {
        self.max_concurrent == 1
    }

    /// Takes the next command, or only the wanted one.
    fn take(&self, state: &mut State, wanted: Option<CommandId>) -> Option<Arc<dyn ReadyCommand>> {
        let command = match wanted {
            None => state.commands.pop_front(),
            Some(id) => {
                let position = state
                    .commands
                    .iter()
                    .position(|command| command.id() == id)?;
                state.commands.remove(position)
            }
        };
        self.progress.set_waiting(state.commands.len());
        self.progress.count_taken();
        command
    }

    /// Executes ready commands, or only the wanted one, until there are none or `done`. False if
    /// it executed none.
    fn run(self: &Arc<Self>, wanted: Option<CommandId>, done: &dyn Fn() -> bool) -> bool {
        let state = self.state.lock();
        // Some threads of the host program have too little stack for kernels. Without workers
        // they execute them nevertheless.
        let workers_come = state.running + state.called > 0;
        if workers_come && stack::remaining() < MIN_STACK {
            return false;
        }
        self.run_from(state, wanted, done)
    }

    fn run_from<'a>(
        self: &'a Arc<Self>,
        mut state: MutexGuard<'a, State>,
        wanted: Option<CommandId>,
        done: &dyn Fn() -> bool,
    ) -> bool {
        if state.running >= self.max_concurrent {
            return false;
        }
        let Some(command) = self.take(&mut state, wanted) else {
            return false;
        };
        self.execute(state, command, wanted, done);
        true
    }

    /// Executes a command that has been taken, and then further ones as `run` does.
    fn execute<'a>(
        self: &'a Arc<Self>,
        mut state: MutexGuard<'a, State>,
        mut command: Arc<dyn ReadyCommand>,
        wanted: Option<CommandId>,
        done: &dyn Fn() -> bool,
    ) {
        state.running += 1;
        let outer_queue = RUNNING_QUEUE.replace(Some(Arc::clone(self)));
        let frame = Frame {
            queue: Arc::as_ptr(self),
            command: Cell::new(command.id()),
            outer: INNERMOST_FRAME.get(),
        };
        INNERMOST_FRAME.set(&raw const frame);
        loop {
            drop(state);
            frame.command.set(command.id());
            let status = command.run();
            ENDING_QUEUE.set(Arc::as_ptr(self));
            command.end(status);
            ENDING_QUEUE.set(null());
            // Dropping the last reference to a queue locks `state`.
            drop(command);
            let stop = done();
            state = self.state.lock();
            if stop {
                break;
            }
            match self.take(&mut state, wanted) {
                Some(next) => command = next,
                None => break,
            }
        }
        state.running -= 1;
        self.call_worker(state);
        INNERMOST_FRAME.set(frame.outer);
        RUNNING_QUEUE.set(outer_queue);
    }

    /// Whether waiting for `command`, or for all commands of the queue if none is given, would
    /// deadlock: it can end only after a command that this thread is executing.
    pub fn waits_for_itself(self: &Arc<Self>, command: Option<CommandId>) -> bool {
        let mut frame = INNERMOST_FRAME.get();
        // A host program that leaves a native kernel by `siglongjmp` leaves dangling frames below
        // the stack pointer. Stacks grow downwards.
        let here = 0_u8;
        if frame.addr() < (&raw const here).addr() {
            return false;
        }
        // SAFETY: frames live on this thread's stack as long as they are linked.
        while let Some(running) = unsafe { frame.as_ref() } {
            if running.queue == Arc::as_ptr(self)
                && (self.is_in_order() || command.is_none_or(|id| running.command.get() == id))
            {
                return true;
            }
            frame = running.outer;
        }
        false
    }

    /// The work of a requested worker: executes commands that no waiting thread takes, until
    /// there have been none for a while.
    fn serve(self: &Arc<Self>) {
        let mut state = self.state.lock();
        let polls = !state.polled;
        state.polled = true;
        while !polls || self.poll(&mut state) {
            state.called -= 1;
            self.run_from(state, None, &|| false);
            if !polls {
                return;
            }
            state = self.state.lock();
            if state.running + state.called >= self.max_concurrent {
                state.polled = false;
                return;
            }
            state.called += 1;
        }
        state.called -= 1;
        state.polled = false;
    }

    /// Waits until other threads have left ready commands alone for `HANDOFF_DELAY`. False if
    /// there were none for `IDLE_SPIN`.
    fn poll(&self, state: &mut MutexGuard<'_, State>) -> bool {
        MutexGuard::unlocked(state, || {
            let mut since = Instant::now();
            let sample = || (self.progress.has_waiting(), self.progress.taken());
            let mut before = sample();
            loop {
                let (waiting, taken) = sample();
                if (waiting, taken) != before {
                    before = (waiting, taken);
                    since = Instant::now();
                }
                if since.elapsed() > if waiting { HANDOFF_DELAY } else { IDLE_SPIN } {
                    break;
                }
                std::hint::spin_loop();
            }
        });
        !state.commands.is_empty()
    }

    /// Requests a worker if there is a command for it.
    fn call_worker(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let coming = state.running + state.called;
        if coming < self.max_concurrent && state.called < state.commands.len() {
            state.called += 1;
            drop(state);
            worker_pool::start(Box::new(WorkerRequest(Arc::clone(self))));
        }
    }
}

thread_local! {
    /// The queue whose command this thread executes.
    static RUNNING_QUEUE: RefCell<Option<Arc<ReadyQueue>>> = const { RefCell::new(None) };
    /// The commands that this thread executes, the innermost first: a native kernel that waits
    /// executes other commands.
    static INNERMOST_FRAME: Cell<*const Frame> = const { Cell::new(null()) };
    /// The queue one of whose commands this thread is ending: it takes the next one itself.
    static ENDING_QUEUE: Cell<*const ReadyQueue> = const { Cell::new(null()) };
}

/// One `ReadyQueue::run_from` on this thread's stack.
struct Frame {
    queue: *const ReadyQueue,
    /// The command that is executing.
    command: Cell<CommandId>,
    /// The frame of the command that called this one's queue.
    outer: *const Frame,
}

/// Whether this thread is executing a command.
pub(crate) fn thread_runs_commands() -> bool {
    // No thread executes commands while its thread-local storage is destroyed.
    RUNNING_QUEUE
        .try_with(|queue| queue.borrow().is_some())
        .unwrap_or(false)
}

fn thread_is_ending_command_of(queue: &Arc<ReadyQueue>) -> bool {
    ENDING_QUEUE
        .try_with(|ending| ending.get() == Arc::as_ptr(queue))
        .unwrap_or(false)
}

/// Calls `wait`, which blocks. If a command (a native kernel) does so, it does not count among
/// its queue's executing commands meanwhile: the command that it waits for may need the slot.
pub(crate) fn release_slot_while<R>(wait: impl FnOnce() -> R) -> R {
    let released = RUNNING_QUEUE.try_with(RefCell::take).ok().flatten();
    if let Some(queue) = &released {
        let mut state = queue.state.lock();
        state.running -= 1;
        queue.call_worker(state);
    }
    let result = wait();
    if let Some(queue) = released {
        queue.state.lock().running += 1;
        RUNNING_QUEUE.set(Some(queue));
    }
    result
}

/// The request for a worker that executes the queue's commands.
struct WorkerRequest(Arc<ReadyQueue>);

impl Job for WorkerRequest {
    fn run(self: Box<Self>) {
        self.0.serve();
    }
    // Threads that wait for the commands execute them.
    fn refused(self: Box<Self>) {
        self.0.state.lock().called -= 1;
    }
}
