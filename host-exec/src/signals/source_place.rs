//! Source places of faults. They are found by a thread that waits for the handler: that takes
//! memory and locks, which the faulting thread may hold.

use crate::signals::kernel_description::SourceLookup;
use crate::signals::paragraph;
use crate::signals::polling::wait;
use crate::threads;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// How long a handler waits for a source place, milliseconds.
pub(super) const PATIENCE: u32 = 5000;

/// States of the request.
const NO_THREAD: u32 = 0;
const IDLE: u32 = 1;
/// A handler writes the request.
const CLAIMED: u32 = 2;
const POSTED: u32 = 3;

/// A request of a handler to the thread.
struct Request {
    state: AtomicU32,
    posted: UnsafeCell<MaybeUninit<libc::sem_t>>,
    fault: UnsafeCell<Option<(Arc<dyn SourceLookup>, usize)>>,
}

// SAFETY: the semaphore is initialised before the state leaves `NO_THREAD`; the fault is accessed
// by the handler that has claimed the request, and after it is posted by the thread.
unsafe impl Sync for Request {}

static REQUEST: Request = Request {
    state: AtomicU32::new(NO_THREAD),
    posted: UnsafeCell::new(MaybeUninit::zeroed()),
    fault: UnsafeCell::new(None),
};

/// Starts the thread. Without it, no places are printed.
pub(super) fn prepare() {
    // SAFETY: nothing uses the semaphore yet.
    if unsafe { libc::sem_init(REQUEST.posted.get().cast(), 0, 0) } != 0 {
        return;
    }
    REQUEST.state.store(IDLE, Ordering::Release);
    if let Err(error) = threads::start("mocl3-faults", None, serve) {
        REQUEST.state.store(NO_THREAD, Ordering::Release);
        log::debug!("no thread to find source lines of faults: {error}");
    }
}

/// Prints the place of each fault that is posted.
fn serve() {
    loop {
        // SAFETY: the semaphore lives as long as the process.
        if unsafe { libc::sem_wait(REQUEST.posted.get().cast()) } != 0 {
            continue;
        }
        // SAFETY: a posted request is this thread's.
        if let Some((lookup, address)) = unsafe { (*REQUEST.fault.get()).take() } {
            let place = catch_unwind(AssertUnwindSafe(|| lookup.describe(address)));
            if let Ok(Some(text)) = place {
                paragraph::write(text.as_bytes());
            }
        }
        REQUEST.state.store(IDLE, Ordering::Release);
    }
}

/// Prints the place of an instruction, unless that takes too long or another fault's is being
/// printed. For signal handlers.
pub(super) fn print(lookup: Arc<dyn SourceLookup>, address: usize) {
    let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
    let state = &REQUEST.state;
    if state
        .compare_exchange(IDLE, CLAIMED, acquire, relaxed)
        .is_err()
    {
        return;
    }
    // SAFETY: the request is claimed; the semaphore is initialised.
    unsafe {
        *REQUEST.fault.get() = Some((lookup, address));
        state.store(POSTED, Ordering::Release);
        libc::sem_post(REQUEST.posted.get().cast());
    }
    wait(PATIENCE, || state.load(Ordering::Acquire) != POSTED);
}
