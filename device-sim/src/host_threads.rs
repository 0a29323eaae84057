//! The host threads that run work-groups. One pool serves all clusters: it is as
//! wide as the host, whatever the machine simulated is.

use crate::process;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many host threads run work-groups: a number from 1 on.
pub const VARIABLE: &str = "MOCL3_HOST_THREADS";

/// Most threads that `MOCL3_HOST_THREADS` may ask for.
const MOST: usize = 4096;

/// Kernels keep large private data elsewhere; calls of library functions need some.
const STACK_BYTES: usize = 8 << 20;

/// How many threads run work-groups together, the launching thread included.
pub fn count() -> usize {
    static COUNT: Lazy<usize> = Lazy::new(|| {
        let host = std::thread::available_parallelism().map_or(1, usize::from);
        let Some(text) = std::env::var_os(VARIABLE) else {
            return host;
        };
        parse(&text.to_string_lossy()).unwrap_or_else(|| {
            log::warn!("{VARIABLE}={text:?} is no number from 1 to {MOST}; using {host}");
            host
        })
    });
    *COUNT
}

fn parse(text: &str) -> Option<usize> {
    let count: usize = text.trim().parse().ok()?;
    (1..=MOST).contains(&count).then_some(count)
}

/// The threads beside the launching one. None if there are none: one host thread
/// only, a child of `fork`, or a system that starts no more threads.
fn pool() -> Option<&'static ThreadPool> {
    static POOL: Lazy<Option<ThreadPool>> = Lazy::new(|| {
        process::watch();
        if count() == 1 {
            return None;
        }
        ThreadPoolBuilder::new()
            .num_threads(count() - 1)
            .thread_name(|index| format!("mocl3-host-{index}"))
            .stack_size(STACK_BYTES)
            .build()
            .inspect_err(|error| log::warn!("no host threads: {error}"))
            .ok()
    });
    if process::forked() {
        return None;
    }
    POOL.as_ref()
}

/// Calls `work` on this thread and, at the same time, on up to `others` threads of the
/// pool. Returns when all calls have ended. Threads that are busy elsewhere until then are
/// not waited for: a short launch beside a long one stays short.
pub(crate) fn together(others: usize, work: &(dyn Fn() + Sync)) {
    let Some(pool) = pool().filter(|_| others > 0) else {
        work();
        return;
    };
    // SAFETY: the lifetime is only lengthened for as long as `Withdrawal` makes sure that
    // nobody is in the work, or comes to it.
    let work_of_others =
        unsafe { std::mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(work) };
    let invitation = Arc::new(Invitation {
        work: work_of_others,
        state: AtomicUsize::new(0),
        sleeping: Mutex::new(()),
        last_left: Condvar::new(),
    });
    let withdrawal = Withdrawal(&invitation);
    for _ in 0..others {
        let invitation = Arc::clone(&invitation);
        pool.spawn(move || invitation.accept());
    }
    work();
    drop(withdrawal);
}

/// In an invitation's state: it is withdrawn. The rest counts the threads at work.
const WITHDRAWN: usize = 1 << (usize::BITS - 1);

/// Who waits for the last threads looks this long before it sleeps. They end within a
/// chunk of work-groups.
const LOOK: Duration = Duration::from_micros(50);

/// An invitation to join in a piece of work.
struct Invitation {
    work: &'static (dyn Fn() + Sync),
    state: AtomicUsize,
    sleeping: Mutex<()>,
    last_left: Condvar,
}

impl Invitation {
    fn accept(&self) {
        let join = |state| (state & WITHDRAWN == 0).then_some(state + 1);
        if self
            .state
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, join)
            .is_err()
        {
            return;
        }
        struct Leaving<'a>(&'a Invitation);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                if self.0.state.fetch_sub(1, Ordering::Release) == WITHDRAWN + 1 {
                    drop(self.0.sleeping.lock());
                    self.0.last_left.notify_one();
                }
            }
        }
        let _leaving = Leaving(self);
        (self.work)();
    }
}

/// Ends an invitation: waits for those who have come.
struct Withdrawal<'a>(&'a Invitation);

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        let state = &self.0.state;
        if state.fetch_or(WITHDRAWN, Ordering::Acquire) == 0 {
            return;
        }
        let all_left = || state.load(Ordering::Acquire) == WITHDRAWN;
        let start = Instant::now();
        while !all_left() && start.elapsed() < LOOK {
            std::hint::spin_loop();
        }
        let mut sleeping = self.0.sleeping.lock();
        while !all_left() {
            self.0.last_left.wait(&mut sleeping);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{count, parse, together};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn short_work_does_not_wait_for_threads_that_are_busy() {
        let everybody = Barrier::new(count() + 1);
        let long = || {
            everybody.wait();
            everybody.wait();
        };
        std::thread::scope(|scope| {
            scope.spawn(|| together(count() - 1, &long));
            everybody.wait();
            let calls = AtomicUsize::new(0);
            together(count() - 1, &|| _ = calls.fetch_add(1, Ordering::SeqCst));
            assert_eq!(calls.into_inner(), 1);
            everybody.wait();
        });
    }

    #[test]
    fn work_ends_when_all_who_came_have_left() {
        for _ in 0..200 {
            let (inside, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
            together(count() - 1, &|| {
                inside.fetch_add(1, Ordering::SeqCst);
                calls.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_micros(100));
                inside.fetch_sub(1, Ordering::SeqCst);
            });
            assert_eq!(inside.into_inner(), 0);
            assert!((1..=count()).contains(&calls.into_inner()));
        }
    }

    #[test]
    fn the_variable_is_a_number_from_one() {
        assert_eq!(parse(" 3 "), Some(3));
        for bad in ["", "0", "-1", "four", "100000"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
