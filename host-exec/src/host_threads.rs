//! The pool of host threads that run work-groups. One pool serves all clusters: its size is that of
//! the host, not of the simulated machine.
//!
//! An idle thread spins for a short time (`SPIN`), since launches often follow one another, and
//! then sleeps until it is woken.

use crate::floating_point::in_default_environment;
use crate::{process_lifecycle, threads};
use device_sim::array_range::ArrayRange;
use environment::ranks::ranks;
use environment::{DEBUG, HOST_THREADS};
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Maximum of `MOCL3_HOST_THREADS`.
const MAX_THREADS: usize = 4096;

/// Stack of a pool thread. Kernels keep large private data elsewhere; library functions need some.
const STACK_BYTES: usize = 8 << 20;

/// How long an idle thread spins before it sleeps: about the latency of waking a thread.
const SPIN: Duration = Duration::from_micros(50);

/// How long the launching thread spins for the last helpers before it sleeps. They end within a
/// chunk of work-groups.
const SPIN_FOR_LAST: Duration = Duration::from_micros(50);

/// Maximum number of threads that one thread wakes; each of these wakes as many.
const WAKE_FANOUT: usize = 4;

/// Processors that this process may use.
pub(crate) fn processors() -> usize {
    static PROCESSORS: Lazy<usize> =
        Lazy::new(|| thread::available_parallelism().map_or(1, usize::from));
    *PROCESSORS
}

/// Number of threads that run work-groups, including the launching thread. Without a wish that is
/// one for each processor that this MPI rank has, or a single one where kernels are debugged: their order is fixed then.
pub fn count() -> usize {
    static COUNT: Lazy<usize> = Lazy::new(|| {
        let host = match DEBUG.get() {
            Some(_) => 1,
            None => match ranks() {
                Ok(Some(ranks)) => ranks.processors(processors()),
                // The platform reports the error.
                Ok(None) | Err(_) => processors(),
            },
        };
        let Some(text) = HOST_THREADS.get() else {
            return host;
        };
        parse(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!(
                "{HOST_THREADS}={text:?} is no number from 1 to {MAX_THREADS}; using {host}"
            );
            host
        })
    });
    *COUNT
}

/// Whether there are more threads than processors.
pub(crate) fn exceed_processors() -> bool {
    count() > processors()
}

/// Most host threads that run a launch on these arrays: no more than there are arrays, but all
/// threads for a whole cluster, which is as wide as the host.
pub fn for_arrays(arrays: ArrayRange) -> usize {
    match usize::try_from(arrays.count()) {
        Ok(arrays_used) if !arrays.is_whole_cluster() => count().min(arrays_used),
        _ => count(),
    }
}

fn parse(text: &str) -> Option<usize> {
    let count: usize = text.trim().parse().ok()?;
    (1..=MAX_THREADS).contains(&count).then_some(count)
}

/// A function that several threads call concurrently, each with its own number: 0 for the launching
/// thread, and below `count` for the pool's.
pub type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The pool; the launching thread is not part of it.
#[derive(Default)]
struct Pool {
    /// Free slots of all jobs.
    free_slots: AtomicUsize,
    /// Number of threads that spin.
    spinning: AtomicUsize,
    state: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    /// Jobs with free slots, oldest first.
    jobs: VecDeque<Arc<Job>>,
    /// Sleeping threads, each with the flag that distinguishes being woken from spurious wake-ups.
    sleeping: Vec<(Thread, Arc<AtomicBool>)>,
}

/// The pool, started on first use. None without threads: one host thread is enough, or the system
/// cannot start any.
static POOL: Lazy<Option<&'static Pool>> = Lazy::new(|| {
    process_lifecycle::watch();
    if count() == 1 {
        return None;
    }
    let pool: &'static Pool = Box::leak(Box::default());
    let mut started = 0;
    for number in 1..count() {
        let name = format!("mocl3-host-{number}");
        match threads::start(&name, Some(STACK_BYTES), move || pool.serve(number)) {
            Ok(()) => started += 1,
            Err(error) => {
                log::warn!("only {started} host threads: {error}");
                break;
            }
        }
    }
    (started > 0).then_some(pool)
});

/// The pool; None also in a child of `fork`, where its threads do not exist.
fn pool() -> Option<&'static Pool> {
    if process_lifecycle::forked() {
        return None;
    }
    *POOL
}

