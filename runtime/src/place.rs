//! Where a region lies that a command reads, writes or copies: in a memory object, or in
//! memory of the host program's.

use crate::command::Command;
use crate::event::CommandType;
use crate::mem_object::{HostPointer, MemObject};
use crate::rectangle::{self, Side};
use crate::residency::{Access, Use};
use std::sync::Arc;

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

    fn used(&self, region: [usize; 3], access: Access) -> Option<Use> {
        let object = self.object.as_ref()?.clone();
        Some(Use::of_region(object, self.side, region, access))
    }

    /// # Safety
    /// Both places hold the region (bytes, rows, slices) while the objects live; the host
    /// program vouches for its side.
    unsafe fn copy_to(&self, to: &Self, region: [usize; 3]) {
        // SAFETY: as the caller promises.
        unsafe { rectangle::copy(self.start, self.side, to.start, to.side, region) };
    }
}

impl Command {
    /// Copies a region whose bounds have been checked on both sides: bytes, rows, slices.
    pub(crate) fn moving(
        command_type: CommandType,
        from: Place,
        to: Place,
        region: [usize; 3],
    ) -> Self {
        let (reads, writes) = match (&from.object, &to.object) {
            (Some(_), None) => (Access::Export, Access::Overwrite),
            (None, Some(_)) => (Access::Read, Access::Import),
            _ => (Access::Read, Access::Overwrite),
        };
        let uses: Vec<_> = [from.used(region, reads), to.used(region, writes)]
            .into_iter()
            .flatten()
            .collect();
        let contexts = uses.iter().map(|one| Arc::clone(one.object.context()));
        Self::new(command_type, contexts.collect(), move || {
            // SAFETY: the region is within both, which live as long as this; the host
            // program vouches for its side (OpenCL 1.2, 5.2.2 to 5.3.4). It may pass memory
            // of the object itself (USE_HOST_PTR), so the two may be the same.
            unsafe { from.copy_to(&to, region) };
            Ok(())
        })
        .using(uses)
    }
}
