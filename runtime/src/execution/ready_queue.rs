//! The commands of a queue that could run now, and who runs them: workers, one command of
//! an in-order queue at a time, several of an out-of-order queue. Threads that wait for a
//! command run the queue's ready commands themselves meanwhile, which spares short commands
//! two changes of thread.

use crate::event::Event;
use crate::execution::worker_pool::{self, Job};
use crate::queue::task::Task;
use host_exec::stack;
use parking_lot::{Mutex, MutexGuard};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::null;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a waiting thread looks again before it sleeps: about as long as waking
/// it up would take.
const SPIN: Duration = Duration::from_micros(10);

/// A worker leaves a command so long to a thread that may come to wait for it, and meanwhile
/// lets more of them gather: two threads that put in and take out single commands at the
/// same time are slower than one.
const HANDOFF_DELAY: Duration = Duration::from_micros(3);

/// A worker with nothing more to do looks so long whether more commands come: the host
/// program's next one should not have to wake it up.
const IDLE_SPIN: Duration = Duration::from_micros(20);

/// Bytes of stack that a waiting thread needs left to run commands itself: kernels may
/// call library functions with large frames.
const MIN_STACK: usize = 256 << 10;

/// The commands that could run now, and how many do. Threads that run them may outlive
/// the queue.
pub(crate) struct ReadyQueue {
    /// Commands that may run at the same time.
    most: usize,
    state: Mutex<ReadyState>,
    watched: Watched,
}

/// For a worker that watches. Changed with `state` locked only. In cache lines of its own: the
/// worker reads it all the time, and would take those of `state` and of the `Arc`'s counts away
/// from the threads that launch.
#[derive(Default)]
#[repr(align(128))]
struct Watched {
    /// How many commands there are.
    waiting: AtomicUsize,
    /// How many have been taken so far.
    taken: AtomicUsize,
}

