//! VLR, the mask of the lanes that vector operations write: each thread has its own.

use crate::device_thread::current;
use std::cell::Cell;

/// All lanes are enabled.
pub const ALL_LANES: u16 = 0xffff;

/// Bit i of `mask` enables lane i.
pub extern "C" fn __ht_set_lane_mask(mask: u64) {
    current().lane_mask.set(mask as u16);
}

/// Gives compiled code the place of the mask, which does not move while the thread exists.
pub extern "C" fn __ht_lane_mask() -> *const Cell<u16> {
    &raw const current().lane_mask
}
