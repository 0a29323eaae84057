//! The memory of handles.
//!
//! The loader reads the first word of whatever it is given before we can look the handle up,
//! stale handles included. So this memory is never unmapped, and never becomes anything else:
//! a handle that has been given back is used again for another object, but not before 65,536
//! others have been given back after it. There are never more handles than objects at a time,
//! at most, and these; each takes 16 bytes, and 8 while it is free.

use crate::abi::dispatch::{DISPATCH_TABLE, DispatchTable};
use parking_lot::lock_api::RawMutex as _;
use parking_lot::{Mutex, RawMutex};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr::{null_mut, with_exposed_provenance_mut};

/// Minimum number of free handles before the oldest is used again.
const MIN_FREE: usize = 65_536;

/// Handles allocated at a time.
const CHUNK: usize = 1024;

/// What the loader sees of an object (cl_khr_icd).
#[repr(C)]
pub struct Handle {
    dispatch: &'static DispatchTable,
    /// Version 2 of cl_khr_icd keeps the loader's own data here.
    dispatch_data: *mut c_void,
}

// SAFETY: `dispatch_data` is the loader's; we never look at it.
unsafe impl Sync for Handle {}
// SAFETY: as above.
unsafe impl Send for Handle {}

impl Handle {
    /// A handle.
    pub const fn new() -> Self {
        Self {
            dispatch: &DISPATCH_TABLE,
            dispatch_data: null_mut(),
        }
    }

    /// Clears the loader's data before the handle is used for another object.
    ///
    /// # Safety
    /// `handle` is one, and of no object.
    unsafe fn forget_loader(handle: *mut Self) {
        // SAFETY: as the caller promises. The other word stays as it is: the loader may be
        // reading it for a stale handle.
        unsafe { (&raw mut (*handle).dispatch_data).write(null_mut()) };
    }
}

static SLOTS: Mutex<Slots> = Mutex::new(Slots {
    free: VecDeque::new(),
    unused: Vec::new(),
});

struct Slots {
    /// Addresses of handles that have been given back, oldest first.
    free: VecDeque<usize>,
    /// Addresses of handles that no object has had.
    unused: Vec<usize>,
}

/// The address of a handle for a new object.
pub fn take() -> usize {
    let mut slots = SLOTS.lock();
    if slots.free.len() > MIN_FREE
        && let Some(address) = slots.free.pop_front()
    {
        drop(slots);
        // SAFETY: a handle that is never deallocated and that no object has now.
        unsafe { Handle::forget_loader(with_exposed_provenance_mut(address)) };
        return address;
    }
    if slots.unused.is_empty() {
        let chunk: Box<[Handle]> = (0..CHUNK).map(|_| Handle::new()).collect();
        let handles = Box::leak(chunk).iter();
        // Taken from the end.
        let addresses = handles
            .rev()
            .map(|handle| std::ptr::from_ref(handle).expose_provenance());
        slots.unused.extend(addresses);
    }
    slots.unused.pop().expect("a chunk has handles")
}

/// The object of the handle is gone.
pub fn give_back(address: usize) {
    SLOTS.lock().free.push_back(address);
}

/// Whether the address is that of a handle whose object is gone.
pub fn is_given_back(address: usize) -> bool {
    SLOTS.lock().free.contains(&address)
}

/// Locks the slots until `in_parent` or `in_child` is called.
pub fn before_fork() {
    std::mem::forget(SLOTS.lock());
}

/// Unlocks the slots after `before_fork`.
///
/// # Safety
/// This thread has called `before_fork`.
pub unsafe fn in_parent() {
    // SAFETY: as the caller says.
    unsafe { SLOTS.force_unlock() };
}

/// Makes the lock as it was at first, without looking for the parent's threads that wait for it.
///
/// # Safety
/// The process is a child of `fork` with this thread alone, which has called `before_fork`.
pub unsafe fn in_child() {
    // SAFETY: no other thread exists.
    unsafe { (&raw const *SLOTS.raw()).cast_mut().write(RawMutex::INIT) };
}
