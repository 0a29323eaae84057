//! Failures that no `Result` can return: in callbacks, and when references are released.

use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);

/// Maximum number of kept failures; further ones are only counted.
const MOST: usize = 20;

/// Records a failure.
pub fn note(sentence: String) {
    ANY.store(true, Ordering::Relaxed);
    let mut failures = FAILURES.lock();
    if failures.len() < MOST {
        eprintln!("FAILED: {sentence}");
        failures.push(sentence);
    }
}

/// Records a failure unless `right` is true.
pub fn note_unless(right: bool, sentence: impl FnOnce() -> String) {
    if !right {
        note(sentence());
    }
}

/// Records the error of a callback.
pub fn note_error(result: anyhow::Result<()>) {
    if let Err(error) = result {
        note(format!("{error:#}"));
    }
}

/// Whether a failure is recorded.
pub fn any() -> bool {
    ANY.load(Ordering::Relaxed)
}

/// Removes and returns the recorded failures.
pub fn take() -> Vec<String> {
    ANY.store(false, Ordering::Relaxed);
    std::mem::take(&mut *FAILURES.lock())
}
