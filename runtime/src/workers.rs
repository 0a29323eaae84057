//! Threads that run commands and call functions of the host program. They are shared by
//! all queues, started when all others are busy (so that one that the host program
//! blocks holds nobody up), and end when there has been nothing to do for a while.

use device_sim::process;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A thread with nothing to do waits this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Kernels may call library functions with large frames, and so may the host program.
const STACK_BYTES: usize = 8 << 20;

/// Before that, one of the threads keeps looking for this long: work often comes in
/// series, and waking a thread up takes longer than most short commands.
const LOOK: Duration = Duration::from_micros(20);

/// What a thread is wanted for.
pub(crate) trait Job: Send {
    /// Does it.
    fn run(self: Box<Self>);
    /// There is no thread for it. Called on the thread that asked.
    fn refused(self: Box<Self>);
}

static WORK: Mutex<Work> = Mutex::new(Work {
    jobs: VecDeque::new(),
    idle: 0,
    one_looks: false,
});
/// There are jobs; changed with `WORK` locked only.
static THERE_IS_MORE: AtomicBool = AtomicBool::new(false);
static MORE: Condvar = Condvar::new();

struct Work {
    jobs: VecDeque<Box<dyn Job>>,
    /// Threads that wait for a job, or have been woken for one they have not taken yet.
    idle: usize,
    /// One of these keeps looking.
    one_looks: bool,
}

/// Hands a job to a thread that does nothing else. Never blocks.
pub(crate) fn start(job: Box<dyn Job>) {
    // Threads do not follow a `fork`, and their locks may be held for ever.
    if process::forked() {
        job.refused();
        return;
    }
    let mut work = WORK.lock();
    work.jobs.push_back(job);
    THERE_IS_MORE.store(true, Ordering::Relaxed);
    if work.idle >= work.jobs.len() {
        let somebody_sees_it = work.one_looks && work.jobs.len() == 1;
        drop(work);
        if !somebody_sees_it {
            MORE.notify_one();
        }
        return;
    }
    drop(work);
    let started = std::thread::Builder::new()
        .name("mocl3-worker".into())
        .stack_size(STACK_BYTES)
        .spawn(serve);
    if let Err(error) = started {
        log::warn!("no thread for commands and callbacks: {error}");
        // Of the jobs that wait any will do: there are as many threads as before.
        let job = WORK.lock().jobs.pop_back();
        if let Some(job) = job {
            job.refused();
        }
    }
}

fn serve() {
    let mut work = WORK.lock();
    loop {
        while let Some(job) = work.jobs.pop_front() {
            drop(work);
            job.run();
            work = WORK.lock();
        }
        THERE_IS_MORE.store(false, Ordering::Relaxed);
        work.idle += 1;
        if !work.one_looks {
            work.one_looks = true;
            MutexGuard::unlocked(&mut work, look);
            work.one_looks = false;
        }
        while work.jobs.is_empty() {
            if MORE.wait_for(&mut work, PATIENCE).timed_out() && work.jobs.is_empty() {
                work.idle -= 1;
                return;
            }
        }
        work.idle -= 1;
    }
}

fn look() {
    let start = Instant::now();
    while !THERE_IS_MORE.load(Ordering::Relaxed) && start.elapsed() < LOOK {
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
