//! Epochs: periods in which LLVM frees nothing that a handle of this thread refers to.

use super::graveyard;
use std::cell::Cell;

thread_local! {
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// An epoch of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(u64);

impl Epoch {
    /// The one that lasts.
    #[inline]
    pub fn current() -> Self {
        Self(CURRENT.get())
    }

    /// Whether it lasts.
    #[inline]
    pub fn is_current(self) -> bool {
        self == Self::current()
    }

    /// # Panics
    /// The epoch has ended; `what` names the user's kind.
    #[inline]
    #[track_caller]
    pub fn check(self, what: &str) {
        if !self.is_current() {
            ended(what);
        }
    }
}

#[cold]
#[track_caller]
fn ended(what: &str) -> ! {
    panic!("this {what} is used after LLVM may have freed it");
}

/// Ends the epoch of this thread, and frees what was buried in it. To be called before LLVM
/// frees parts of modules itself.
pub fn end() {
    CURRENT.set(CURRENT.get() + 1);
    graveyard::free();
}

/// Ends the epoch when it is dropped.
#[derive(Default)]
pub struct EndOnDrop;

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        end();
    }
}
