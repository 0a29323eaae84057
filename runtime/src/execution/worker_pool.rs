//! Threads that run commands and call functions of the host program. They are shared by
//! all queues, started when all others are busy, and end when there has been nothing to do for a
//! while.
//!
//! There are `MAX_UNDELAYED_THREADS` at most while jobs end: more jobs than that wait for a thread. Jobs may block
//! on what other jobs do, for example callbacks on each other. Therefore, if no waiting job has
//! been taken for `STALL_TIMEOUT`, one thread more is started: jobs that wait for each other all get to
//! run in the end, whatever their number.

use host_exec::{process_lifecycle, threads};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A thread with nothing to do waits this long.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// If `KEPT_IDLE` others have nothing to do either, only this long.
const SURPLUS_IDLE_TIMEOUT: Duration = Duration::from_millis(50);
const KEPT_IDLE: usize = 4;

/// Threads that are started without delay.
const MAX_UNDELAYED_THREADS: usize = 64;

/// With `MAX_UNDELAYED_THREADS` threads, a job that waits this long while none is taken gets another thread.
const STALL_TIMEOUT: Duration = Duration::from_millis(20);

/// Kernels may call library functions with large frames, and so may the host program.
const STACK_BYTES: usize = 8 << 20;

/// Before that, one of the threads keeps looking for this long: work often comes in
/// series, and waking a thread up takes longer than most short commands.
const SPIN: Duration = Duration::from_micros(20);

/// What a thread is wanted for.
pub(crate) trait Job: Send {
    /// Does it.
    fn run(self: Box<Self>);
    /// There is no thread for it. Called on the thread that asked.
    fn refused(self: Box<Self>);
}

static POOL: Mutex<PoolState> = Mutex::new(PoolState {
    jobs: VecDeque::new(),
    threads: 0,
    idle: 0,
    one_looks: false,
    taken: 0,
    relieved: false,
});
/// There are jobs; changed with `POOL` locked only.
static JOBS_QUEUED: AtomicBool = AtomicBool::new(false);
static JOB_QUEUED: Condvar = Condvar::new();

struct PoolState {
    jobs: VecDeque<Box<dyn Job>>,
    /// Threads that have been started and have not ended.
    threads: usize,
    /// Threads that wait for a job, or have been woken for one they have not taken yet.
    idle: usize,
    /// One of these keeps looking.
    one_looks: bool,
    /// Jobs that have been taken so far.
    taken: usize,
    /// A thread watches whether the jobs are stuck.
    relieved: bool,
}

/// What a new thread does first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Serve,
    Relieve,
}

impl PoolState {
    /// What a thread for a new job is to be started for, if it is.
    fn first(&mut self) -> Option<First> {
        if self.threads < MAX_UNDELAYED_THREADS {
            return Some(First::Serve);
        }
        let relieved = std::mem::replace(&mut self.relieved, true);
        (!relieved).then_some(First::Relieve)
    }

    fn take(&mut self) -> Option<Box<dyn Job>> {
        let job = self.jobs.pop_front()?;
        self.taken = self.taken.wrapping_add(1);
        Some(job)
    }
}

/// Hands a job to a thread that does nothing else. Never blocks.
pub(crate) fn start(job: Box<dyn Job>) {
    // Threads do not follow a `fork`, and their locks may be held for ever.
    if process_lifecycle::forked() {
        job.refused();
        return;
    }
    let mut work = POOL.lock();
    work.jobs.push_back(job);
    JOBS_QUEUED.store(true, Ordering::Relaxed);
    if work.idle >= work.jobs.len() {
        let somebody_sees_it = work.one_looks && work.jobs.len() == 1;
        drop(work);
        if !somebody_sees_it {
            JOB_QUEUED.notify_one();
        }
        return;
    }
    let Some(first) = work.first() else {
        return;
    };
    work.threads += 1;
    drop(work);
    let started = threads::start("mocl3-worker", Some(STACK_BYTES), move || match first {
        First::Serve => serve(),
        First::Relieve => relieve(),
    });
    if let Err(error) = started {
        log::warn!("no thread for commands and callbacks: {error}");
        let mut work = POOL.lock();
        work.threads -= 1;
        work.relieved &= first == First::Serve;
        // Of the jobs that wait any will do: there are as many threads as before.
        let job = work.jobs.pop_back();
        drop(work);
        if let Some(job) = job {
            job.refused();
        }
    }
}

