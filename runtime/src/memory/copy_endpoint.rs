//! One end of a copy: a region of a memory object or of the host program's memory.

use crate::memory::host_pointer::HostPointer;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::rectangle::{self, RectLayout};
use crate::memory::residency::AccessKind;

/// Source or destination of a copy. Both have the same region, whose size is given to each call.
pub(crate) struct CopyEndpoint {
    /// The memory object; none for memory of the host program.
    object: Option<MemObject>,
    start: HostPointer,
    layout: RectLayout,
}

impl CopyEndpoint {
    /// In an object that contains the region.
    pub fn in_object(object: MemObject, layout: RectLayout) -> Self {
        Self {
            start: object.start(),
            layout,
            object: Some(object),
        }
    }

    /// In memory of the host program.
    pub fn in_host_memory(start: HostPointer, layout: RectLayout) -> Self {
        Self {
            object: None,
            start,
            layout,
        }
    }

    /// Whether it is memory of the host program.
    pub fn is_host_memory(&self) -> bool {
        self.object.is_none()
    }

    /// The access to the region; none for memory of the host program.
    pub fn access(&self, region: [usize; 3], kind: AccessKind) -> Option<MemoryAccess> {
        let object = self.object.as_ref()?.clone();
        Some(MemoryAccess::to_region(object, self.layout, region, kind))
    }

    /// Copies a region.
    ///
    /// # Safety
    /// The region (bytes, rows, slices) lies within both endpoints while the objects live; the
    /// host program vouches for its memory.
    pub unsafe fn copy_to(&self, to: &Self, region: [usize; 3]) {
        // SAFETY: as the caller promises.
        unsafe { rectangle::copy(self.start, self.layout, to.start, to.layout, region) };
        let shadow = |of: &Self| of.object.as_ref().and_then(MemObject::shadow);
        match (shadow(self), shadow(to)) {
            // SAFETY: shadows have the sizes of their objects.
            (Some(from), Some(shadow)) => unsafe {
                rectangle::copy(from, self.layout, shadow, to.layout, region);
            },
            // SAFETY: as above.
            (None, Some(shadow)) => unsafe { rectangle::clear(shadow, to.layout, region) },
            (_, None) => {}
        }
    }
}
