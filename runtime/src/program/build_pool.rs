//! Builds that go on in the background: by a few threads, since a program may ask for a thousand
//! at once, and each takes megabytes.

use crate::execution::callbacks;
use host_exec::{process_lifecycle, threads};
use kernel_compiler::process_end::Use;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::thread;

/// Most threads that build.
static MOST: Lazy<usize> = Lazy::new(|| {
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

/// Runs `build` and then `notify` in the background, or, if there is no thread, at once. `notify`
/// may wait for other builds. The end of the process waits for both.
pub(crate) fn run(build: impl FnOnce() + Send + 'static, notify: impl FnOnce() + Send + 'static) {
    // Threads do not follow a `fork`, and their locks may be held for ever.
    if process_lifecycle::forked() {
        build();
        notify();
        return;
    }
    // Not begun by the thread that builds: the end of the process must see it.
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
    if waiting.threads == *MOST {
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
        // One of the other threads takes it.
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
