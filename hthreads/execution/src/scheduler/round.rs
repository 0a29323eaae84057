//! The first part of a round: threads run side by side on the host's threads.

use super::running::Running;
use host_exec::host_threads;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A round that is expected to be shorter runs on one host thread: waking others would take as long.
const SHORT: Duration = Duration::from_micros(100);

/// Threads that can continue, at addresses that do not change during the round.
struct Threads(Vec<*mut Running>);

// SAFETY: each thread is resumed by one host thread, which takes its number from a counter.
unsafe impl Sync for Threads {}

/// Runs rounds.
#[derive(Debug, Default)]
pub struct Rounds {
    /// How long the last one took.
    last: Duration,
}

impl Rounds {
    /// Lets each thread continue until its next request.
    pub fn run(&mut self, threads: Vec<&mut Running>) {
        let start = Instant::now();
        let pointers = threads.into_iter().map(std::ptr::from_mut);
        let threads = Threads(pointers.collect());
        let count = threads.0.len();
        let next = AtomicUsize::new(0);
        let work = |_: usize| {
            let threads = &threads;
            while let Some(thread) = threads.0.get(next.fetch_add(1, Ordering::Relaxed)) {
                // SAFETY: no other host thread has this number, and the scheduler waits.
                unsafe { (**thread).resume() };
            }
        };
        let helpers = host_threads::count().min(count) - 1;
        if helpers == 0 || self.last < SHORT {
            work(0);
        } else {
            host_threads::run_parallel(helpers, &work);
        }
        self.last = start.elapsed();
    }
}
