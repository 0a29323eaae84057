//! A command's accesses to memory objects, and the migrations that they need.

use crate::fault;
use crate::memory::mem_object::MemObject;
use crate::memory::rectangle::RectLayout;
use crate::memory::residency::{AccessKind, AccessedRange};
use crate::memory::strided_range::StridedRange;
use crate::memory::transfer::{MemoryLocation, Transfer};
use smallvec::SmallVec;

/// The accesses of a command, most of which have few.
pub(crate) type MemoryAccesses = SmallVec<[MemoryAccess; 3]>;

/// An access of a command to a memory object, which it keeps alive.
pub(crate) struct MemoryAccess {
    /// The object.
    pub object: MemObject,
    /// The bytes accessed, as offsets in the data store.
    pub accessed: AccessedRange,
    /// How they are accessed.
    pub kind: AccessKind,
}

impl MemoryAccess {
    /// An access to all of an object.
    pub fn to_all(object: MemObject, kind: AccessKind) -> Self {
        let accessed = AccessedRange::whole(object.range());
        Self {
            object,
            accessed,
            kind,
        }
    }

    /// An access to a region (bytes, rows, slices) of an object.
    pub fn to_region(
        object: MemObject,
        layout: RectLayout,
        region: [usize; 3],
        kind: AccessKind,
    ) -> Self {
        let rows = StridedRange::new(layout, region).moved(object.range().start);
        Self {
            object,
            accessed: AccessedRange::from(rows),
            kind,
        }
    }
}

/// Performs the migrations needed before a command with these accesses can execute at `memory`.
/// All migrations are decided here; they are logged at level debug.
pub(crate) fn migrate_in<'a>(
    accesses: impl IntoIterator<Item = &'a MemoryAccess>,
    memory: MemoryLocation,
) -> Vec<Transfer> {
    let mut transfers = Vec::new();
    for access in accesses {
        let residency = access.object.residency();
        for transfer in residency.access(&access.accessed, memory, access.kind) {
            log::debug!(
                "{} bytes of a memory object go from {} to {}",
                transfer.bytes,
                transfer.from,
                transfer.to
            );
            if transfer.is_between_clusters() {
                let data_store = access
                    .object
                    .start()
                    .0
                    .wrapping_sub(access.object.range().start);
                let range = &access.accessed.range;
                // SAFETY: the range lies in the data store, which the access keeps alive.
                unsafe { fault::migrate(data_store.wrapping_add(range.start), range.len()) };
            }
            transfers.push(transfer);
        }
    }
    transfers
}