/// Whether a thread would join at once, without having to be started or woken.
pub(crate) fn are_awake() -> bool {
    let started = Lazy::get(&POOL).copied().flatten();
    started.is_some_and(|pool| pool.spinning.load(Ordering::Relaxed) > 0)
}

/// Calls `work` on this thread and concurrently on up to `others` threads of the pool. Returns when
/// all calls have ended. Busy threads are not waited for, so that a long launch does not delay a
/// short one.
pub fn run_parallel(others: usize, work: &Work<'_>) {
    let Some(pool) = pool().filter(|_| others > 0) else {
        work(0);
        return;
    };
    // SAFETY: the guard does not return before all threads have left the job, and none can join
    // it afterwards, so that the reference is not used beyond its lifetime.
    let work_of_others = unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
    let job = Arc::new(Job {
        work: work_of_others,
        free_slots: AtomicUsize::new(others),
        active: AtomicUsize::new(0),
        panicked: AtomicBool::new(false),
        sleeping: Mutex::new(()),
        last_left: Condvar::new(),
    });
    let guard = JobGuard(pool, &job);
    pool.submit(&job, others);
    work(0);
    drop(guard);
    assert!(
        !job.panicked.load(Ordering::Relaxed),
        "another host thread panicked"
    );
}

/// Work that threads of the pool may join.
struct Job {
    work: &'static Work<'static>,
    /// Number of threads that may still join; changed only with the pool locked.
    free_slots: AtomicUsize,
    /// Number of threads that have joined and not left.
    active: AtomicUsize,
    panicked: AtomicBool,
    sleeping: Mutex<()>,
    last_left: Condvar,
}

impl Pool {
    fn submit(&self, job: &Arc<Job>, others: usize) {
        let mut state = self.state.lock();
        state.jobs.push_back(Arc::clone(job));
        self.free_slots.fetch_add(others, Ordering::Relaxed);
        drop(state);
        self.wake();
    }

    /// Wakes threads for the slots that the spinning threads leave over.
    fn wake(&self) {
        let slots = self.free_slots.load(Ordering::Relaxed);
        let wanted = slots.saturating_sub(self.spinning.load(Ordering::Relaxed));
        for _ in 0..wanted.min(WAKE_FANOUT) {
            let Some((thread, woken)) = self.state.lock().sleeping.pop() else {
                return;
            };
            woken.store(true, Ordering::Release);
            thread.unpark();
        }
    }

    /// Joins the oldest job.
    fn join(&self) -> Option<Arc<Job>> {
        self.join_from(self.state.lock())
    }

    fn join_from(&self, mut state: MutexGuard<'_, PoolState>) -> Option<Arc<Job>> {
        let job = Arc::clone(state.jobs.front()?);
        self.free_slots.fetch_sub(1, Ordering::Relaxed);
        job.active.fetch_add(1, Ordering::Relaxed);
        if job.free_slots.fetch_sub(1, Ordering::Relaxed) == 1 {
            state.jobs.pop_front();
        }
        Some(job)
    }

    /// The main loop of pool thread `number`.
    fn serve(&self, number: usize) {
        // With more threads than processors, spinning would delay the working threads.
        let may_spin = number < processors();
        let woken = Arc::new(AtomicBool::new(false));
        loop {
            while let Some(job) = self.join().or_else(|| self.spin_if(may_spin)) {
                self.wake();
                job.run(number);
            }
            let mut state = self.state.lock();
            if !state.jobs.is_empty() {
                continue;
            }
            woken.store(false, Ordering::Relaxed);
            state.sleeping.push((thread::current(), Arc::clone(&woken)));
            drop(state);
            while !woken.load(Ordering::Acquire) {
                thread::park();
            }
        }
    }

    /// Spins for at most `SPIN` until it joins a job. Of many threads that spin for a few slots only
    /// those that get the lock stop spinning; no queue for the lock delays the launching thread.
    fn spin_if(&self, may_spin: bool) -> Option<Arc<Job>> {
        if !may_spin {
            return None;
        }
        self.spinning.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        let found = loop {
            if self.free_slots.load(Ordering::Relaxed) > 0
                && let Some(state) = self.state.try_lock()
                && let Some(job) = self.join_from(state)
            {
                break Some(job);
            }
            if start.elapsed() > SPIN {
                break None;
            }
            for _ in 0..16 {
                std::hint::spin_loop();
            }
            // Others, such as those that compute reports, may have work and no processor.
            thread::yield_now();
        };
        self.spinning.fetch_sub(1, Ordering::Relaxed);
        found
    }
}

