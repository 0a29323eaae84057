//! Ctrl-C: ends the running cases and reports the results so far.

use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the first SIGINT or SIGTERM only sets a flag; the second ends the process.
///
/// # Errors
/// The system refuses the signal handlers.
pub fn watch() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // In this order: at the first signal the conditional default still finds the flag unset.
        flag::register_conditional_default(signal, Arc::clone(&ASKED))?;
        flag::register(signal, Arc::clone(&ASKED))?;
    }
    Ok(())
}

/// Whether a signal has asked this process to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
