//! Ctrl-C: the cases that run are ended, and what is known by then is reported.

use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on these signals do not end the process, but only the second time.
///
/// # Errors
/// The system's.
pub fn watch() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds that nobody has asked yet.
        flag::register_conditional_default(signal, Arc::clone(&ASKED))?;
        flag::register(signal, Arc::clone(&ASKED))?;
    }
    Ok(())
}

/// Somebody wants this process to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
