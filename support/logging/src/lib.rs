//! The log: `MOCL3_LOG=error|warn|info|debug`, to standard error.
//!
//! `debug` shows the sentence behind every error code that is returned. Calls with their
//! arguments are `trace`'s.

use environment::LOG;
use std::ffi::OsStr;
use std::sync::Once;

/// Reads `MOCL3_LOG`, the first time it is called. Called by the functions that a host
/// program can call first.
pub fn initialise() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Fails if this copy of `log` has a logger already, which then stays.
        let levels = LOG.get();
        let levels = levels.as_deref().map(OsStr::to_string_lossy);
        let _ = env_logger::Builder::new()
            .parse_filters(levels.as_deref().unwrap_or("warn"))
            .try_init();
    });
}
