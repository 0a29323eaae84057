//! What went wrong where no `Result` can carry it: in callbacks, and when references are
//! given back.

use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());
static ANY: AtomicBool = AtomicBool::new(false);

/// Kept, the others are only counted.
const MOST: usize = 20;

/// Something is wrong.
pub fn note(sentence: String) {
    ANY.store(true, Ordering::Relaxed);
    let mut failures = FAILURES.lock();
    if failures.len() < MOST {
        eprintln!("FAILED: {sentence}");
        failures.push(sentence);
    }
}

/// Something is wrong if `right` is not.
pub fn note_unless(right: bool, sentence: impl FnOnce() -> String) {
    if !right {
        note(sentence());
    }
}

/// Notes the error of a callback.
pub fn note_error(result: anyhow::Result<()>) {
    if let Err(error) = result {
        note(format!("{error:#}"));
    }
}

/// Whether anything went wrong.
pub fn any() -> bool {
    ANY.load(Ordering::Relaxed)
}

/// All that went wrong until now, taken.
pub fn take() -> Vec<String> {
    ANY.store(false, Ordering::Relaxed);
    std::mem::take(&mut *FAILURES.lock())
}
