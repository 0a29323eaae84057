//! The end of the process while clang or LLVM is in use.
//!
//! `exit` runs handlers and the destructors of static objects in the reverse order of their
//! registration, while other threads go on. clang and LLVM make many of their static objects in
//! the first compilation, so `exit` would destroy them under a compilation that still runs. Two
//! things prevent that:
//!
//! - Each use of clang or LLVM holds a [`Use`]. A handler of `atexit`, registered before the
//!   first use, admits no more of them and waits until all have ended.
//! - A destructor that clang or LLVM registers later, and that `exit` therefore runs earlier, does
//!   the same first ([`registrations`]).
//!
//! `_exit` and `quick_exit` run no destructors and need none of this.

mod registrations;

use crate::failure::BuildFailure;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long the end of the process waits, at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// Uses that have not ended.
static USES: AtomicUsize = AtomicUsize::new(0);

/// No more uses are admitted.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// This process is a child of `fork`, made while a thread of the parent's used the compiler:
/// nobody ever gives back the locks that the thread held.
static LOST: AtomicBool = AtomicBool::new(false);

/// When the end of the process began to wait. Locked to wait and to wake up.
static BEGUN: Mutex<Option<Instant>> = Mutex::new(None);
static ENDED: Condvar = Condvar::new();

thread_local! {
    /// Uses that this thread itself will not end before `exit` returns.
    static HERE: Cell<usize> = const { Cell::new(0) };
}

static WATCH: Lazy<()> = Lazy::new(|| {
    extern "C" fn at_exit() {
        close();
    }
    extern "C" fn in_child() {
        if USES.load(Ordering::SeqCst) > 0 {
            LOST.store(true, Ordering::SeqCst);
        }
    }
    // SAFETY: the handlers use statics only; this library is never unloaded.
    unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
        libc::atexit(at_exit);
    }
    registrations::watch();
});

/// Clang or LLVM is in use, or soon will be: the end of the process waits until this is dropped.
#[must_use]
pub struct Use(());

impl Use {
    /// # Errors
    /// The process ends, or is a child of `fork` that must not use the compiler.
    pub fn begin() -> Result<Self, BuildFailure> {
        let refused = |why| Err(BuildFailure::new(format!("error: {why}\n")));
        if LOST.load(Ordering::SeqCst) {
            return refused(
                "a child of fork cannot compile if its parent was compiling at the fork",
            );
        }
        Lazy::force(&WATCH);
        USES.fetch_add(1, Ordering::SeqCst);
        let admitted = Self(());
        // Looked at after the use is counted: `close` either sees it or refuses it.
        if is_closed() {
            return refused("the process ends");
        }
        Ok(admitted)
    }

    /// The host program's code runs on this thread as long as the guard lives. If it calls `exit`,
    /// that must not wait for this use.
    pub fn calls_host(&self) -> CallsHost<'_> {
        HERE.set(HERE.get() + 1);
        CallsHost(PhantomData)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        USES.fetch_sub(1, Ordering::SeqCst);
        if is_closed() {
            let _waiting = BEGUN.lock();
            ENDED.notify_all();
        }
    }
}

/// See [`Use::calls_host`]. Belongs to the thread that made it.
#[must_use]
pub struct CallsHost<'a>(PhantomData<(&'a Use, *const ())>);

impl Drop for CallsHost<'_> {
    fn drop(&mut self) {
        HERE.set(HERE.get() - 1);
    }
}

/// Whether the process ends, so that what takes time should be given up.
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::SeqCst)
}

/// Admits no more uses and waits until all have ended, `PATIENCE` at most over all calls. Whether
/// they have.
fn close() -> bool {
    let in_use = || USES.load(Ordering::SeqCst) > HERE.get();
    // A child of `fork` has none of the threads that it would wait for.
    if LOST.load(Ordering::SeqCst) {
        return false;
    }
    CLOSED.store(true, Ordering::SeqCst);
    let mut begun = BEGUN.lock();
    let deadline = *begun.get_or_insert_with(Instant::now) + PATIENCE;
    while in_use() {
        if ENDED.wait_until(&mut begun, deadline).timed_out() {
            break;
        }
    }
    !in_use()
}
