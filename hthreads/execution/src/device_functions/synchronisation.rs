//! Barriers and read-write locks.

use crate::device_thread::{Request, current};

fn barrier(unit: u32, threads: u32, is_limited: bool) {
    current().ask(Request::Barrier {
        unit,
        threads: threads as usize,
        is_limited,
    });
}

pub extern "C" fn group_barrier(id: u32) {
    barrier(id, current().group.size, false);
}

pub extern "C" fn core_barrier(id: u32, threads: u32) {
    barrier(id, threads, false);
}

// There is no simulated time yet: the limit is over when no thread can continue.
pub extern "C" fn core_barrier_wait(id: u32, threads: u32, _limit: u64) {
    barrier(id, threads, true);
}

fn try_lock(unit: u32, writes: bool) -> i32 {
    current().ask(Request::TryLock { unit, writes }) as i32
}

pub extern "C" fn rwlock_try_rdlock(id: u32) -> i32 {
    try_lock(id, false)
}

pub extern "C" fn rwlock_try_wrlock(id: u32) -> i32 {
    try_lock(id, true)
}

pub extern "C" fn rwlock_rdlock(unit: u32) {
    let writes = false;
    current().ask(Request::Lock { unit, writes });
}

pub extern "C" fn rwlock_wrlock(unit: u32) {
    let writes = true;
    current().ask(Request::Lock { unit, writes });
}

pub extern "C" fn rwlock_unlock(id: u32) {
    current().ask(Request::Unlock(id));
}
