//! The host threads that run work-groups. One pool serves all clusters: it is as
//! wide as the host, whatever the machine simulated is.
//!
//! A thread without work looks for some for a short while (`LOOK`), since launches often
//! follow one another, and then sleeps until it is woken.

use crate::floating_point::in_default_environment;
use crate::{process_lifecycle, threads};
use device_sim::array_range::ArrayRange;
use environment::HOST_THREADS;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Most threads that `MOCL3_HOST_THREADS` may ask for.
const MOST: usize = 4096;

/// Kernels keep large private data elsewhere; calls of library functions need some.
const STACK_BYTES: usize = 8 << 20;

/// How long a thread without work looks for some before it sleeps: about as long as it
/// takes until a thread that is woken runs.
const LOOK: Duration = Duration::from_micros(50);

/// Who waits for the last threads looks this long before it sleeps. They end within a
/// chunk of work-groups.
const LOOK_FOR_THE_LAST: Duration = Duration::from_micros(50);

/// How many others a thread wakes at most; each of them wakes as many.
const WAKES: usize = 4;

/// Processors that this process may use.
fn processors() -> usize {
    static PROCESSORS: Lazy<usize> =
        Lazy::new(|| thread::available_parallelism().map_or(1, usize::from));
    *PROCESSORS
}

/// How many threads run work-groups together, the launching thread included.
pub fn count() -> usize {
    static COUNT: Lazy<usize> = Lazy::new(|| {
        let host = processors();
        let Some(text) = HOST_THREADS.get() else {
            return host;
        };
        parse(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!("{HOST_THREADS}={text:?} is no number from 1 to {MOST}; using {host}");
            host
        })
    });
    *COUNT
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
    (1..=MOST).contains(&count).then_some(count)
}

/// A piece of work that several threads do together. Its argument is a number of the
/// thread, from 0 for the launching one up to `count`, and the same each time.
type Work<'a> = dyn Fn(usize) + Sync + 'a;

/// The threads beside the launching one.
#[derive(Default)]
struct Pool {
    /// Places in invitations that nobody has taken.
    places: AtomicUsize,
    /// Threads that look for one.
    looking: AtomicUsize,
    state: Mutex<PoolState>,
}

#[derive(Default)]
struct PoolState {
    /// Those with places left, oldest first.
    invitations: VecDeque<Arc<Invitation>>,
    /// Threads that sleep, and what tells them that they were woken.
    sleeping: Vec<(Thread, Arc<AtomicBool>)>,
}

/// Started when they are wanted for the first time. None if there are none: one host thread
/// only, or a system that starts no more.
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

/// None in a child of `fork` as well.
fn pool() -> Option<&'static Pool> {
    if process_lifecycle::forked() {
        return None;
    }
    *POOL
}

/// Whether threads would join in at once, without having to be started or woken.
pub(crate) fn are_awake() -> bool {
    let started = Lazy::get(&POOL).copied().flatten();
    started.is_some_and(|pool| pool.looking.load(Ordering::Relaxed) > 0)
}