impl Watched {
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
struct ReadyState {
    tasks: VecDeque<Arc<Task>>,
    /// Threads that run commands of this queue.
    running: usize,
    /// Workers that have been called and are not here yet, or watch.
    called: usize,
    /// A worker watches.
    watched: bool,
}

impl ReadyQueue {
    /// Of a queue that runs `most` commands at the same time.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            state: Mutex::default(),
            watched: Watched::default(),
        })
    }

    /// A command waits for nothing any more.
    pub fn add(self: &Arc<Self>, task: Arc<Task>) {
        let mut state = self.state.lock();
        state.tasks.push_back(task);
        self.watched.set_waiting(state.tasks.len());
        if state.tasks.len() > 1 || !is_ending_a_command_of(self) {
            self.call_worker(state);
        }
    }

    /// Lends this thread to the queue until `event` has ended or there is nothing for it to
    /// do; then watches for a short while whether the event ends.
    ///
    /// It runs no command that could be unrelated: that may last, or wait for what the host
    /// program does next.
    pub fn help_until(self: &Arc<Self>, event: &Event) {
        let wanted = (self.most > 1).then_some(event);
        let done = || event.status().has_ended();
        let mut watching_since = None;
        while !done() {
            if self.run(wanted, &done) {
                watching_since = None;
                continue;
            }
            let since = *watching_since.get_or_insert_with(Instant::now);
            if since.elapsed() > SPIN {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Takes the next command, or only that of an event.
    fn take(&self, state: &mut ReadyState, wanted: Option<&Event>) -> Option<Arc<Task>> {
        let task = match wanted {
            None => state.tasks.pop_front(),
            Some(event) => {
                let place = state.tasks.iter().position(|task| task.ends(event))?;
                state.tasks.remove(place)
            }
        };
        self.watched.set_waiting(state.tasks.len());
        self.watched.count_taken();
        task
    }

    /// Runs ready commands (or only the wanted event's) until there are none or `done`.
    /// False if it ran none.
    fn run(self: &Arc<Self>, wanted: Option<&Event>, done: &dyn Fn() -> bool) -> bool {
        let state = self.state.lock();
        // Kernels need more stack than some threads of the host program have; where there are
        // no workers they have to do with it.
        let workers_come = state.running + state.called > 0;
        if workers_come && stack::remaining() < MIN_STACK {
            return false;
        }
        self.run_from(state, wanted, done)
    }

    fn run_from<'a>(
        self: &'a Arc<Self>,
        mut state: MutexGuard<'a, ReadyState>,
        wanted: Option<&Event>,
        done: &dyn Fn() -> bool,
    ) -> bool {
        if state.running >= self.most {
            return false;
        }
        let Some(mut task) = self.take(&mut state, wanted) else {
            return false;
        };
        state.running += 1;
        let outer = RUNS.replace(Some(Arc::clone(self)));
        let frame = Frame {
            ready: Arc::as_ptr(self),
            event: Cell::new(null()),
            outer: INNERMOST.get(),
        };
        INNERMOST.set(&raw const frame);
        loop {
            drop(state);
            frame.event.set(task.event_pointer());
            let status = task.run();
            ENDS.set(Arc::as_ptr(self));
            task.end(status);
            ENDS.set(null());
            // Dropping the last reference to a queue locks `state`.
            drop(task);
            let stop = done();
            state = self.state.lock();
            if stop {
                break;
            }
            match self.take(&mut state, wanted) {
                Some(next) => task = next,
                None => break,
            }
        }
        state.running -= 1;
        self.call_worker(state);
        INNERMOST.set(frame.outer);
        RUNS.set(outer);
        true
    }

    /// Whether `event`, or without one some command of the queue, can only end after this thread
    /// has returned from a command that it is in the middle of: to wait for it would last for ever.
    pub fn waits_for_itself(self: &Arc<Self>, event: Option<&Event>) -> bool {
        let mut frame = INNERMOST.get();
        // A host program that leaves a kernel by `siglongjmp` leaves frames that are gone. Stacks
        // grow downwards.
        let here = 0_u8;
        if frame.addr() < (&raw const here).addr() {
            return false;
        }
        // SAFETY: frames live on this thread's stack as long as they are linked.
        while let Some(running) = unsafe { frame.as_ref() } {
            if running.ready == Arc::as_ptr(self) {
                let in_order = self.most == 1;
                if in_order || event.is_none_or(|event| running.event.get() == event) {
                    return true;
                }
            }
            frame = running.outer;
        }
        false
    }

    /// What a worker does that has been called: runs commands that nobody else takes, until
    /// there have been none for a while.
    fn serve(self: &Arc<Self>) {
        let mut state = self.state.lock();
        let watches = !state.watched;
        state.watched = true;
        while !watches || self.watch(&mut state) {
            state.called -= 1;
            self.run_from(state, None, &|| false);
            if !watches {
                return;
            }
            state = self.state.lock();
            if state.running + state.called >= self.most {
                state.watched = false;
                return;
            }
            state.called += 1;
        }
        state.called -= 1;
        state.watched = false;
    }

    /// Waits until nobody has taken ready commands for a while. False if for a while there
    /// were none.
    fn watch(&self, state: &mut MutexGuard<'_, ReadyState>) -> bool {
        MutexGuard::unlocked(state, || {
            let mut since = Instant::now();
            let seen = || (self.watched.has_waiting(), self.watched.taken());
            let mut before = seen();
            loop {
                let (some, taken) = seen();
                if (some, taken) != before {
                    before = (some, taken);
                    since = Instant::now();
                }
                if since.elapsed() > if some { HANDOFF_DELAY } else { IDLE_SPIN } {
                    break;
                }
                std::hint::spin_loop();
            }
        });
        !state.tasks.is_empty()
    }

    /// Calls a worker if there is anything for it to do.
    fn call_worker(self: &Arc<Self>, mut state: MutexGuard<'_, ReadyState>) {
        let coming = state.running + state.called;
        if coming < self.most && state.called < state.tasks.len() {
            state.called += 1;
            drop(state);
            worker_pool::start(Box::new(WorkerCall(Arc::clone(self))));
        }
    }
}

thread_local! {
    /// The queue whose command this thread runs.
    static RUNS: RefCell<Option<Arc<ReadyQueue>>> = const { RefCell::new(None) };
    /// What this thread runs, the innermost first: a native kernel that waits runs other commands.
    static INNERMOST: Cell<*const Frame> = const { Cell::new(null()) };
    /// The queue one of whose commands this thread is ending: it takes the next one itself.
    static ENDS: Cell<*const ReadyQueue> = const { Cell::new(null()) };
}

/// Commands of a queue that a thread runs one after another.
struct Frame {
    ready: *const ReadyQueue,
    /// Of the command that it runs now.
    event: Cell<*const Event>,
    /// In the middle of which command it does so.
    outer: *const Frame,
}

/// Whether this thread is in the middle of a command.
pub(crate) fn runs_commands() -> bool {
    // No thread runs commands while it ends.
    RUNS.try_with(|runs| runs.borrow().is_some())
        .unwrap_or(false)
}

fn is_ending_a_command_of(ready: &Arc<ReadyQueue>) -> bool {
    ENDS.try_with(|ends| ends.get() == Arc::as_ptr(ready))
        .unwrap_or(false)
}

/// Waits with `wait`. If a command (a native kernel) does so, its place among those that
/// run is free meanwhile: what it waits for may need it.
pub(crate) fn release_slot_while<R>(wait: impl FnOnce() -> R) -> R {
    let lent = RUNS.try_with(RefCell::take).ok().flatten();
    if let Some(ready) = &lent {
        let mut state = ready.state.lock();
        state.running -= 1;
        ready.call_worker(state);
    }
    let result = wait();
    if let Some(ready) = lent {
        ready.state.lock().running += 1;
        RUNS.set(Some(ready));
    }
    result
}

/// A worker is to run commands.
struct WorkerCall(Arc<ReadyQueue>);

impl Job for WorkerCall {
    fn run(self: Box<Self>) {
        self.0.serve();
    }
    // Whoever waits for the commands runs them.
    fn refused(self: Box<Self>) {
        self.0.state.lock().called -= 1;
    }
}
