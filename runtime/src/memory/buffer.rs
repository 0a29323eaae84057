//! Buffers and sub-buffers.

use crate::check;
use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::fault;
use crate::handle_slot::HandleSlot;
use crate::memory::destructors::Destructors;
use crate::memory::flags::MemFlags;
use crate::memory::host_pointer::HostPointer;
use crate::memory::mapping::{Mappings, ObjectId};
use crate::memory::residency::Residency;
use crate::memory::transfer::MemoryLocation;
use device_sim::memory::Reservation;
use host_exec::definedness::Shadow;
use host_exec::device_memory::Allocation;
use host_exec::parallel_copy;
use std::sync::Arc;

/// A buffer or sub-buffer.
pub struct Buffer {
    handle: HandleSlot,
    context: Arc<Context>,
    flags: MemFlags,
    size: usize,
    host: Option<HostPointer>,
    /// Address of its first byte; all devices of the context share one copy on the host.
    start: HostPointer,
    parent: Option<(Arc<Buffer>, usize)>,
    destructors: Destructors,
    data_store: Arc<DataStore>,
}

/// The memory that a buffer shares with the sub-buffers and images created from it.
struct DataStore {
    mappings: Mappings,
    residency: Residency,
    /// Which bits were never written, if that is checked.
    shadow: Option<Shadow>,
    memory: Option<Allocation>,
    _reservations: Vec<Reservation>,
}

impl Buffer {
    /// A buffer of `size` bytes. The caller has checked `flags` and `host` against each other
    /// (`CL_INVALID_VALUE`, `CL_INVALID_HOST_PTR`).
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
        let failed = |error: host_exec::error::ExecError| {
            Error::new(Code::MemObjectAllocationFailure, error.to_string())
        };
        let in_place = flags.contains(MemFlags::USE_HOST_PTR);
        let mut memory = None;
        let mut reservations = Vec::new();
        for (index, device_memory) in context.memories().iter().enumerate() {
            if index == 0 && !in_place {
                memory = Some(
                    device_memory
                        .allocate(size as u64, check::has_red_zones())
                        .map_err(failed)?,
                );
            } else {
                reservations.push(device_memory.reserve(size as u64).map_err(failed)?);
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
            // the buffer has as many.
            unsafe { parallel_copy::copy(host.0, start.0, size) };
        }
        let shadow = match check::has_shadows() {
            true => Some(Shadow::new(size, host.is_some()).ok_or_else(|| {
                let sentence = format!("the host has no {size} bytes to check the buffer");
                Error::new(Code::MemObjectAllocationFailure, sentence)
            })?),
            false => None,
        };
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            flags: flags.or_default(),
            size,
            host: host.filter(|_| in_place),
            start,
            parent: None,
            destructors: Destructors::default(),
            data_store: Arc::new(DataStore {
                mappings: Mappings::default(),
                residency: Residency::new(size, host.map(|_| MemoryLocation::Host)),
                shadow,
                memory,
                _reservations: reservations,
            }),
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
        let flags = flags.inherited_from(parent.flags)?;
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
        let origin = fault::sub_buffer_origin(origin);
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(&parent.context),
            flags,
            size,
            host: parent.host.map(|host| host.offset(origin)),
            start: parent.start.offset(origin),
            parent: Some((Arc::clone(parent), origin)),
            destructors: Destructors::default(),
            data_store: Arc::clone(&parent.data_store),
        }))
    }
    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }
    /// Flags in force.
    pub fn flags(&self) -> MemFlags {
        self.flags
    }
    /// Host pointer given with `USE_HOST_PTR` (for a sub-buffer: plus its origin).
    pub fn host_pointer(&self) -> Option<HostPointer> {
        self.host
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// The parent of a sub-buffer, and its origin there in bytes.
    pub fn parent(&self) -> Option<(&Arc<Buffer>, usize)> {
        self.parent
            .as_ref()
            .map(|(parent, origin)| (parent, *origin))
    }

    pub(crate) fn mappings(&self) -> &Mappings {
        &self.data_store.mappings
    }

    pub(crate) fn residency(&self) -> &Residency {
        &self.data_store.residency
    }

    /// Offset of its first byte in the data store.
    pub(crate) fn origin(&self) -> usize {
        self.parent().map_or(0, |(_, origin)| origin)
    }

    /// Whether the two have the same data store.
    pub(crate) fn shares_data_store(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data_store, &other.data_store)
    }

    pub(crate) fn destructors(&self) -> &Destructors {
        &self.destructors
    }

    /// Address of its first byte.
    pub(crate) fn start(&self) -> HostPointer {
        self.start
    }

    /// Address of the shadow of its first byte, if it is checked what was written.
    pub(crate) fn shadow(&self) -> Option<HostPointer> {
        let shadow = self.data_store.shadow.as_ref()?;
        Some(HostPointer(shadow.start()).offset(self.origin()))
    }

    /// Marks bytes within it as written.
    pub(crate) fn mark_defined(&self, offset: usize, size: usize) {
        if let Some(shadow) = self.shadow() {
            // SAFETY: the caller has checked the range, and the shadow has the buffer's size.
            unsafe { shadow.offset(offset).0.write_bytes(0, size) };
        }
    }

    /// Marks all its bytes as written: what accesses it from now on is not tracked.
    pub(crate) fn mark_all_defined(&self) {
        self.mark_defined(0, self.size);
    }

    /// Address of byte `offset`.
    pub(crate) fn at(&self, offset: usize) -> HostPointer {
        self.start.offset(offset)
    }

    /// # Errors
    /// `InvalidValue`: the range is not within the buffer.
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
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.mappings().remove_all_of(ObjectId::new(self));
        if self.parent.is_none()
            && let Some(damage) = self.data_store.memory.as_ref().and_then(Allocation::damage)
        {
            check::report_damage(&self.context, self.size, damage);
        }
        let memory = (Arc::clone(&self.data_store), self.parent.take());
        self.destructors.run(memory);
    }
}

impl crate::handle_slot::HasHandle for Buffer {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::partition::Partition;
    use crate::device::platform::Platform;

    #[test]
    fn a_buffer_takes_capacity_once_on_every_cluster_of_its_context() {
        // Clusters that no other test uses.
        let devices = &Platform::get().devices()[2..4];
        let with_parts = devices.iter().flat_map(|device| {
            let parts = device.divide(&Partition::Equally(6)).unwrap();
            std::iter::once(Arc::clone(device)).chain(parts)
        });
        let context = Context::new(with_parts.collect(), None).unwrap();
        let taken = |device: usize| devices[device].memory().taken();
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