/// Calls `work` on this thread and, at the same time, on up to `others` threads of the
/// pool. Returns when all calls have ended. Threads that are busy elsewhere until then are
/// not waited for: a short launch beside a long one stays short.
pub(crate) fn together(others: usize, work: &Work<'_>) {
    let Some(pool) = pool().filter(|_| others > 0) else {
        work(0);
        return;
    };
    // SAFETY: the lifetime is only lengthened for as long as `Withdrawal` makes sure that
    // nobody is in the work, or comes to it.
    let work_of_others = unsafe { std::mem::transmute::<&Work<'_>, &'static Work<'static>>(work) };
    let invitation = Arc::new(Invitation {
        work: work_of_others,
        places: AtomicUsize::new(others),
        at_work: AtomicUsize::new(0),
        panicked: AtomicBool::new(false),
        sleeping: Mutex::new(()),
        last_left: Condvar::new(),
    });
    let withdrawal = Withdrawal(pool, &invitation);
    pool.invite(&invitation, others);
    work(0);
    drop(withdrawal);
    assert!(
        !invitation.panicked.load(Ordering::Relaxed),
        "another host thread panicked"
    );
}

/// An invitation to join in a piece of work.
struct Invitation {
    work: &'static Work<'static>,
    /// How many may still come; changed with the pool locked only.
    places: AtomicUsize,
    /// Those who came and have not left.
    at_work: AtomicUsize,
    panicked: AtomicBool,
    sleeping: Mutex<()>,
    last_left: Condvar,
}

impl Pool {
    fn invite(&self, invitation: &Arc<Invitation>, others: usize) {
        let mut state = self.state.lock();
        state.invitations.push_back(Arc::clone(invitation));
        self.places.fetch_add(others, Ordering::Relaxed);
        drop(state);
        self.wake();
    }

    /// Wakes threads for the places that those who look leave over.
    fn wake(&self) {
        let places = self.places.load(Ordering::Relaxed);
        let wanted = places.saturating_sub(self.looking.load(Ordering::Relaxed));
        for _ in 0..wanted.min(WAKES) {
            let Some((thread, woken)) = self.state.lock().sleeping.pop() else {
                return;
            };
            woken.store(true, Ordering::Release);
            thread.unpark();
        }
    }

    /// Takes a place in the oldest invitation.
    fn accept(&self) -> Option<Arc<Invitation>> {
        let mut state = self.state.lock();
        let invitation = Arc::clone(state.invitations.front()?);
        self.places.fetch_sub(1, Ordering::Relaxed);
        invitation.at_work.fetch_add(1, Ordering::Relaxed);
        if invitation.places.fetch_sub(1, Ordering::Relaxed) == 1 {
            state.invitations.pop_front();
        }
        Some(invitation)
    }

    /// What thread `number` does.
    fn serve(&self, number: usize) {
        // Threads that look would only be in the way of those that work.
        let may_look = number < processors();
        let woken = Arc::new(AtomicBool::new(false));
        loop {
            while let Some(invitation) = self.accept() {
                self.wake();
                invitation.work(number);
            }
            if may_look && self.look() {
                continue;
            }
            let mut state = self.state.lock();
            if !state.invitations.is_empty() {
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

    /// Whether there is a place to take before `LOOK` is over.
    fn look(&self) -> bool {
        self.looking.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        let found = loop {
            if self.places.load(Ordering::Relaxed) > 0 {
                break true;
            }
            if start.elapsed() > LOOK {
                break false;
            }
            for _ in 0..16 {
                std::hint::spin_loop();
            }
        };
        self.looking.fetch_sub(1, Ordering::Relaxed);
        found
    }
}

impl Invitation {
    /// Does the work, and leaves.
    fn work(&self, number: usize) {
        // What a kernel changes of the environment must not reach the next launch.
        let work = || in_default_environment(|| (self.work)(number));
        // The launching thread passes a panic on.
        if catch_unwind(AssertUnwindSafe(work)).is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        if self.at_work.fetch_sub(1, Ordering::Release) == 1 {
            drop(self.sleeping.lock());
            self.last_left.notify_one();
        }
    }
}

/// Ends an invitation: waits for those who have come.
struct Withdrawal<'a>(&'static Pool, &'a Arc<Invitation>);

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        let Self(pool, invitation) = self;
        // Places are taken with the pool locked.
        let mut state = pool.state.lock();
        let places = invitation.places.swap(0, Ordering::Relaxed);
        if places > 0 {
            pool.places.fetch_sub(places, Ordering::Relaxed);
            let others = |other: &Arc<Invitation>| !Arc::ptr_eq(other, invitation);
            state.invitations.retain(others);
        }
        drop(state);
        let all_left = || invitation.at_work.load(Ordering::Acquire) == 0;
        if all_left() {
            return;
        }
        let start = Instant::now();
        while !all_left() && start.elapsed() < LOOK_FOR_THE_LAST {
            std::hint::spin_loop();
        }
        let mut sleeping = invitation.sleeping.lock();
        while !all_left() {
            invitation.last_left.wait(&mut sleeping);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ArrayRange, count, for_arrays, parse, together};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn short_work_does_not_wait_for_threads_that_are_busy() {
        let everybody = Barrier::new(count() + 1);
        let long = |_| {
            everybody.wait();
            everybody.wait();
        };
        std::thread::scope(|scope| {
            scope.spawn(|| together(count() - 1, &long));
            everybody.wait();
            let calls = AtomicUsize::new(0);
            together(count() - 1, &|_| _ = calls.fetch_add(1, Ordering::SeqCst));
            assert_eq!(calls.into_inner(), 1);
            everybody.wait();
        });
    }

    #[test]
    fn work_ends_when_all_who_came_have_left() {
        for _ in 0..200 {
            let (inside, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
            together(count() - 1, &|number| {
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

    /// Threads that sleep are woken: the work needs all of them.
    #[test]
    fn everybody_comes_who_is_waited_for() {
        for pause in [0, 0, 1, 20] {
            std::thread::sleep(Duration::from_millis(pause));
            let everybody = Barrier::new(count());
            together(count() - 1, &|_| _ = everybody.wait());
        }
    }

    #[test]
    fn many_can_invite_at_the_same_time() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let calls = AtomicUsize::new(0);
                        together(count() - 1, &|_| _ = calls.fetch_add(1, Ordering::SeqCst));
                        assert!((1..=count()).contains(&calls.into_inner()));
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_of_another_thread_is_passed_on_and_the_thread_stays() {
        if count() == 1 {
            return;
        }
        for _ in 0..3 {
            let two = Barrier::new(2);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                together(1, &|number| {
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
