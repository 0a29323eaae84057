//! Memory objects: buffers and images alike.

use crate::context::Context;
use crate::memory::buffer::Buffer;
use crate::memory::flags::MemFlags;
use crate::memory::host_pointer::HostPointer;
use crate::memory::image::Image;
use crate::memory::mapping::{MappedPart, Mappings, ObjectId};
use crate::memory::residency::Residency;
use std::ops::Range;
use std::sync::Arc;

/// A buffer or an image (`cl_mem`).
#[derive(Clone)]
pub enum MemObject {
    /// A buffer or sub-buffer.
    Buffer(Arc<Buffer>),
    /// An image of any type.
    Image(Arc<Image>),
}

impl MemObject {
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        match self {
            Self::Buffer(buffer) => buffer.context(),
            Self::Image(image) => image.context(),
        }
    }
    /// Flags in force.
    pub fn flags(&self) -> MemFlags {
        match self {
            Self::Buffer(buffer) => buffer.flags(),
            Self::Image(image) => image.flags(),
        }
    }
    /// Size in bytes (`CL_MEM_SIZE`).
    pub fn size(&self) -> usize {
        match self {
            Self::Buffer(buffer) => buffer.size(),
            Self::Image(image) => image.size(),
        }
    }
    /// Host pointer given with `USE_HOST_PTR`; for an object created from a buffer, the address
    /// within that buffer's.
    pub fn host_pointer(&self) -> Option<HostPointer> {
        match self {
            Self::Buffer(buffer) => buffer.host_pointer(),
            Self::Image(image) => image.host_pointer(),
        }
    }
    /// The buffer it is created from, and its offset there in bytes.
    pub fn parent(&self) -> Option<(&Arc<Buffer>, usize)> {
        match self {
            Self::Buffer(buffer) => buffer.parent(),
            Self::Image(image) => image.buffer().map(|buffer| (buffer, 0)),
        }
    }
    /// Regions mapped now (`CL_MEM_MAP_COUNT`).
    pub fn map_count(&self) -> u32 {
        self.mappings().count(self.identity())
    }
    /// Registers a destructor callback; they are called in reverse order.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        match self {
            Self::Buffer(buffer) => buffer.destructors().add(callback),
            Self::Image(image) => image.destructors().add(callback),
        }
    }

    /// The buffer that holds its bytes; that of an image may be private to the image.
    fn memory(&self) -> &Arc<Buffer> {
        match self {
            Self::Buffer(buffer) => buffer,
            Self::Image(image) => image.memory(),
        }
    }

    /// Address of its first byte.
    pub(crate) fn start(&self) -> HostPointer {
        self.memory().start()
    }

    /// Address of the shadow of its first byte, if it is checked what was written. Images are
    /// always defined.
    pub(crate) fn shadow(&self) -> Option<HostPointer> {
        match self {
            Self::Buffer(buffer) => buffer.shadow(),
            Self::Image(_) => None,
        }
    }

    /// Its bytes in the data store, which it shares with its parent and with objects created
    /// from it.
    pub(crate) fn range(&self) -> Range<usize> {
        let start = self.memory().origin();
        start..start + self.size()
    }

    /// The part of it whose mapping forbids an access now; its bytes are those of the object.
    pub(crate) fn conflicting_mapping(&self, writes: bool) -> Option<MappedPart> {
        let own = self.range();
        let part = self.mappings().conflict(own.clone(), writes)?;
        Some(MappedPart {
            bytes: part.bytes.start - own.start..part.bytes.end - own.start,
            ..part
        })
    }

    pub(crate) fn mappings(&self) -> &Mappings {
        self.memory().mappings()
    }

    pub(crate) fn residency(&self) -> &Residency {
        self.memory().residency()
    }

    /// Identifies it while it exists.
    pub(crate) fn identity(&self) -> ObjectId {
        match self {
            Self::Buffer(buffer) => ObjectId::new(&**buffer),
            Self::Image(image) => ObjectId::new(&**image),
        }
    }
}
