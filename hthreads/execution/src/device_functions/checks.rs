//! Functions that only checked code calls (`kernel_compiler::device_c`).

use crate::check::{Checker, Checking, Extent, State, UndefinedValue, shadow};
use crate::device_thread::current;

/// Whether code may access bytes at an address, through a pointer that begins at `origin`; `is_within` if it is
/// known to be in the block there.
pub extern "C" fn __ht_check_access(
    site: u64,
    address: *const u8,
    bytes: u64,
    origin: *const u8,
    origin_bytes: u64,
    is_within: u64,
) -> u64 {
    let Some(checking) = Checking::of(current()) else {
        return 1;
    };
    let accessed = (address.addr(), bytes as usize);
    let origin = (origin.addr(), origin_bytes as usize);
    let may = is_within != 0 || checking.is_in_memory(site, accessed, origin);
    if may {
        checking.note(site, accessed);
    }
    u64::from(may)
}

/// The block of memory that an address is in; no bytes if there is none.
pub extern "C" fn __ht_check_block(address: *const u8, _epoch: u64) -> Extent {
    let checking = Checking::of(current());
    let found = checking.and_then(|checking| checking.extent(address.addr()));
    found.unwrap_or(Extent { start: 0, bytes: 0 })
}

/// What code knows of its thread; null if it is not checked.
pub extern "C" fn __ht_check_state() -> *const State {
    let checker = current().checker.as_ref();
    checker.map_or(std::ptr::null(), Checker::state)
}

/// Notes the place of the call that follows.
pub extern "C" fn __ht_check_call(site: u64) {
    if let Some(checker) = &current().checker {
        checker.call(site);
    }
}

/// Reports a use of a value that was never written, from the buffer at `origin` and stored at `destination`, if these
/// are not null.
pub extern "C" fn __ht_check_undefined(site: u64, origin: *const u8, destination: *const u8) {
    if let Some(checking) = Checking::of(current()) {
        let value = UndefinedValue {
            origin: origin.addr(),
            destination: destination.addr(),
        };
        checking.use_undefined(site, value);
    }
}

/// Where the shadow of memory starts. Code that calls it runs only if there is one.
pub extern "C" fn __ht_check_shadow() -> *mut u8 {
    shadow::start().unwrap_or(std::ptr::null_mut())
}

/// Whether memory at an address keeps that values are undefined.
pub extern "C" fn __ht_check_keeps(address: *const u8) -> u64 {
    let checking = Checking::of(current());
    u64::from(checking.is_some_and(|checking| checking.keeps(address.addr())))
}

/// Bytes at an address get the shadow at another place, or are written if that is null.
///
/// # Safety
/// The shadow can be read.
pub unsafe extern "C" fn __ht_check_move(address: *const u8, from: *const u8, bytes: u64) {
    if let Some(checking) = Checking::of(current()) {
        // SAFETY: as the caller promises.
        unsafe { checking.move_shadow(address.addr(), from, bytes as usize) };
    }
}

/// A function that is not the image's own may write the block at an address.
pub extern "C" fn __ht_check_written(address: *const u8) {
    if let Some(checking) = Checking::of(current()) {
        checking.define_block(address.addr());
    }
}
