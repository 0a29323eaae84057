//! Events of the process as a whole: `fork`, whose child has none of the parent's other threads, and
//! `exit`, during which libraries run their destructors.

use once_cell::sync::Lazy;
use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);
static ENDING: AtomicBool = AtomicBool::new(false);

static WATCH: Lazy<()> = Lazy::new(|| {
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
    }
    extern "C" fn at_exit() {
        ENDING.store(true, Ordering::SeqCst);
    }
    // SAFETY: the handlers only store to atomics; this library is never unloaded.
    unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
        libc::atexit(at_exit);
    }
});

/// Registers the handlers. Has to be called before the first thread is started. Handlers of `atexit`
/// run in reverse order, so this one runs before the destructors of libraries loaded by then.
pub fn watch() {
    Lazy::force(&WATCH);
}

/// Whether this is a child of `fork`, without the threads started earlier.
pub fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Whether `exit` has begun; from then on resources are left to the system.
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}
