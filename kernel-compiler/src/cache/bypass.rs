//! Whether results of earlier compilations may be used.

use crate::debugger;
use crate::inspect::dump;
use std::sync::atomic::{AtomicBool, Ordering};

/// A tool of this process shows the compiler at work.
static BYPASSED: AtomicBool = AtomicBool::new(false);

/// From now on this process compiles everything itself and keeps nothing: for tools that show the
/// compiler at work.
pub fn bypass() {
    BYPASSED.store(true, Ordering::Relaxed);
}

/// Whether everything is to be compiled, since a tool or `MOCL3_DUMP` shows it, or a debugger does:
/// then paths of the session are in the code.
pub fn is_bypassed() -> bool {
    dump::is_on() || debugger::is_on() || BYPASSED.load(Ordering::Relaxed)
}
