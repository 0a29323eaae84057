//! Compilation that goes on in the background, and the wait for it before the process takes
//! LLVM down.

use device_sim::process;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long the end of the process waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// Builds that have not ended, callbacks included, and threads that compile ahead.
static RUNNING: Count = Count::new();

/// The process ends.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Builds that use the compiler now: a program may ask for a thousand at once, and each
/// takes megabytes.
static COMPILING: Count = Count::new();

/// Most builds in the background that use the compiler at once.
static MOST: Lazy<usize> = Lazy::new(|| {
    2 * thread::available_parallelism()
        .map_or(4, usize::from)
        .max(4)
});

/// Makes the end of the process wait for what runs then, before anything that LLVM has made so
/// far is taken down. LLVM makes much of it when it first needs it, and handlers of `atexit` run
/// last first, so this is called again before each compilation.
pub(crate) fn wait_at_exit() {
    extern "C" fn wait() {
        let again = ENDING.swap(true, Ordering::Relaxed);
        if !again && !process::forked() {
            let mut running = RUNNING.number.lock();
            let some = |running: &mut usize| *running > 0;
            RUNNING.changed.wait_while_for(&mut running, some, PATIENCE);
        }
    }
    // SAFETY: the handler waits on statics only; this library is never unloaded.
    unsafe { libc::atexit(wait) };
}

/// How many there are of something.
struct Count {
    number: Mutex<usize>,
    changed: Condvar,
}

/// Something that uses the compiler: the end of the process waits for it.
pub(crate) struct Running {
    _counted: Counted,
}

impl Running {
    /// From now until it is dropped.
    pub fn begin() -> Self {
        wait_at_exit();
        Self {
            _counted: RUNNING.enter(usize::MAX),
        }
    }
}

/// Whether the process ends, so that nothing should begin that takes time.
pub(crate) fn ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}

/// One of those that are counted.
struct Counted(&'static Count);

impl Count {
    const fn new() -> Self {
        Self {
            number: Mutex::new(0),
            changed: Condvar::new(),
        }
    }

    /// Counts one more, as soon as there are fewer than `most`.
    fn enter(&'static self, most: usize) -> Counted {
        let mut number = self.number.lock();
        self.changed
            .wait_while(&mut number, |number| *number >= most);
        *number += 1;
        Counted(self)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        *self.0.number.lock() -= 1;
        self.0.changed.notify_all();
    }
}

/// Runs `build` and then `notify` on a thread of their own, or, if the system has none
/// left, at once. `notify` may wait for other builds.
pub(crate) fn run(build: impl FnOnce() + Send + 'static, notify: impl FnOnce() + Send + 'static) {
    let running = Running::begin();
    let body = Arc::new(Mutex::new(Some(move || {
        let _running = running;
        let compiling = COMPILING.enter(*MOST);
        wait_at_exit();
        build();
        drop(compiling);
        notify();
    })));
    let take = Arc::clone(&body);
    let started = thread::Builder::new()
        .name("mocl3-build".into())
        .spawn(move || {
            let body = take.lock().take();
            if let Some(body) = body {
                body();
            }
        });
    if started.is_err() {
        let body = body.lock().take();
        if let Some(body) = body {
            body();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;

    #[test]
    fn few_builds_use_the_compiler_at_once_and_all_end() {
        static NOW: AtomicUsize = AtomicUsize::new(0);
        static HIGHEST: AtomicUsize = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let count = 4 * *MOST;
        for _ in 0..count {
            let sender = sender.clone();
            let build = || {
                let now = NOW.fetch_add(1, Ordering::SeqCst) + 1;
                HIGHEST.fetch_max(now, Ordering::SeqCst);
                thread::yield_now();
                NOW.fetch_sub(1, Ordering::SeqCst);
            };
            run(build, move || sender.send(()).unwrap());
        }
        for _ in 0..count {
            receiver.recv().unwrap();
        }
        assert!(HIGHEST.load(Ordering::SeqCst) <= *MOST);
    }

    #[test]
    fn those_told_may_wait_for_other_builds() {
        fn chain(depth: usize, told: mpsc::Sender<()>) {
            run(
                || (),
                move || {
                    if depth > 0 {
                        let (sender, receiver) = mpsc::channel();
                        chain(depth - 1, sender);
                        receiver.recv().unwrap();
                    }
                    told.send(()).unwrap();
                },
            );
        }
        let (sender, receiver) = mpsc::channel();
        chain(2 * *MOST, sender);
        receiver.recv().unwrap();
    }
}
