//! Keeps a module that a panic may have left inconsistent from being freed.

use std::mem::ManuallyDrop;
use std::ops::Deref;

/// Drops what it holds, unless the thread panics: then it is leaked, since LLVM may not be able to
/// free what was only half built.
pub struct LeakOnPanic<T>(ManuallyDrop<T>);

impl<T> LeakOnPanic<T> {
    /// Guards `held`.
    pub fn new(held: T) -> Self {
        Self(ManuallyDrop::new(held))
    }
}

impl<T> Deref for LeakOnPanic<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Drop for LeakOnPanic<T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: it is not used again.
            unsafe { ManuallyDrop::drop(&mut self.0) }
        }
    }
}
