//! Buffers and sub-buffers: ranges of a cluster's memory.

use crate::client::ClientSlot;
use crate::context::Context;
use crate::error::Result;
use std::sync::Arc;

bitflags::bitflags! {
    /// `cl_mem_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "named as in the specification")]
    pub struct MemFlags: u64 {
        const READ_WRITE = 1;
        const WRITE_ONLY = 1 << 1;
        const READ_ONLY = 1 << 2;
        const USE_HOST_PTR = 1 << 3;
        const ALLOC_HOST_PTR = 1 << 4;
        const COPY_HOST_PTR = 1 << 5;
        const HOST_WRITE_ONLY = 1 << 7;
        const HOST_READ_ONLY = 1 << 8;
        const HOST_NO_ACCESS = 1 << 9;
    }
}

bitflags::bitflags! {
    /// `cl_map_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "named as in the specification")]
    pub struct MapFlags: u64 {
        const READ = 1;
        const WRITE = 2;
        const WRITE_INVALIDATE_REGION = 4;
    }
}

/// An address in the host program's memory, valid as the specification demands
/// of the call that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPointer(pub *mut u8);

// SAFETY: it is only a number here; whoever dereferences it relies on the
// specification's rules for the host program.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

/// A buffer or sub-buffer.
pub struct Buffer {
    client: ClientSlot,
}

impl Buffer {
    /// A buffer of `size` bytes. `flags` and `host` have been checked against each
    /// other by the caller (CL_INVALID_VALUE, CL_INVALID_HOST_PTR); the size is checked here.
    ///
    /// # Errors
    /// `InvalidBufferSize`, `MemObjectAllocationFailure`.
    pub fn new(
        context: &Arc<Context>,
        flags: MemFlags,
        size: usize,
        host: Option<HostPointer>,
    ) -> Result<Arc<Self>> {
        let _ = (context, flags, size, host);
        todo!()
    }
    /// A sub-buffer: `origin` bytes into `parent`. Flags not given are inherited.
    ///
    /// # Errors
    /// All that `clCreateSubBuffer` lists.
    pub fn sub_buffer(
        parent: &Arc<Buffer>,
        flags: MemFlags,
        origin: usize,
        size: usize,
    ) -> Result<Arc<Self>> {
        let _ = (parent, flags, origin, size);
        todo!()
    }
    /// Bytes.
    pub fn size(&self) -> usize {
        todo!()
    }
    /// Flags in force.
    pub fn flags(&self) -> MemFlags {
        todo!()
    }
    /// Host pointer given with `USE_HOST_PTR` (for a sub-buffer: moved by its origin).
    pub fn host_pointer(&self) -> Option<HostPointer> {
        todo!()
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        todo!()
    }
    /// The buffer this one is part of, and the offset in it in bytes.
    pub fn parent(&self) -> Option<(&Arc<Buffer>, usize)> {
        todo!()
    }
    /// Regions mapped now (`CL_MEM_MAP_COUNT`).
    pub fn map_count(&self) -> u32 {
        todo!()
    }
    /// Registers a destructor callback; run in reverse order when the buffer is gone.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        let _ = callback;
        todo!()
    }
}

impl crate::client::ClientObject for Buffer {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
