//! Memory objects: what buffers and images have in common.

use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::execution::callbacks;
use crate::memory::buffer::Buffer;
use crate::memory::image::Image;
use crate::memory::mapping::{Mappings, ObjectId};
use crate::memory::residency::Residency;
use fault_injection::Defect;
use parking_lot::Mutex;
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
    /// Bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Buffer(buffer) => buffer.size(),
            Self::Image(image) => image.size(),
        }
    }
    /// Host pointer given with `USE_HOST_PTR`; for what is made from a buffer, the place
    /// in that buffer's.
    pub fn host_pointer(&self) -> Option<HostPointer> {
        match self {
            Self::Buffer(buffer) => buffer.host_pointer(),
            Self::Image(image) => image.host_pointer(),
        }
    }
    /// The buffer it is made from, and the offset in it in bytes.
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
    /// Registers a destructor callback; run in reverse order when the object is gone.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        match self {
            Self::Buffer(buffer) => buffer.destructors().add(callback),
            Self::Image(image) => image.destructors().add(callback),
        }
    }

    /// The buffer whose bytes it has; an image may be the only one to know it.
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

    /// Where its bytes are in the data store that it shares with what is made from it,
    /// and with what it is made from.
    pub(crate) fn range(&self) -> Range<usize> {
        let start = self.memory().place();
        start..start + self.size()
    }

    pub(crate) fn mappings(&self) -> &Mappings {
        self.memory().mappings()
    }

    pub(crate) fn residency(&self) -> &Residency {
        self.memory().residency()
    }

    /// What tells it from others as long as it lives.
    pub(crate) fn identity(&self) -> ObjectId {
        match self {
            Self::Buffer(buffer) => ObjectId::of(&**buffer),
            Self::Image(image) => ObjectId::of(&**image),
        }
    }
}

bitflags::bitflags! {
    /// `cl_mem_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MemFlags: u64 {
        /// `CL_MEM_READ_WRITE`
        const READ_WRITE = 1;
        /// `CL_MEM_WRITE_ONLY`
        const WRITE_ONLY = 1 << 1;
        /// `CL_MEM_READ_ONLY`
        const READ_ONLY = 1 << 2;
        /// `CL_MEM_USE_HOST_PTR`
        const USE_HOST_PTR = 1 << 3;
        /// `CL_MEM_ALLOC_HOST_PTR`
        const ALLOC_HOST_PTR = 1 << 4;
        /// `CL_MEM_COPY_HOST_PTR`
        const COPY_HOST_PTR = 1 << 5;
        /// `CL_MEM_HOST_WRITE_ONLY`
        const HOST_WRITE_ONLY = 1 << 7;
        /// `CL_MEM_HOST_READ_ONLY`
        const HOST_READ_ONLY = 1 << 8;
        /// `CL_MEM_HOST_NO_ACCESS`
        const HOST_NO_ACCESS = 1 << 9;
    }
}

impl MemFlags {
    /// What kernels may do; READ_WRITE if nothing is said.
    pub const DEVICE_ACCESS: Self = Self::READ_WRITE
        .union(Self::WRITE_ONLY)
        .union(Self::READ_ONLY);
    /// What the host may do; everything if nothing is said.
    pub const HOST_ACCESS: Self = Self::HOST_WRITE_ONLY
        .union(Self::HOST_READ_ONLY)
        .union(Self::HOST_NO_ACCESS);
    /// Where the bytes come from.
    pub const HOST_POINTER: Self = Self::USE_HOST_PTR
        .union(Self::ALLOC_HOST_PTR)
        .union(Self::COPY_HOST_PTR);

    /// `READ_WRITE` if nothing is said at all.
    pub(crate) fn or_default(self) -> Self {
        if self.is_empty() {
            Self::READ_WRITE
        } else {
            self
        }
    }

