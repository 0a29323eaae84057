//! The heap of the C library for checked code: its blocks are known.

use crate::check::{Checking, heap, shadow};
use crate::device_thread::current;
use libc::{c_void, size_t};

fn add(block: *mut c_void, bytes: usize) -> *mut c_void {
    if !block.is_null() {
        heap::add(block.addr(), bytes);
        if let Some(checking) = Checking::of(current()) {
            checking.take_buffer(block.addr());
        }
    }
    block
}

/// `malloc` of C.
pub extern "C" fn malloc(bytes: size_t) -> *mut c_void {
    // SAFETY: any size is allowed.
    let block = add(unsafe { libc::malloc(bytes) }, bytes);
    if let Some(checking) = Checking::of(current())
        && !block.is_null()
    {
        checking.undefine_block(block.addr());
    }
    block
}

/// `calloc` of C.
pub extern "C" fn calloc(count: size_t, bytes: size_t) -> *mut c_void {
    // SAFETY: any size is allowed.
    let block = unsafe { libc::calloc(count, bytes) };
    add(block, count.saturating_mul(bytes))
}

/// `realloc` of C.
///
/// # Safety
/// As for that.
pub unsafe extern "C" fn realloc(block: *mut c_void, bytes: size_t) -> *mut c_void {
    let old = heap::remove(block.addr());
    let Some(old) = old.filter(|_| bytes > 0) else {
        // SAFETY: as the caller promises.
        return add(unsafe { libc::realloc(block, bytes) }, bytes);
    };
    let new = malloc(bytes);
    if new.is_null() {
        add(block, old);
        return new;
    }
    // SAFETY: both blocks have that size at least, and are different ones.
    unsafe { std::ptr::copy_nonoverlapping(block.cast::<u8>(), new.cast(), old.min(bytes)) };
    if let Some(shadow) = shadow::of(block.addr()) {
        // SAFETY: the shadow of the old block.
        unsafe { shadow::copy(new.addr(), shadow, old.min(bytes)) };
    }
    shadow::define(block.addr(), old);
    // SAFETY: as the caller promises.
    unsafe { release(block) };
    new
}

/// `free` of C.
///
/// # Safety
/// As for that.
pub unsafe extern "C" fn free(block: *mut c_void) {
    if let Some(bytes) = heap::remove(block.addr()) {
        shadow::define(block.addr(), bytes);
    }
    // SAFETY: as the caller promises.
    unsafe { release(block) };
}

/// # Safety
/// The block may be freed.
unsafe fn release(block: *mut c_void) {
    let checking = Checking::of(current());
    if !checking.is_some_and(|checking| checking.free_later(block)) {
        // SAFETY: as the caller promises.
        unsafe { libc::free(block) };
    }
}
