//! What happens to the process as a whole: `fork`, after which no thread of the
//! parent's runs in the child, and the end, after which libraries take themselves down.

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

/// Starts to watch. To be called before the first thread is started. Handlers of
/// `atexit` run last first, so this one runs before the destructors of libraries that
/// are loaded now.
pub fn watch() {
    Lazy::force(&WATCH);
}

/// Whether threads started before belong to another process.
pub fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Whether `exit` has begun: what is not needed any more is left to the system.
pub fn ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}
