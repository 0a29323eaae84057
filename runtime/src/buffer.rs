//! Buffers and sub-buffers: ranges of a cluster's memory.

use crate::client::ClientSlot;
use crate::context::Context;
use crate::error::{Code, Error, Result};
use device_sim::memory::Reservation;
use hthreads::device::DeviceMemory;
use parking_lot::Mutex;
use std::sync::Arc;

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

/// An address in the host program's memory, valid as the specification demands
/// of the call that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPointer(pub *mut u8);

// SAFETY: it is only a number here; whoever dereferences it relies on the
// specification's rules for the host program.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

/// A region mapped into the host's address space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mapping {
    pub pointer: HostPointer,
    pub offset: usize,
    pub size: usize,
    pub writes: bool,
}

/// Called when a buffer is gone.
type Destructor = Box<dyn FnOnce() + Send>;

/// A buffer or sub-buffer.
pub struct Buffer {
    client: ClientSlot,
    context: Arc<Context>,
    flags: MemFlags,
    size: usize,
    host: Option<HostPointer>,
    /// Where its bytes are; one copy serves all devices of the context.
    start: HostPointer,
    parent: Option<(Arc<Buffer>, usize)>,
    mappings: Mutex<Vec<Mapping>>,
    destructors: Mutex<Vec<Destructor>>,
    _memory: Option<DeviceMemory>,
    _reservations: Vec<Reservation>,
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
        let limit = context
            .devices()
            .iter()
            .map(|device| device.max_allocation_size())
            .min()
            .unwrap_or(0);
        if size == 0 || size as u64 > limit {
            return Err(Error::new(
                Code::InvalidBufferSize,
                format!("size is {size}; buffers have 1 to {limit} bytes"),
            ));
        }
        let failed = |error: hthreads::error::HthreadError| {
            Error::new(Code::MemObjectAllocationFailure, error.to_string())
        };
        let in_place = flags.contains(MemFlags::USE_HOST_PTR);
        let mut memory = None;
        let mut reservations = Vec::new();
        for (index, device) in context.devices().iter().enumerate() {
            if index == 0 && !in_place {
                memory = Some(device.cluster().malloc(size as u64).map_err(failed)?);
            } else {
                reservations.push(device.cluster().reserve(size as u64).map_err(failed)?);
            }
        }
        let start = match (&memory, host) {
            (Some(memory), _) => HostPointer(memory.start()),
            (None, Some(host)) => host,
            (None, None) => {
                return Err(Error::new(Code::InvalidHostPtr, "there is no host pointer"));
            }
        };
        if flags.contains(MemFlags::COPY_HOST_PTR)
            && let Some(host) = host
        {
            // SAFETY: the host program vouches for `size` bytes (OpenCL 1.2, 5.2.1);
            // the buffer was made with as many.
            unsafe { std::ptr::copy_nonoverlapping(host.0, start.0, size) };
        }
        let access = if flags.intersects(MemFlags::DEVICE_ACCESS) {
            MemFlags::empty()
        } else {
            MemFlags::READ_WRITE
        };
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            context: Arc::clone(context),
            flags: flags | access,
            size,
            host: host.filter(|_| in_place),
            start,
            parent: None,
            mappings: Mutex::default(),
            destructors: Mutex::default(),
            _memory: memory,
            _reservations: reservations,
        }))
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
        let inherits = |mask: MemFlags| {
            if flags.intersects(mask) {
                flags & mask
            } else {
                parent.flags & mask
            }
        };
        let device = flags & MemFlags::DEVICE_ACCESS;
        let host = flags & MemFlags::HOST_ACCESS;
        let widens = (parent.flags.contains(MemFlags::WRITE_ONLY)
            && device.intersects(MemFlags::READ_WRITE | MemFlags::READ_ONLY))
            || (parent.flags.contains(MemFlags::READ_ONLY)
                && device.intersects(MemFlags::READ_WRITE | MemFlags::WRITE_ONLY))
            || (parent.flags.contains(MemFlags::HOST_WRITE_ONLY)
                && host.contains(MemFlags::HOST_READ_ONLY))
            || (parent.flags.contains(MemFlags::HOST_READ_ONLY)
                && host.contains(MemFlags::HOST_WRITE_ONLY))
            || (parent.flags.contains(MemFlags::HOST_NO_ACCESS)
                && host.intersects(MemFlags::HOST_READ_ONLY | MemFlags::HOST_WRITE_ONLY));
        if widens {
            return Err(Error::new(
                Code::InvalidValue,
                format!(
                    "flags {flags:?} allow what the buffer's {:?} do not",
                    parent.flags
                ),
            ));
        }
        if size == 0 {
            return Err(Error::new(Code::InvalidBufferSize, "size is 0"));
        }
        parent.check_range(origin, size)?;
        let aligned = parent.context.devices().iter().any(|device| {
            (origin as u64).is_multiple_of(device.machine().open_cl.base_alignment.value)
        });
        if !aligned {
            return Err(Error::new(
                Code::MisalignedSubBufferOffset,
                format!("origin {origin} is aligned for no device of the context"),
            ));
        }
        Ok(Arc::new(Self {
            client: ClientSlot::default(),
            context: Arc::clone(&parent.context),
            flags: inherits(MemFlags::DEVICE_ACCESS)
                | inherits(MemFlags::HOST_ACCESS)
                | (parent.flags & MemFlags::HOST_POINTER),
            size,
            host: parent
                .host
                .map(|host| HostPointer(host.0.wrapping_add(origin))),
            start: HostPointer(parent.start.0.wrapping_add(origin)),
            parent: Some((Arc::clone(parent), origin)),
            mappings: Mutex::default(),
            destructors: Mutex::default(),
            _memory: None,
            _reservations: Vec::new(),
        }))
    }
    /// Bytes.
    pub fn size(&self) -> usize {
        self.size
    }
    /// Flags in force.
    pub fn flags(&self) -> MemFlags {
        self.flags
    }
    /// Host pointer given with `USE_HOST_PTR` (for a sub-buffer: moved by its origin).
    pub fn host_pointer(&self) -> Option<HostPointer> {
        self.host
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// The buffer this one is part of, and the offset in it in bytes.
    pub fn parent(&self) -> Option<(&Arc<Buffer>, usize)> {
        self.parent
            .as_ref()
            .map(|(parent, origin)| (parent, *origin))
    }
    /// Regions mapped now (`CL_MEM_MAP_COUNT`).
    pub fn map_count(&self) -> u32 {
        self.mappings.lock().len() as u32
    }
    /// Registers a destructor callback; run in reverse order when the buffer is gone.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        self.destructors.lock().push(callback);
    }

    /// Address of its first byte.
    pub(crate) fn start(&self) -> HostPointer {
        self.start
    }

    /// Address of byte `offset`.
    pub(crate) fn at(&self, offset: usize) -> HostPointer {
        HostPointer(self.start.0.wrapping_add(offset))
    }

    /// # Errors
    /// `InvalidValue`: not all of the range is within the buffer.
    pub(crate) fn check_range(&self, offset: usize, size: usize) -> Result<()> {
        if offset.checked_add(size).is_none_or(|end| end > self.size) {
            return Err(Error::new(
                Code::InvalidValue,
                format!(
                    "{size} bytes from {offset} on are not within the buffer's {}",
                    self.size
                ),
            ));
        }
        Ok(())
    }

    /// # Errors
    /// `InvalidOperation`: the buffer was made without that access for the host.
    pub(crate) fn check_host_access(&self, reads: bool, writes: bool) -> Result<()> {
        let refuses = |flag| self.flags.contains(flag);
        if refuses(MemFlags::HOST_NO_ACCESS)
            || (reads && refuses(MemFlags::HOST_WRITE_ONLY))
            || (writes && refuses(MemFlags::HOST_READ_ONLY))
        {
            return Err(Error::new(
                Code::InvalidOperation,
                format!("the buffer's flags are {:?}", self.flags),
            ));
        }
        Ok(())
    }

    /// # Errors
    /// `InvalidOperation`: it overlaps a mapping and one of the two is for writing.
    pub(crate) fn add_mapping(&self, mapping: Mapping) -> Result<()> {
        let mut mappings = self.mappings.lock();
        let overlaps = |other: &Mapping| {
            mapping.offset < other.offset + other.size
                && other.offset < mapping.offset + mapping.size
        };
        if mapping.writes && mappings.iter().any(|other| other.writes && overlaps(other)) {
            return Err(Error::new(
                Code::InvalidOperation,
                "the region overlaps one that is mapped for writing",
            ));
        }
        mappings.push(mapping);
        Ok(())
    }

    /// # Errors
    /// `InvalidValue`: nothing is mapped at that address.
    pub(crate) fn remove_mapping(&self, pointer: HostPointer) -> Result<()> {
        let mut mappings = self.mappings.lock();
        let place = mappings
            .iter()
            .rposition(|mapping| mapping.pointer == pointer)
            .ok_or_else(|| Error::new(Code::InvalidValue, "nothing is mapped at that address"))?;
        mappings.remove(place);
        Ok(())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // "The registered user callback functions are called in the reverse order in
        // which they were registered" (5.4.2), before the memory is freed.
        let destructors = std::mem::take(self.destructors.get_mut());
        for destructor in destructors.into_iter().rev() {
            destructor();
        }
    }
}

