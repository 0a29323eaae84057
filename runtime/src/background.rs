//! Builds that go on in the background, and the wait for them before the process
//! takes LLVM down.

use device_sim::process;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::time::Duration;

/// How long the end of the process waits for builds.
const PATIENCE: Duration = Duration::from_secs(10);

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

static WAIT_AT_EXIT: Lazy<()> = Lazy::new(|| {
    extern "C" fn wait() {
        if !process::forked() {
            let mut running = RUNNING.lock();
            ENDED.wait_while_for(&mut running, |running| *running > 0, PATIENCE);
        }
    }
    // SAFETY: the handler waits on statics only; this library is never unloaded.
    unsafe { libc::atexit(wait) };
});

/// Runs `body` on a thread of its own, or, if the system has none left, at once.
pub(crate) fn run(body: impl FnOnce() + Send + 'static) {
    Lazy::force(&WAIT_AT_EXIT);
    *RUNNING.lock() += 1;
    struct Done;
    impl Drop for Done {
        fn drop(&mut self) {
            *RUNNING.lock() -= 1;
            ENDED.notify_all();
        }
    }
    let body = std::sync::Arc::new(Mutex::new(Some(move || {
        let _done = Done;
        body();
    })));
    let take = std::sync::Arc::clone(&body);
    let started = std::thread::Builder::new()
        .name("mocl3-build".into())
        .spawn(move || {
            let body = take.lock().take();
            if let Some(body) = body {
                body();
            }
        });
    if started.is_err()
        && let Some(body) = body.lock().take()
    {
        body();
    }
}