    /// The flags of what is made from an object with the flags `parent`: those not given
    /// are inherited (5.2.1, 5.3.1).
    ///
    /// # Errors
    /// `InvalidValue`: they allow what the parent's do not, or say where bytes come from.
    pub(crate) fn of_part(self, parent: Self) -> Result<Self> {
        let device = self & Self::DEVICE_ACCESS;
        let host = self & Self::HOST_ACCESS;
        let widens = (parent.contains(Self::WRITE_ONLY)
            && device.intersects(Self::READ_WRITE | Self::READ_ONLY))
            || (parent.contains(Self::READ_ONLY)
                && device.intersects(Self::READ_WRITE | Self::WRITE_ONLY))
            || (parent.contains(Self::HOST_WRITE_ONLY) && host.contains(Self::HOST_READ_ONLY))
            || (parent.contains(Self::HOST_READ_ONLY) && host.contains(Self::HOST_WRITE_ONLY))
            || (parent.contains(Self::HOST_NO_ACCESS)
                && host.intersects(Self::HOST_READ_ONLY | Self::HOST_WRITE_ONLY));
        if widens {
            return Err(Error::new(
                Code::InvalidValue,
                format!("flags {self:?} allow what the buffer's {parent:?} do not"),
            ));
        }
        if self.intersects(Self::HOST_POINTER) {
            return Err(Error::new(
                Code::InvalidValue,
                "what is made from a buffer takes its host pointer flags from the buffer",
            ));
        }
        let inherits = |mask: Self| {
            if self.intersects(mask) {
                self & mask
            } else {
                parent & mask
            }
        };
        Ok(inherits(Self::DEVICE_ACCESS)
            | inherits(Self::HOST_ACCESS)
            | (parent & Self::HOST_POINTER))
    }

    /// # Errors
    /// `InvalidOperation`: the object was made without that access for the host.
    pub(crate) fn check_host_access(self, reads: bool, writes: bool) -> Result<()> {
        if self.contains(Self::HOST_NO_ACCESS)
            || (reads && self.contains(Self::HOST_WRITE_ONLY))
            || (writes && self.contains(Self::HOST_READ_ONLY))
        {
            return Err(Error::new(
                Code::InvalidOperation,
                format!("the memory object's flags are {self:?}"),
            ));
        }
        Ok(())
    }
}

bitflags::bitflags! {
    /// `cl_map_flags`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct MapFlags: u64 {
        /// `CL_MAP_READ`
        const READ = 1;
        /// `CL_MAP_WRITE`
        const WRITE = 2;
        /// `CL_MAP_WRITE_INVALIDATE_REGION`
        const WRITE_INVALIDATE_REGION = 4;
    }
}

impl MapFlags {
    /// The host will write there.
    pub(crate) fn writes(self) -> bool {
        self.intersects(Self::WRITE | Self::WRITE_INVALIDATE_REGION)
    }

    /// # Errors
    /// `InvalidValue`: flags that exclude each other.
    pub(crate) fn check(self) -> Result<()> {
        if self.contains(Self::WRITE_INVALIDATE_REGION) && self.intersects(Self::READ | Self::WRITE)
        {
            return Err(Error::new(
                Code::InvalidValue,
                format!("{self:?} exclude each other"),
            ));
        }
        Ok(())
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

/// Whether two boxes have elements in common. Origins and sizes add up without overflow.
pub(crate) fn boxes_meet(
    a: [usize; 3],
    b: [usize; 3],
    size_of_a: [usize; 3],
    size_of_b: [usize; 3],
) -> bool {
    (0..3).all(|axis| a[axis] < b[axis] + size_of_b[axis] && b[axis] < a[axis] + size_of_a[axis])
}

/// Called when a memory object is gone.
type Destructor = Box<dyn FnOnce() + Send>;

/// The destructor callbacks of a memory object.
#[derive(Default)]
pub(crate) struct Destructors(Mutex<Vec<Destructor>>);

impl Destructors {
    pub fn add(&self, callback: Destructor) {
        self.0.lock().push(callback);
    }

    /// "The registered user callback functions are called in the reverse order in which
    /// they were registered" (5.4.1), when no command uses the memory any more. `kept`,
    /// the memory and what it is a part of, goes after they have returned.
    pub fn run(&mut self, kept: impl Send + 'static) {
        let destructors = std::mem::take(self.0.get_mut());
        if destructors.is_empty() || fault_injection::is_active(Defect::LostCallbacks) {
            return;
        }
        callbacks::call(move || {
            for destructor in destructors.into_iter().rev() {
                destructor();
            }
            drop(kept);
        });
    }
}
