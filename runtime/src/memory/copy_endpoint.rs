//! Where a region lies that a command reads, writes or copies: in a memory object, or in
//! memory of the host program's.

use crate::memory::mem_object::{HostPointer, MemObject};
use crate::memory::rectangle::{self, RectLayout};
use crate::memory::residency::{AccessKind, MemoryAccess};

/// A region's place; how large the region is, is said where it is used.
pub(crate) struct CopyEndpoint {
    /// None for memory of the host program's.
    object: Option<MemObject>,
    start: HostPointer,
    side: RectLayout,
}

impl CopyEndpoint {
    /// In an object that has the region.
    pub fn of_object(object: MemObject, side: RectLayout) -> Self {
        Self {
            start: object.start(),
            side,
            object: Some(object),
        }
    }

    /// In memory of the host program's.
    pub fn of_host(start: HostPointer, side: RectLayout) -> Self {
        Self {
            object: None,
            start,
            side,
        }
    }

    /// Whether it is memory of the host program's.
    pub fn is_hosts(&self) -> bool {
        self.object.is_none()
    }

    /// The region as commands that access it use it; none for memory of the host program's.
    pub fn used(&self, region: [usize; 3], access: AccessKind) -> Option<MemoryAccess> {
        let object = self.object.as_ref()?.clone();
        Some(MemoryAccess::of_region(object, self.side, region, access))
    }

    /// Copies a region.
    ///
    /// # Safety
    /// Both places hold the region (bytes, rows, slices) while the objects live; the host
    /// program vouches for its side.
    pub unsafe fn copy_to(&self, to: &Self, region: [usize; 3]) {
        // SAFETY: as the caller promises.
        unsafe { rectangle::copy(self.start, self.side, to.start, to.side, region) };
    }
}
