//! Functions that only checked code calls (`kernel_compiler::device_c`).

use crate::check::{Checker, Checking, Extent, State};
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

/// Reports a use of a value that was never written.
pub extern "C" fn __ht_check_undefined(site: u64) {
    if let Some(checking) = Checking::of(current()) {
        checking.report_undefined(site);
    }
}
