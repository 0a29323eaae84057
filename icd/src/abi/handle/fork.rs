//! `fork` while other threads use handles.

use super::registry::REGISTRY;
use super::slots;
use parking_lot::RawRwLock;
use parking_lot::lock_api::RawRwLock as _;

/// Keeps all locks of the registry across each `fork` from now on. Every call takes some of them,
/// and a child in which one is held by a thread that only its parent has would wait for ever.
pub fn survive() {
    extern "C" fn before() {
        for shard in &REGISTRY {
            std::mem::forget(shard.write());
        }
        slots::before_fork();
    }
    extern "C" fn in_parent() {
        // SAFETY: `before` has locked them on this thread.
        unsafe {
            slots::in_parent();
            for shard in &REGISTRY {
                shard.force_unlock_write();
            }
        }
    }
    extern "C" fn in_child() {
        // Not unlocked: that would look for threads that wait for them in the parent.
        // SAFETY: no other thread runs, and `before` has made sure that what the locks protect is
        // whole.
        unsafe {
            slots::in_child();
            for shard in &REGISTRY {
                let shard = (&raw const *shard.raw()).cast_mut();
                shard.write(RawRwLock::INIT);
            }
        }
    }
    // SAFETY: the handlers use statics only; this library is never unloaded.
    unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}
