//! The uses of clang and LLVM that the end of the process waits for.

use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest time that the end of the process waits.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Uses that have not ended.
static USES: AtomicUsize = AtomicUsize::new(0);

/// The process ends: new uses are refused.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// This process is a child of `fork` that was made while another thread used the compiler: the
/// locks that the thread held are never released.
static LOST: AtomicBool = AtomicBool::new(false);

/// When the end of the process began to wait. Locked to wait and to wake up.
static BEGUN: Mutex<Option<Instant>> = Mutex::new(None);
static ENDED: Condvar = Condvar::new();

thread_local! {
    /// Uses that this thread itself will not end before `exit` returns.
    static HERE: Cell<usize> = const { Cell::new(0) };
}

/// Whether this process must not use the compiler.
pub fn is_lost() -> bool {
    LOST.load(Ordering::SeqCst)
}

/// To be called in a child of `fork`.
pub fn forked() {
    if USES.load(Ordering::SeqCst) > 0 {
        LOST.store(true, Ordering::SeqCst);
    }
}

/// Counts a use.
pub fn begin_use() {
    USES.fetch_add(1, Ordering::SeqCst);
}

/// Ends a use that was counted.
pub fn end_use() {
    USES.fetch_sub(1, Ordering::SeqCst);
    if is_closed() {
        let _waiting = BEGUN.lock();
        ENDED.notify_all();
    }
}

/// From now on one more use of this thread is not waited for.
pub fn enter_host() {
    HERE.set(HERE.get() + 1);
}

/// The reverse of `enter_host`.
pub fn leave_host() {
    HERE.set(HERE.get() - 1);
}

/// Whether the process ends, so that long work should be given up.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::SeqCst)
}

/// Refuses new uses and waits until all have ended, `EXIT_TIMEOUT` at most over all calls. Returns
/// whether they have ended.
pub fn close() -> bool {
    let in_use = || USES.load(Ordering::SeqCst) > HERE.get();
    // A child of `fork` has none of the threads that it would wait for.
    if is_lost() {
        return false;
    }
    CLOSED.store(true, Ordering::SeqCst);
    let mut begun = BEGUN.lock();
    let deadline = *begun.get_or_insert_with(Instant::now) + EXIT_TIMEOUT;
    while in_use() {
        if ENDED.wait_until(&mut begun, deadline).timed_out() {
            break;
        }
    }
    !in_use()
}
