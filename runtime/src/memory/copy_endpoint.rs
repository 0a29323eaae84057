//! Where a region lies that a command reads, writes or copies: in a memory object, or in
//! memory of the host program's.

use crate::memory::mem_object::{HostPointer, MemObject};
use crate::memory::rectangle::{self, Side};
use crate::memory::residency::{Access, Use};

/// A region's place; how large the region is, is said where it is used.
pub(crate) struct Place {
    /// None for memory of the host program's.
    object: Option<MemObject>,
    start: HostPointer,
    side: Side,
}

impl Place {
    /// In an object that has the region.
    pub fn of_object(object: MemObject, side: Side) -> Self {
        Self {
            start: object.start(),
            side,
            object: Some(object),
        }
    }

    /// In memory of the host program's.
    pub fn of_host(start: HostPointer, side: Side) -> Self {
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
    pub fn used(&self, region: [usize; 3], access: Access) -> Option<Use> {
        let object = self.object.as_ref()?.clone();
        Some(Use::of_region(object, self.side, region, access))
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
