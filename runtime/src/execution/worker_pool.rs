//! The threads that execute commands and call the host program's callbacks. All queues share them.
//! A thread is started when all others are busy, and ends after it has been idle for a while.
//!
//! While jobs keep ending, there are at most `prompt_threads` threads, and more jobs wait for
//! one. Jobs may block on one another, for example callbacks. Therefore, if no waiting job has
//! been taken for `STALL_TIMEOUT`, one more thread is started: any number of jobs that wait for
//! each other all run in the end.

use host_exec::{host_threads, process_lifecycle, threads};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An idle thread ends after this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// An idle thread ends after this time if more than `KEPT_IDLE` threads are idle.
const SURPLUS_IDLE_TIMEOUT: Duration = Duration::from_millis(50);
const KEPT_IDLE: usize = 4;

/// Threads that are started without delay on a host with few processors.
const MIN_PROMPT_THREADS: usize = 64;

/// Beyond `prompt_threads`, a thread is started when no job has been taken for this time.
const STALL_TIMEOUT: Duration = Duration::from_millis(20);

/// Bytes of stack per thread: kernels and callbacks may call library functions with large frames.
const STACK_BYTES: usize = 8 << 20;

/// One idle thread spins this long before it blocks: jobs often come in series, and waking a
/// thread takes longer than most short commands.
const SPIN: Duration = Duration::from_micros(20);

/// Threads that are started without delay: at least as many as execute commands of one queue.
fn prompt_threads() -> usize {
    host_threads::count().max(MIN_PROMPT_THREADS)
}

/// Work for a thread of the pool.
pub(crate) trait Job: Send {
    /// Does the work.
    fn run(self: Box<Self>);
    /// Called on the requesting thread if the system has no thread for the job.
    fn refused(self: Box<Self>);
}

static POOL: Mutex<PoolState> = Mutex::new(PoolState {
    jobs: VecDeque::new(),
    threads: 0,
    idle: 0,
    one_spins: false,
    taken: 0,
    stall_watched: false,
});
/// Whether `POOL` has waiting jobs; written only while it is locked.
static JOBS_WAITING: AtomicBool = AtomicBool::new(false);
static JOB_ADDED: Condvar = Condvar::new();

struct PoolState {
    jobs: VecDeque<Box<dyn Job>>,
    /// Threads that have been started and have not ended.
    threads: usize,
    /// Threads that wait for a job, or have been woken for one that they have not taken yet.
    idle: usize,
    /// Whether one of the idle threads spins.
    one_spins: bool,
    /// Jobs taken so far, modulo 2^64.
    taken: usize,
    /// Whether a thread watches for stalls.
    stall_watched: bool,
}

/// The first task of a new thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstTask {
    Serve,
    WatchForStall,
}

impl PoolState {
    /// The first task of a thread for a new job; none if no thread is to be started.
    fn first_task(&mut self) -> Option<FirstTask> {
        if self.threads < prompt_threads() {
            return Some(FirstTask::Serve);
        }
        let watched = std::mem::replace(&mut self.stall_watched, true);
        (!watched).then_some(FirstTask::WatchForStall)
    }

    fn take(&mut self) -> Option<Box<dyn Job>> {
        let job = self.jobs.pop_front()?;
        self.taken = self.taken.wrapping_add(1);
        Some(job)
    }
}

/// Hands a job to a thread of the pool. Never blocks.
pub(crate) fn start(job: Box<dyn Job>) {
    // Threads do not survive a `fork`, and their locks may stay locked in the child.
    if process_lifecycle::forked() {
        job.refused();
        return;
    }
    let mut pool = POOL.lock();
    pool.jobs.push_back(job);
    JOBS_WAITING.store(true, Ordering::Relaxed);
    if pool.idle >= pool.jobs.len() {
        let spinning_thread_takes_it = pool.one_spins && pool.jobs.len() == 1;
        drop(pool);
        if !spinning_thread_takes_it {
            JOB_ADDED.notify_one();
        }
        return;
    }
    let Some(first) = pool.first_task() else {
        return;
    };
    pool.threads += 1;
    drop(pool);
    let started = threads::start("mocl3-worker", Some(STACK_BYTES), move || match first {
        FirstTask::Serve => serve(),
        FirstTask::WatchForStall => watch_for_stall(),
    });
    if let Err(error) = started {
        log::warn!("no thread for commands and callbacks: {error}");
        let mut pool = POOL.lock();
        pool.threads -= 1;
        pool.stall_watched &= first == FirstTask::Serve;
        // The number of threads is unchanged, so any one of the waiting jobs has to go.
        let job = pool.jobs.pop_back();
        drop(pool);
        if let Some(job) = job {
            job.refused();
        }
    }
}

