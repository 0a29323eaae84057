//! `MOCL3_TIMEOUT`: how long a launch may run. A thread of its own sends a signal to those that run
//! the groups of a launch that takes longer, again and again until they have ended: the handler
//! (`signals::overtime`) ends the call of a work-group function only in compiled code.

pub(crate) mod abandonable_call;

use environment::TIMEOUT;
use libc::{c_int, pthread_t};
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The signal. By default it is ignored; Go's runtime preempts goroutines with it.
pub(crate) const SIGNAL: c_int = libc::SIGURG;

/// Time between two signals to a thread.
const INTERVAL: Duration = Duration::from_millis(10);

/// The value of `MOCL3_TIMEOUT`.
static LIMIT: Lazy<Option<Duration>> = Lazy::new(|| {
    let text = TIMEOUT.get()?;
    let seconds = text.to_str().and_then(|text| text.trim().parse().ok());
    let limit = seconds.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    if limit.is_none() && !text.is_empty() {
        log::warn!(
            "{TIMEOUT}={}: no time in seconds; launches have no limit",
            text.display()
        );
    }
    limit.filter(|limit| !limit.is_zero())
});

/// Whether launches have a limit.
pub(crate) fn is_on() -> bool {
    LIMIT.is_some()
}

/// A launch took longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it ran for more than {} s, the limit of {TIMEOUT}", .0.as_secs_f64())]
pub struct Overtime(pub Duration);

/// The limit of a launch that runs.
#[derive(Debug)]
pub struct LaunchLimit {
    limit: Duration,
    deadline: Instant,
    is_exceeded: AtomicBool,
    /// Threads that run its groups.
    threads: Mutex<Vec<pthread_t>>,
}

impl LaunchLimit {
    /// Whether it has been exceeded. For signal handlers, too.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }

    /// The thread runs groups until the result is dropped.
    pub(crate) fn enter(&self) -> RunsGroups<'_> {
        // SAFETY: there is always a thread that calls.
        let thread = unsafe { libc::pthread_self() };
        // The platform's own threads block signals.
        let was_blocked = mask_signal(libc::SIG_UNBLOCK);
        self.threads.lock().push(thread);
        RunsGroups {
            limit: self,
            thread,
            was_blocked,
        }
    }

    fn signal(&self) {
        self.is_exceeded.store(true, Ordering::Relaxed);
        for thread in self.threads.lock().iter() {
            // SAFETY: threads leave the list before they end.
            unsafe { libc::pthread_kill(*thread, SIGNAL) };
        }
    }
}

/// A thread that runs groups of a launch.
pub(crate) struct RunsGroups<'a> {
    limit: &'a LaunchLimit,
    thread: pthread_t,
    was_blocked: bool,
}

impl Drop for RunsGroups<'_> {
    fn drop(&mut self) {
        let mut threads = self.limit.threads.lock();
        if let Some(position) = threads.iter().position(|thread| *thread == self.thread) {
            threads.swap_remove(position);
        }
        drop(threads);
        if self.was_blocked {
            mask_signal(libc::SIG_BLOCK);
        }
    }
}

/// Blocks or unblocks the signal for this thread; whether it was blocked.
fn mask_signal(how: c_int) -> bool {
    // SAFETY: the sets are the thread's own.
    unsafe {
        let mut signal = std::mem::zeroed();
        let mut before = std::mem::zeroed();
        libc::sigemptyset(&mut signal);
        libc::sigaddset(&mut signal, SIGNAL);
        libc::pthread_sigmask(how, &signal, &mut before);
        libc::sigismember(&before, SIGNAL) == 1
    }
}

/// The launches that run.
static RUNNING: Mutex<Vec<Arc<LaunchLimit>>> = Mutex::new(Vec::new());
static CHANGED: Condvar = Condvar::new();

/// A launch whose time is limited until this is dropped.
pub(crate) struct Limited(Arc<LaunchLimit>);

impl Limited {
    /// The limit.
    pub fn limit(&self) -> &LaunchLimit {
        &self.0
    }

    /// # Errors
    /// The launch has exceeded it.
    pub fn check(&self) -> Result<(), Overtime> {
        match self.0.is_exceeded() {
            true => Err(Overtime(self.0.limit)),
            false => Ok(()),
        }
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        RUNNING.lock().retain(|limit| !Arc::ptr_eq(limit, &self.0));
    }
}

/// Limits the time of a launch that begins now, if `MOCL3_TIMEOUT` does.
pub(crate) fn begin() -> Option<Limited> {
    static WATCHDOG: Lazy<bool> = Lazy::new(|| {
        let thread = thread::Builder::new().name("mocl3-timeout".to_owned());
        let started = thread.spawn(watch);
        if let Err(error) = &started {
            log::warn!("{TIMEOUT}: {error}; launches have no limit");
        }
        started.is_ok()
    });
    let limit = (*LIMIT)?;
    if !*WATCHDOG {
        return None;
    }
    let launch = Arc::new(LaunchLimit {
        limit,
        deadline: Instant::now() + limit,
        is_exceeded: AtomicBool::new(false),
        threads: Mutex::default(),
    });
    RUNNING.lock().push(Arc::clone(&launch));
    CHANGED.notify_one();
    Some(Limited(launch))
}

/// Signals to the threads of launches that have exceeded their limit.
fn watch() {
    let mut running = RUNNING.lock();
    loop {
        let now = Instant::now();
        let mut next = None;
        for launch in running.iter() {
            let due = if launch.deadline <= now {
                launch.signal();
                now + INTERVAL
            } else {
                launch.deadline
            };
            next = Some(next.map_or(due, |next: Instant| next.min(due)));
        }
        match next {
            Some(next) => {
                CHANGED.wait_until(&mut running, next);
            }
            None => CHANGED.wait(&mut running),
        }
    }
}
