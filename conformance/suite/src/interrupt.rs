//! Ctrl-C: ends the running cases and reports the results so far.

use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Installs handlers of SIGINT and SIGTERM: the first signal sets a flag, the second one ends the
/// process.
///
/// # Errors
/// The system refuses the signal handlers.
pub fn watch() -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order matters: at the first signal, the conditional default must find the flag unset.
        flag::register_conditional_default(signal, Arc::clone(&ASKED))?;
        flag::register(signal, Arc::clone(&ASKED))?;
    }
    Ok(())
}

/// Whether this process has received a signal to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