/// Watches while jobs wait. When they stall, this thread serves them and another one watches.
fn watch_for_stall() {
    let mut pool = POOL.lock();
    while !pool.jobs.is_empty() {
        let before = pool.taken;
        MutexGuard::unlocked(&mut pool, || std::thread::sleep(STALL_TIMEOUT));
        if pool.taken == before && !pool.jobs.is_empty() {
            match threads::start("mocl3-worker", Some(STACK_BYTES), watch_for_stall) {
                Ok(()) => pool.threads += 1,
                Err(_) => pool.stall_watched = false,
            }
            drop(pool);
            serve();
            return;
        }
    }
    pool.stall_watched = false;
    pool.threads -= 1;
}

fn serve() {
    let mut pool = POOL.lock();
    loop {
        while let Some(job) = pool.take() {
            drop(pool);
            job.run();
            // If the host program has cancelled this thread, another one replaces it.
            if threads::end_is_requested()
                && threads::start("mocl3-worker", Some(STACK_BYTES), serve).is_ok()
            {
                return;
            }
            pool = POOL.lock();
        }
        JOBS_WAITING.store(false, Ordering::Relaxed);
        pool.idle += 1;
        if !pool.one_spins {
            pool.one_spins = true;
            MutexGuard::unlocked(&mut pool, spin);
            pool.one_spins = false;
        }
        while pool.jobs.is_empty() {
            let timeout = if pool.idle > KEPT_IDLE {
                SURPLUS_IDLE_TIMEOUT
            } else {
                IDLE_TIMEOUT
            };
            let timed_out = JOB_ADDED.wait_for(&mut pool, timeout).timed_out();
            let no_longer_surplus = timeout < IDLE_TIMEOUT && pool.idle <= KEPT_IDLE;
            if timed_out && pool.jobs.is_empty() && !no_longer_surplus {
                pool.idle -= 1;
                pool.threads -= 1;
                return;
            }
        }
        pool.idle -= 1;
    }
}

fn spin() {
    let start = Instant::now();
    while !JOBS_WAITING.load(Ordering::Relaxed) && start.elapsed() < SPIN {
        std::hint::spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    struct Meeting(Sender<()>, Receiver<()>);

    impl Job for Meeting {
        fn run(self: Box<Self>) {
            self.0.send(()).unwrap();
            self.1.recv().unwrap();
        }
        fn refused(self: Box<Self>) {
            panic!("no thread");
        }
    }

    /// More jobs than `prompt_threads` wait for the last one; each gets a thread.
    #[test]
    fn jobs_that_block_each_other_all_run() {
        let before = POOL.lock().threads;
        let (first, mut previous) = channel();
        for _ in 0..prompt_threads() + 10 {
            let (here, next) = channel();
            start(Box::new(Meeting(here, previous)));
            previous = next;
        }
        previous.recv().unwrap();
        first.send(()).unwrap();
        assert!(POOL.lock().threads <= before + prompt_threads() + 20);
    }

    struct Pause(Sender<()>);

    impl Job for Pause {
        fn run(self: Box<Self>) {
            std::thread::sleep(Duration::from_micros(100));
            self.0.send(()).unwrap();
        }
        fn refused(self: Box<Self>) {
            panic!("no thread");
        }
    }

    #[test]
    fn short_jobs_need_no_more_than_the_prompt_threads() {
        let (sender, receiver) = channel();
        let mut highest = 0;
        for _ in 0..2000 {
            start(Box::new(Pause(sender.clone())));
            highest = highest.max(POOL.lock().threads);
        }
        for _ in 0..2000 {
            receiver.recv().unwrap();
            highest = highest.max(POOL.lock().threads);
        }
        // Jobs of other tests may block, and one thread watches for stalls.
        assert!(highest <= prompt_threads() + 30, "{highest}");
    }

    /// Each job waits for the next one, so every job needs a thread.
    #[test]
    fn jobs_that_block_delay_no_others() {
        for _ in 0..20 {
            let (first, mut before) = channel();
            for _ in 0..30 {
                let (here, next) = channel();
                start(Box::new(Meeting(here, before)));
                before = next;
            }
            before.recv().unwrap();
            first.send(()).unwrap();
        }
    }
}
