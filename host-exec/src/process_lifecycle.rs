//! `fork`, whose child has none of the parent's other threads.

use once_cell::sync::Lazy;
use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);

static WATCH: Lazy<()> = Lazy::new(|| {
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
    }
    // SAFETY: the handler only stores to an atomic; this library is never unloaded.
    unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
    }
});

/// Registers the handler. Has to be called before the first thread is started.
pub fn watch() {
    Lazy::force(&WATCH);
}

/// Whether this is a child of `fork`, without the threads started earlier.
pub fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}
