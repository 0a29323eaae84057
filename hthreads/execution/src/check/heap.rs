//! The C library's heap, for checked code: its blocks are known.

use libc::{c_void, size_t};
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// Blocks by address, with their sizes.
static BLOCKS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// The block that an address is in: its address and size.
pub fn find(address: usize) -> Option<(usize, usize)> {
    let blocks = BLOCKS.lock();
    let (start, bytes) = blocks.range(..=address).next_back()?;
    (address - start < *bytes).then_some((*start, *bytes))
}

fn add(block: *mut c_void, bytes: usize) -> *mut c_void {
    if !block.is_null() {
        BLOCKS.lock().insert(block.addr(), bytes);
    }
    block
}

/// `malloc` of C.
pub extern "C" fn malloc(bytes: size_t) -> *mut c_void {
    // SAFETY: any size is allowed.
    add(unsafe { libc::malloc(bytes) }, bytes)
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
    let old = BLOCKS.lock().remove(&block.addr());
    // SAFETY: as the caller promises.
    let new = unsafe { libc::realloc(block, bytes) };
    if new.is_null() && bytes > 0 {
        add(block, old.unwrap_or(0));
    }
    add(new, bytes)
}

/// `free` of C.
///
/// # Safety
/// As for that.
pub unsafe extern "C" fn free(block: *mut c_void) {
    BLOCKS.lock().remove(&block.addr());
    // SAFETY: as the caller promises.
    unsafe { libc::free(block) };
}
