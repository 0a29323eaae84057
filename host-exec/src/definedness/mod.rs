//! Which memory was never written (`MOCL3_CHECK=uninitialised`): it has a shadow of the same size,
//! where bits that are set are undefined.

pub mod uses;

use crate::scratchpad::{ALIGNMENT, MARGIN};
use crate::storage::Storage;
use crate::work_group::WorkGroupContext;

/// A byte of a shadow, all of whose bits are undefined.
pub const UNDEFINED: u8 = 0xFF;

/// Bytes from local memory of this size to its shadow.
pub const fn local_shadow_distance(local_memory: u64) -> u64 {
    (local_memory + MARGIN as u64).next_multiple_of(ALIGNMENT as u64)
}

/// Makes local memory undefined before a group, unless it was zeroed.
///
/// # Safety
/// Local memory has a shadow.
pub(crate) unsafe fn begin_group(context: &WorkGroupContext, is_zeroed: bool) {
    let bytes = context.local_memory_bytes;
    let shadow = context
        .local_memory
        .wrapping_add(local_shadow_distance(bytes) as usize);
    // SAFETY: as the caller promises.
    unsafe { shadow.write_bytes(if is_zeroed { 0 } else { UNDEFINED }, bytes as usize) };
}

/// The shadow of a memory object.
#[derive(Debug)]
pub struct Shadow(Storage);

impl Shadow {
    /// Of `bytes` bytes; none if the host has no memory for it.
    pub fn new(bytes: usize, is_defined: bool) -> Option<Self> {
        let shadow = Self(Storage::new(bytes.checked_add(2 * MARGIN)?, ALIGNMENT)?);
        if !is_defined {
            // SAFETY: the storage has these bytes after the margin.
            unsafe { shadow.start().write_bytes(UNDEFINED, bytes) };
        }
        Some(shadow)
    }

    /// Address of the first byte. A vector access may extend beyond its active lanes.
    pub fn start(&self) -> *mut u8 {
        self.0.start().wrapping_add(MARGIN)
    }
}
