//! Builds in the background. A few threads execute them: a host program may request a thousand at
//! once, and each needs megabytes.

use crate::execution::callbacks;
use host_exec::{process_lifecycle, threads};
use kernel_compiler::process_end::Use;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::thread;

/// Most threads that build at the same time.
static MAX_THREADS: Lazy<usize> = Lazy::new(|| {
    2 * thread::available_parallelism()
        .map_or(4, usize::from)
        .max(4)
});

type Build = Box<dyn FnOnce() + Send>;

static WAITING: Mutex<Waiting> = Mutex::new(Waiting {
    builds: VecDeque::new(),
    threads: 0,
});

struct Waiting {
    builds: VecDeque<Build>,
    /// Threads that take builds.
    threads: usize,
}

/// Calls `build` and then `notify` in the background, or at once if the system has no thread.
/// `notify` may wait for other builds. The end of the process waits for both.
pub(crate) fn run(build: impl FnOnce() + Send + 'static, notify: impl FnOnce() + Send + 'static) {
    // Threads do not survive a `fork`, and their locks may stay locked in the child.
    if process_lifecycle::forked() {
        build();
        notify();
        return;
    }
    // Begun here, not by the thread that builds, so that the end of the process waits for it.
    let in_use = Use::begin().ok();
    let build = Box::new(move || {
        build();
        callbacks::call_later(move || {
            let _calls_host = in_use.as_ref().map(Use::calls_host);
            notify();
        });
    });
    let mut waiting = WAITING.lock();
    waiting.builds.push_back(build);
    if waiting.threads == *MAX_THREADS {
        return;
    }
    match threads::start("mocl3-build", None, work) {
        Ok(()) => waiting.threads += 1,
        Err(error) if waiting.threads == 0 => {
            log::warn!("no thread to build programs: {error}");
            let build = waiting.builds.pop_back();
            drop(waiting);
            if let Some(build) = build {
                build();
            }
        }
        // Another thread takes the build.
        Err(_) => {}
    }
}

/// Builds until no build waits.
fn work() {
    let mut waiting = WAITING.lock();
    while let Some(build) = waiting.builds.pop_front() {
        drop(waiting);
        build();
        waiting = WAITING.lock();
    }
    waiting.threads -= 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    #[test]
    fn concurrent_builds_are_limited_and_all_end() {
        static NOW: AtomicUsize = AtomicUsize::new(0);
        static HIGHEST: AtomicUsize = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let count = 4 * *MAX_THREADS;
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
        assert!(HIGHEST.load(Ordering::SeqCst) <= *MAX_THREADS);
    }

    #[test]
    fn callbacks_may_wait_for_other_builds() {
        fn chain(depth: usize, called: mpsc::Sender<()>) {
            run(
                || (),
                move || {
                    if depth > 0 {
                        let (sender, receiver) = mpsc::channel();
                        chain(depth - 1, sender);
                        receiver.recv().unwrap();
                    }
                    called.send(()).unwrap();
                },
            );
        }
        let (sender, receiver) = mpsc::channel();
        chain(2 * *MAX_THREADS, sender);
        receiver.recv().unwrap();
    }
}