/// What a thread does that there are `MAX_UNDELAYED_THREADS` of: watches for as long as jobs wait, and serves once
/// they are stuck. Then, another one watches.
fn relieve() {
    let mut work = POOL.lock();
    while !work.jobs.is_empty() {
        let before = work.taken;
        MutexGuard::unlocked(&mut work, || std::thread::sleep(STALL_TIMEOUT));
        if work.taken == before && !work.jobs.is_empty() {
            match threads::start("mocl3-worker", Some(STACK_BYTES), relieve) {
                Ok(()) => work.threads += 1,
                Err(_) => work.relieved = false,
            }
            drop(work);
            serve();
            return;
        }
    }
    work.relieved = false;
    work.threads -= 1;
}

fn serve() {
    let mut work = POOL.lock();
    loop {
        while let Some(job) = work.take() {
            drop(work);
            job.run();
            // The host program has ended this thread: another one takes its place.
            if threads::end_is_requested()
                && threads::start("mocl3-worker", Some(STACK_BYTES), serve).is_ok()
            {
                return;
            }
            work = POOL.lock();
        }
        JOBS_QUEUED.store(false, Ordering::Relaxed);
        work.idle += 1;
        if !work.one_looks {
            work.one_looks = true;
            MutexGuard::unlocked(&mut work, look);
            work.one_looks = false;
        }
        while work.jobs.is_empty() {
            let patience = if work.idle > KEPT_IDLE {
                SURPLUS_IDLE_TIMEOUT
            } else {
                IDLE_TIMEOUT
            };
            let timed_out = JOB_QUEUED.wait_for(&mut work, patience).timed_out();
            let one_of_few = patience < IDLE_TIMEOUT && work.idle <= KEPT_IDLE;
            if timed_out && work.jobs.is_empty() && !one_of_few {
                work.idle -= 1;
                work.threads -= 1;
                return;
            }
        }
        work.idle -= 1;
    }
}

fn look() {
    let start = Instant::now();
    while !JOBS_QUEUED.load(Ordering::Relaxed) && start.elapsed() < SPIN {
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

    /// More jobs than `MAX_UNDELAYED_THREADS`, which all wait for the last one, and each gets a thread.
    #[test]
    fn jobs_that_block_each_other_all_run() {
        let before = POOL.lock().threads;
        let (first, mut previous) = channel();
        for _ in 0..MAX_UNDELAYED_THREADS + 10 {
            let (here, next) = channel();
            start(Box::new(Meeting(here, previous)));
            previous = next;
        }
        previous.recv().unwrap();
        first.send(()).unwrap();
        assert!(POOL.lock().threads <= before + MAX_UNDELAYED_THREADS + 20);
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
    fn many_jobs_need_no_more_threads_than_many() {
        let (sender, receiver) = channel();
        let mut most = 0;
        for _ in 0..2000 {
            start(Box::new(Pause(sender.clone())));
            most = most.max(POOL.lock().threads);
        }
        for _ in 0..2000 {
            receiver.recv().unwrap();
            most = most.max(POOL.lock().threads);
        }
        // Other tests' jobs may block, and one thread watches.
        assert!(most <= MAX_UNDELAYED_THREADS + 30, "{most}");
    }

    /// Each job waits for the next one, so all must have a thread.
    #[test]
    fn jobs_that_block_hold_nobody_up() {
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
