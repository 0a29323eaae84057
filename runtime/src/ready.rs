//! The commands of a queue that could run now, and who runs them: workers, one command of
//! an in-order queue at a time, several of an out-of-order queue. Threads that wait for a
//! command run the queue's ready commands themselves meanwhile, which spares short commands
//! two changes of thread.

use crate::event::Event;
use crate::task::Task;
use crate::workers::{self, Job};
use parking_lot::{Mutex, MutexGuard};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::null;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a waiting thread looks again before it sleeps: about as long as waking
/// it up would take.
const LOOK_AGAIN: Duration = Duration::from_micros(10);

/// The commands that could run now, and how many do. Threads that run them may outlive
/// the queue.
pub(crate) struct Ready {
    /// Commands that may run at the same time.
    most: usize,
    state: Mutex<ReadyState>,
}

#[derive(Default)]
struct ReadyState {
    tasks: VecDeque<Arc<Task>>,
    /// Threads that run commands of this queue.
    running: usize,
    /// Workers that have been called and are not here yet.
    called: usize,
}

impl ReadyState {
    /// Takes the next command, or only that of an event.
    fn take(&mut self, wanted: Option<&Event>) -> Option<Arc<Task>> {
        match wanted {
            None => self.tasks.pop_front(),
            Some(event) => {
                let place = self.tasks.iter().position(|task| task.ends(event))?;
                self.tasks.remove(place)
            }
        }
    }
}

impl Ready {
    /// Of a queue that runs `most` commands at the same time.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            state: Mutex::default(),
        })
    }

    /// A command waits for nothing any more.
    pub fn add(self: &Arc<Self>, task: Arc<Task>) {
        let mut state = self.state.lock();
        state.tasks.push_back(task);
        if state.tasks.len() > 1 || !is_ending_a_command_of(self) {
            self.call_worker(state);
        }
    }

    /// Lends this thread to the queue until `event` has ended or there is nothing for it to
    /// do; then watches for a short while whether the event ends.
    ///
    /// It runs no command that could be unrelated: that may last, or wait for what the host
    /// program does next.
    pub fn run_towards(self: &Arc<Self>, event: &Event) {
        let wanted = (self.most > 1).then_some(event);
        let done = || event.status().has_ended();
        let mut watching_since = None;
        while !done() {
            if self.run(wanted, &done) {
                watching_since = None;
                continue;
            }
            let since = *watching_since.get_or_insert_with(Instant::now);
            if since.elapsed() > LOOK_AGAIN {
                return;
            }
            std::hint::spin_loop();
        }
    }

    /// Runs ready commands (or only the wanted event's) until there are none or `done`.
    /// False if it ran none.
    fn run(self: &Arc<Self>, wanted: Option<&Event>, done: &dyn Fn() -> bool) -> bool {
        let mut state = self.state.lock();
        if state.running >= self.most {
            return false;
        }
        let Some(mut task) = state.take(wanted) else {
            return false;
        };
        state.running += 1;
        let outer = RUNS.replace(Some(Arc::clone(self)));
        loop {
            drop(state);
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
            match state.take(wanted) {
                Some(next) => task = next,
                None => break,
            }
        }
        state.running -= 1;
        self.call_worker(state);
        RUNS.set(outer);
        true
    }

    /// Calls a worker if there is anything for it to do.
    fn call_worker(self: &Arc<Self>, mut state: MutexGuard<'_, ReadyState>) {
        let coming = state.running + state.called;
        if coming < self.most && state.called < state.tasks.len() {
            state.called += 1;
            drop(state);
            workers::start(Box::new(WorkerCall(Arc::clone(self))));
        }
    }
}

thread_local! {
    /// The queue whose command this thread runs.
    static RUNS: RefCell<Option<Arc<Ready>>> = const { RefCell::new(None) };
    /// The queue one of whose commands this thread is ending: it takes the next one itself.
    static ENDS: Cell<*const Ready> = const { Cell::new(null()) };
}

/// Whether this thread is in the middle of a command.
pub(crate) fn runs_commands() -> bool {
    // No thread runs commands while it ends.
    RUNS.try_with(|runs| runs.borrow().is_some())
        .unwrap_or(false)
}

fn is_ending_a_command_of(ready: &Arc<Ready>) -> bool {
    ENDS.try_with(|ends| ends.get() == Arc::as_ptr(ready))
        .unwrap_or(false)
}

/// Waits with `wait`. If a command (a native kernel) does so, its place among those that
/// run is free meanwhile: what it waits for may need it.
pub(crate) fn lending_its_place<R>(wait: impl FnOnce() -> R) -> R {
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
struct WorkerCall(Arc<Ready>);

impl Job for WorkerCall {
    fn run(self: Box<Self>) {
        self.0.state.lock().called -= 1;
        self.0.run(None, &|| false);
    }
    // Whoever waits for the commands runs them.
    fn refused(self: Box<Self>) {
        self.0.state.lock().called -= 1;
    }
}