impl crate::client::ClientObject for Buffer {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Platform;

    #[test]
    fn a_buffer_takes_capacity_on_every_device_of_its_context() {
        // Clusters that no other test uses.
        let devices = &Platform::get().devices()[2..4];
        let context = Context::new(devices.to_vec(), None).unwrap();
        let taken = |device: usize| devices[device].cluster().cluster().ddr().taken();
        let size = 1 << 30;
        let buffer = Buffer::new(&context, MemFlags::empty(), size, None).unwrap();
        assert_eq!((taken(0), taken(1)), (size as u64, size as u64));
        let mut more = Vec::new();
        let error = loop {
            match Buffer::new(&context, MemFlags::empty(), size, None) {
                Ok(buffer) => more.push(buffer),
                Err(error) => break error,
            }
        };
        assert_eq!(error.code, Code::MemObjectAllocationFailure);
        assert_eq!(more.len(), 12, "13 GiB in all");
        drop((buffer, more));
        assert_eq!((taken(0), taken(1)), (0, 0));
    }

    #[test]
    fn flags_not_given_are_inherited_and_never_widened() {
        let device = Arc::clone(&Platform::get().devices()[0]);
        let context = Context::new(vec![device], None).unwrap();
        let flags = MemFlags::READ_ONLY | MemFlags::HOST_WRITE_ONLY;
        let buffer = Buffer::new(&context, flags, 4096, None).unwrap();
        let part = Buffer::sub_buffer(&buffer, MemFlags::empty(), 128, 64).unwrap();
        assert_eq!(part.flags(), flags);
        assert_eq!(part.start().0.addr(), buffer.start().0.addr() + 128);
        for wider in [MemFlags::READ_WRITE, MemFlags::HOST_READ_ONLY] {
            let error = Buffer::sub_buffer(&buffer, wider, 0, 64).err().unwrap();
            assert_eq!(error.code, Code::InvalidValue);
        }
    }
}
