//! Buffers in AM, SM and HBSM.

use crate::check::Checking;
use crate::device_thread::{DeviceThread, current};

/// Notes a buffer that a thread has taken, for checks.
fn taken(thread: &DeviceThread, buffer: *mut u8) -> *mut u8 {
    if let Some(checking) = Checking::of(thread)
        && !buffer.is_null()
    {
        checking.take_buffer(buffer.addr());
        checking.undefine_block(buffer.addr());
    }
    buffer
}

/// Notes that a thread gives a buffer back.
fn gives_back(thread: &DeviceThread, buffer: *const u8) {
    if let Some(checking) = Checking::of(thread) {
        checking.give_back_buffer(buffer.addr());
    }
}

/// Notes that a thread takes or gives back what another one gives back or takes, for checks.
fn takes_turn(thread: &DeviceThread) {
    if let Some(checking) = Checking::of(thread) {
        checking.take_turn();
    }
}

/// What a function returns after freeing a buffer, or if there is none.
fn freed(found: bool) -> i32 {
    if found { 0 } else { -1 }
}

pub extern "C" fn vector_malloc(bytes: u32) -> *mut u8 {
    let thread = current();
    taken(thread, thread.member().memory.am.take(bytes))
}

pub extern "C" fn vector_free(buffer: *const u8) -> i32 {
    let thread = current();
    gives_back(thread, buffer);
    freed(thread.member().memory.am.give_back(buffer))
}

pub extern "C" fn get_am_free_space() -> i32 {
    current().member().memory.am.free_space() as i32
}

pub extern "C" fn scalar_malloc(bytes: u32) -> *mut u8 {
    let thread = current();
    taken(thread, thread.member().memory.sm.take(bytes))
}

pub extern "C" fn scalar_free(buffer: *const u8) -> i32 {
    let thread = current();
    gives_back(thread, buffer);
    freed(thread.member().memory.sm.give_back(buffer))
}

pub extern "C" fn get_sm_free_space() -> i32 {
    current().member().memory.sm.free_space() as i32
}

// What one thread leaves another one must get in the same order on each run.
pub extern "C" fn hbm_malloc(bytes: u64) -> *mut u8 {
    let thread = current();
    let take = || {
        takes_turn(thread);
        thread.hbsm.take(bytes)
    };
    taken(thread, thread.alone(take))
}

pub extern "C" fn hbm_free(block: *const u8) {
    let thread = current();
    gives_back(thread, block);
    thread.alone(|| {
        takes_turn(thread);
        thread.hbsm.give_back(block);
    });
}
