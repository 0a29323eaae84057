//! Barriers and read-write locks.

use crate::device_thread::{DeviceThread, Request, current};
use device_sim::timing::launch_timing::Activity;

fn barrier(unit: u32, threads: u32, limit: Option<u64>) {
    current().meet(unit, threads as usize, limit);
}

impl DeviceThread {
    /// Waits until that many threads are at a barrier unit. The message to the unit and back takes as
    /// long as one to a lock.
    pub fn meet(&self, unit: u32, threads: usize, limit: Option<u64>) {
        self.ask(Request::Barrier {
            unit,
            threads,
            limit,
        });
        if let Some(mut progress) = self.progress() {
            progress.spend(Activity::Barrier, self.machine.locks.take.value);
        }
    }
}

pub extern "C" fn group_barrier(id: u32) {
    barrier(id, current().group.size, None);
}

pub extern "C" fn core_barrier(id: u32, threads: u32) {
    barrier(id, threads, None);
}

// The limit is in cycles. Without simulated time it is over when no thread can continue.
pub extern "C" fn core_barrier_wait(id: u32, threads: u32, limit: u64) {
    barrier(id, threads, Some(limit));
}

fn try_lock(unit: u32, writes: bool) -> i32 {
    take_lock(Request::TryLock { unit, writes }) as i32
}

/// Requests a lock; the message to it and back takes time.
fn take_lock(request: Request) -> u64 {
    let thread = current();
    let answer = thread.ask(request);
    if let Some(mut progress) = thread.progress() {
        progress.take_lock(thread.machine);
    }
    answer
}

pub extern "C" fn rwlock_try_rdlock(id: u32) -> i32 {
    try_lock(id, false)
}

pub extern "C" fn rwlock_try_wrlock(id: u32) -> i32 {
    try_lock(id, true)
}

pub extern "C" fn rwlock_rdlock(unit: u32) {
    let writes = false;
    take_lock(Request::Lock { unit, writes });
}

pub extern "C" fn rwlock_wrlock(unit: u32) {
    let writes = true;
    take_lock(Request::Lock { unit, writes });
}

pub extern "C" fn rwlock_unlock(id: u32) {
    let thread = current();
    if let Some(mut progress) = thread.progress() {
        progress.spend(Activity::LockWait, thread.machine.locks.release.value);
    }
    thread.ask(Request::Unlock(id));
}
