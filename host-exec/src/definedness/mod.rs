//! Which memory was never written (`MOCL3_CHECK=uninitialised`): it has a shadow of the same size,
//! where bits that are set are undefined. Uses of such bits are collected.

use crate::scratchpad::{ALIGNMENT, MARGIN};
use crate::storage::Storage;
use crate::work_group::WorkGroupContext;
use parking_lot::Mutex;
use std::collections::BTreeMap;

/// A byte of a shadow, all of whose bits are undefined.
pub const UNDEFINED: u8 = 0xFF;

/// A use that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndefinedFinding {
    /// Its number.
    pub number: u64,
    /// Local id of the work-item.
    pub local_id: [u64; 3],
    /// Group id of the work-item.
    pub group_id: [u64; 3],
    /// Global id of the work-item.
    pub global_id: [u64; 3],
    /// How often it was found.
    pub count: u64,
}

/// The uses that a launch found, by their numbers.
#[derive(Debug, Default)]
pub struct UndefinedUses(Mutex<BTreeMap<u64, UndefinedFinding>>);

impl UndefinedUses {
    /// All of them, in the order of their numbers.
    pub fn finish(self) -> Vec<UndefinedFinding> {
        self.0.into_inner().into_values().collect()
    }

    pub(crate) fn add(&self, context: &WorkGroupContext, number: u64, local_id: [u64; 3]) {
        let global_id = context.global_id(local_id);
        let new = UndefinedFinding {
            number,
            local_id,
            group_id: context.group_id,
            global_id,
            count: 0,
        };
        let order = |finding: &UndefinedFinding| {
            let [x, y, z] = finding.global_id;
            [z, y, x]
        };
        let mut found = self.0.lock();
        let known = found.entry(number).or_insert(new);
        let count = known.count + 1;
        // Of the first work-item, whichever thread ran its group.
        if order(&new) < order(known) {
            *known = new;
        }
        known.count = count;
    }
}

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