impl Job {
    /// Does the job's work on this thread, and then leaves the job.
    fn run(&self, number: usize) {
        // Changes that a kernel makes to the floating-point environment must not affect the next
        // launch.
        let work = || in_default_environment(|| (self.work)(number));
        // The launching thread propagates the panic.
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        if self.active.fetch_sub(1, Ordering::Release) == 1 {
            drop(self.sleeping.lock());
            self.last_left.notify_one();
        }
    }
}

/// Closes a job when dropped: waits for the threads that have joined.
struct JobGuard<'a>(&'static Pool, &'a Arc<Job>);

impl Drop for JobGuard<'_> {
    fn drop(&mut self) {
        let Self(pool, job) = self;
        // Slots are taken only with the pool locked.
        let mut state = pool.state.lock();
        let slots = job.free_slots.swap(0, Ordering::Relaxed);
        if slots > 0 {
            pool.free_slots.fetch_sub(slots, Ordering::Relaxed);
            let others = |other: &Arc<Job>| !Arc::ptr_eq(other, job);
            state.jobs.retain(others);
        }
        drop(state);
        let all_left = || job.active.load(Ordering::Acquire) == 0;
        if all_left() {
            return;
        }
        let start = Instant::now();
        while !all_left() && start.elapsed() < SPIN_FOR_LAST {
            std::hint::spin_loop();
        }
        let mut sleeping = job.sleeping.lock();
        while !all_left() {
            job.last_left.wait(&mut sleeping);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ArrayRange, count, for_arrays, parse, run_parallel};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn short_work_does_not_wait_for_busy_threads() {
        let all = Barrier::new(count() + 1);
        let long = |_| {
            all.wait();
            all.wait();
        };
        std::thread::scope(|scope| {
            scope.spawn(|| run_parallel(count() - 1, &long));
            all.wait();
            let calls = AtomicUsize::new(0);
            run_parallel(count() - 1, &|_| _ = calls.fetch_add(1, Ordering::SeqCst));
            assert_eq!(calls.into_inner(), 1);
            all.wait();
        });
    }

    #[test]
    fn work_ends_when_all_helpers_have_left() {
        for _ in 0..200 {
            let (inside, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
            run_parallel(count() - 1, &|number| {
                assert!(number < count());
                inside.fetch_add(1, Ordering::SeqCst);
                calls.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(100));
                inside.fetch_sub(1, Ordering::SeqCst);
            });
            assert_eq!(inside.into_inner(), 0);
            assert!((1..=count()).contains(&calls.into_inner()));
        }
    }

    /// The work needs all threads, also those that sleep.
    #[test]
    fn sleeping_threads_are_woken() {
        for pause in [0, 0, 1, 20] {
            std::thread::sleep(Duration::from_millis(pause));
            let all = Barrier::new(count());
            run_parallel(count() - 1, &|_| _ = all.wait());
        }
    }

    #[test]
    fn jobs_can_be_submitted_concurrently() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let calls = AtomicUsize::new(0);
                        run_parallel(count() - 1, &|_| _ = calls.fetch_add(1, Ordering::SeqCst));
                        assert!((1..=count()).contains(&calls.into_inner()));
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_of_another_thread_is_propagated_and_the_thread_survives() {
        if count() == 1 {
            return;
        }
        for _ in 0..3 {
            let two = Barrier::new(2);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                run_parallel(1, &|number| {
                    two.wait();
                    assert!(number == 0, "a test's");
                });
            }));
            assert!(outcome.is_err());
        }
    }

    #[test]
    fn a_part_of_a_cluster_has_no_more_threads_than_arrays() {
        let all = ArrayRange::all(2);
        assert_eq!(for_arrays(all), count());
        assert_eq!(for_arrays(all.part(1, 1).unwrap()), 1);
    }

    #[test]
    fn the_variable_is_a_number_from_one() {
        assert_eq!(parse(" 3 "), Some(3));
        for bad in ["", "0", "-1", "four", "100000"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
