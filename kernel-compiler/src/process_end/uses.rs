//! Guards of uses of clang and LLVM.

use super::{registrations, state};
use crate::failure::BuildFailure;
use once_cell::sync::Lazy;
use std::marker::PhantomData;

/// Registers the handlers of exit and fork; `registrations` must come before the first use.
static HANDLERS: Lazy<()> = Lazy::new(|| {
    extern "C" fn at_exit() {
        state::close();
    }
    extern "C" fn in_child() {
        state::forked();
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
        if state::is_lost() {
            return refused(
                "a child of fork cannot compile if its parent was compiling at the fork",
            );
        }
        Lazy::force(&HANDLERS);
        state::begin_use();
        let admitted = Self(());
        // Checked after the use is counted: `close` either sees the use or refuses it.
        if state::is_closed() {
            return refused("the process ends");
        }
        Ok(admitted)
    }

    /// The host program's code runs on this thread as long as the guard lives. If it calls `exit`,
    /// that must not wait for this use.
    pub fn calls_host(&self) -> CallsHost<'_> {
        state::enter_host();
        CallsHost(PhantomData)
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        state::end_use();
    }
}

/// See [`Use::calls_host`]. Belongs to the thread that made it.
#[must_use]
pub struct CallsHost<'a>(PhantomData<(&'a Use, *const ())>);

impl Drop for CallsHost<'_> {
    fn drop(&mut self) {
        state::leave_host();
    }
}
