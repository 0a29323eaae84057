//! Whether this process is a child made by `fork`, in which no thread of the
//! parent's runs any more.

use once_cell::sync::Lazy;
use std::sync::atomic::{AtomicBool, Ordering};

static FORKED: AtomicBool = AtomicBool::new(false);

static WATCH: Lazy<()> = Lazy::new(|| {
    extern "C" fn in_child() {
        FORKED.store(true, Ordering::Relaxed);
    }
    // SAFETY: the handler only stores to an atomic; this library is never unloaded.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
});

/// Starts to watch for `fork`. To be called before the first thread is started.
pub fn watch_fork() {
    Lazy::force(&WATCH);
}

/// Whether threads started before belong to another process.
pub fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}
