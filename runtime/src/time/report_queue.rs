//! Launches that have ended and whose reports are not known. Threads of the pool compute these while
//! the queues' next commands execute.

use crate::execution::worker_pool::{self, Job};
use crate::time::simulated_command::SimulatedCommand;
use host_exec::host_threads;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of waiting launches: their records occupy memory.
const LIMIT: usize = 8;

/// How long a thread waits for the next launch: waking it would take as long as some reports.
const SPIN: Duration = Duration::from_micros(100);

/// What is done with a command when its report is known.
type Done = fn(&SimulatedCommand);

static QUEUE: Mutex<ReportQueue> = Mutex::new(ReportQueue {
    waiting: VecDeque::new(),
    threads: 0,
});

struct ReportQueue {
    waiting: VecDeque<(Arc<SimulatedCommand>, Done)>,
    /// Threads of the pool that compute reports.
    threads: usize,
}

/// Computes the report of a launch that has ended, then calls `done`: later on another thread, or now
/// if too many launches wait.
pub(super) fn add(command: &Arc<SimulatedCommand>, done: Done) {
    let mut queue = QUEUE.lock();
    if queue.waiting.len() >= LIMIT {
        drop(queue);
        compute(command, done);
        return;
    }
    queue.waiting.push_back((Arc::clone(command), done));
    // The other half of the threads executes commands.
    let is_new = queue.threads < host_threads::count().div_ceil(2);
    queue.threads += usize::from(is_new);
    drop(queue);
    if is_new {
        worker_pool::start(Box::new(Computation));
    }
}

fn compute(command: &SimulatedCommand, done: Done) {
    if let Some(report) = command.report() {
        report.get();
    }
    done(command);
}

/// Computes reports until none has been added for a while.
struct Computation;

impl Computation {
    /// The next launch that waits. If none is added in time, the thread is no longer counted.
    fn next() -> Option<(Arc<SimulatedCommand>, Done)> {
        let start = Instant::now();
        loop {
            let mut queue = QUEUE.lock();
            if let Some(next) = queue.waiting.pop_front() {
                return Some(next);
            }
            if start.elapsed() > SPIN {
                queue.threads -= 1;
                return None;
            }
            drop(queue);
            thread::yield_now();
        }
    }
}

impl Job for Computation {
    fn run(self: Box<Self>) {
        while let Some((command, done)) = Self::next() {
            compute(&command, done);
        }
    }

    // The thread that needs a report computes it.
    fn refused(self: Box<Self>) {
        QUEUE.lock().threads -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::timing::pending_report::PendingReport;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// With reports that take longer than adding launches, the queue stays short, and each report is computed
    /// once, before what is done then.
    #[test]
    fn reports_are_computed_while_few_launches_wait() {
        static COMPUTED: AtomicUsize = AtomicUsize::new(0);
        static DONE: AtomicUsize = AtomicUsize::new(0);
        const LAUNCHES: usize = 200;
        for _ in 0..LAUNCHES {
            let command = SimulatedCommand::untimed(0);
            let report = PendingReport::of(|| {
                thread::sleep(Duration::from_millis(1));
                COMPUTED.fetch_add(1, Ordering::Relaxed);
                Arc::default()
            });
            command.set_report(&Arc::new(report));
            add(&command, |command| {
                assert!(command.unknown_report().is_none());
                DONE.fetch_add(1, Ordering::Relaxed);
            });
            assert!(QUEUE.lock().waiting.len() <= LIMIT);
        }
        let start = Instant::now();
        while DONE.load(Ordering::Relaxed) < LAUNCHES {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "a report is missing"
            );
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(COMPUTED.load(Ordering::Relaxed), LAUNCHES);
    }
}
