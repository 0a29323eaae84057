//! Accesses that code leaves to the checker: atomic operations, accesses of several granules or
//! through pointers into several objects, and asynchronous copies.

use super::checker::{self, Later, RaceChecker, linear_group, linear_item};
use super::shadow_word::{ATOMIC, GROUP, GROUP_ITEM, GROUPS, ITEM, PHASE, SITE};
use super::shadow_word::{after_read, after_write, conflict};
use super::shadows::Words;
use crate::work_group::WorkGroupContext;

bitflags::bitflags! {
    /// How memory is accessed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AccessMode: u64 {
        /// It is written.
        const WRITES = 1;
        /// The operation is atomic, or of a volatile object.
        const ATOMIC = 1 << 1;
        /// An atomic operation may have ordered it after others: it is no conflict.
        const ORDERED = 1 << 2;
    }
}

/// Bits of the phase of local memory in the phases that code passes; above are those of global
/// memory's.
pub const LOCAL_PHASE_BITS: u32 = 32;

/// Accesses memory at an address, which is at `place` of the object.
///
/// # Safety
/// The context is the one that the work-group function was called with.
pub unsafe extern "C" fn access(
    context: *const WorkGroupContext,
    site: u64,
    object: u64,
    place: u64,
    address: u64,
    bytes: u64,
    mode: u64,
    phases: u64,
    value: u64,
    x: u64,
    y: u64,
    z: u64,
) {
    let later = Later {
        site,
        object,
        place,
        bytes,
        is_copy: false,
        value,
    };
    let mode = AccessMode::from_bits_truncate(mode);
    // SAFETY: as the caller promises.
    unsafe { track(context, [x, y, z], later, address, mode, phases) };
}

/// Accesses rows of memory, once for a group.
///
/// # Safety
/// As `access`.
pub unsafe extern "C" fn rows(
    context: *const WorkGroupContext,
    site: u64,
    object: u64,
    place: u64,
    address: u64,
    stride: u64,
    row_bytes: u64,
    rows: u64,
    mode: u64,
    phases: u64,
) {
    let mode = AccessMode::from_bits_truncate(mode);
    for row in 0..rows {
        let distance = row.wrapping_mul(stride);
        let later = Later {
            site,
            object,
            place: place.wrapping_add(distance),
            bytes: row_bytes,
            is_copy: true,
            value: 0,
        };
        let address = address.wrapping_add(distance);
        // SAFETY: as the caller promises.
        unsafe { track(context, [0; 3], later, address, mode, phases) };
    }
}

/// # Safety
/// As `access`.
unsafe fn track(
    context: *const WorkGroupContext,
    local_id: [u64; 3],
    later: Later,
    address: u64,
    mode: AccessMode,
    phases: u64,
) {
    // SAFETY: as the caller promises.
    let Some(races) = (unsafe { checker::checker(context) }) else {
        return;
    };
    // SAFETY: as the caller promises.
    let context = unsafe { &*context };
    let local = context.local_memory.addr() as u64;
    let is_local = (local..local + context.local_memory_bytes).contains(&address);
    let phase = match is_local {
        true => phases,
        false => phases >> LOCAL_PHASE_BITS,
    };
    let item = match later.is_copy {
        true => GROUP_ITEM,
        false => linear_item(context, local_id),
    };
    let now = GROUP.with(linear_group(context) % GROUPS + 1)
        | PHASE.with(phase)
        | SITE.with(later.site.min(SITE.most()))
        | ITEM.with(item)
        | (ATOMIC * u64::from(mode.contains(AccessMode::ATOMIC)));
    let granule = races.shadows.granule(is_local);
    let mut conflicts = None;
    let end = address.saturating_add(later.bytes);
    let mut at = address & !(granule - 1);
    if later.is_copy && at != address {
        at += granule;
    }
    // A copy may end within a granule, whose rest others may access.
    let end = if later.is_copy {
        end & !(granule - 1)
    } else {
        end
    };
    while at < end {
        let Some(words) = words(races, context, at, is_local) else {
            break;
        };
        // SAFETY: the words are of this granule; groups run one after another.
        let before = unsafe { update(words, now, mode, is_local) };
        conflicts = conflicts.or(before);
        at += granule;
    }
    if let Some(before) = conflicts.filter(|_| !mode.contains(AccessMode::ORDERED)) {
        races.add(context, local_id, later, before);
    }
}

/// The words of the granule at an address.
fn words(
    races: &RaceChecker,
    context: &WorkGroupContext,
    address: u64,
    is_local: bool,
) -> Option<Words> {
    if !is_local {
        return races.shadows.words(address);
    }
    let offset = address - context.local_memory.addr() as u64;
    let write = races.local_distance + offset / races.shadows.granule(true) * 8;
    let plane = races.shadows.local_bytes(context.local_memory_bytes) / 2;
    let at = |distance: u64| context.local_memory.wrapping_add(distance as usize).cast();
    Some(Words {
        write: at(write),
        read: at(write + plane),
    })
}

/// Enters an access into the words of a granule; returns an earlier one that it conflicts with.
///
/// # Safety
/// The words are those of a granule.
unsafe fn update(words: Words, now: u64, mode: AccessMode, is_local: bool) -> Option<u64> {
    let conflicting = |before: &u64| conflict(*before, now, is_local);
    // SAFETY: as the caller promises.
    unsafe {
        let write = Some(words.write.read()).filter(conflicting);
        if mode.contains(AccessMode::WRITES) {
            let read = Some(words.read.read()).filter(conflicting);
            words.write.write(after_write(words.write.read(), now));
            return write.or(read);
        }
        let before = words.read.read();
        words.read.write(after_read(before, now, is_local));
        write
    }
}
