//! Mapping and unmapping of memory objects (OpenCL 1.2, sections 5.2.4, 5.3.6 and 5.4.2).

use crate::check;
use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::memory::buffer::Buffer;
use crate::memory::flags::MapFlags;
use crate::memory::host_pointer::HostPointer;
use crate::memory::mapping::{Mapping, MappingId};
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::rectangle::RectLayout;
use crate::memory::residency::{AccessKind, AccessedRange};
use crate::memory::strided_range::StridedRange;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use parking_lot::Mutex;
use std::sync::Arc;

impl Command {
    /// `clEnqueueMapBuffer`: the command, and the address for the host program.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn map_buffer(
        buffer: &Arc<Buffer>,
        flags: MapFlags,
        offset: usize,
        size: usize,
    ) -> Result<(Self, HostPointer)> {
        flags.check()?;
        if size == 0 {
            return Err(Error::new(Code::InvalidValue, "a map of 0 bytes"));
        }
        buffer.check_range(offset, size)?;
        buffer
            .flags()
            .check_host_access(flags.contains(MapFlags::READ), flags.writes())?;
        let pointer = buffer.at(offset);
        let object = MemObject::Buffer(Arc::clone(buffer));
        let rows = StridedRange::new(RectLayout::contiguous(offset, size), [size, 1, 1]);
        let command = Self::map(CommandType::MapBuffer, object, pointer, rows, flags);
        Ok((command, pointer))
    }
    /// Maps `rows`, which are offsets in the object. The region counts as mapped when the command
    /// is enqueued. The host program accesses the object's own bytes, so nothing is copied.
    pub(super) fn map(
        command_type: CommandType,
        object: MemObject,
        pointer: HostPointer,
        rows: StridedRange,
        flags: MapFlags,
    ) -> Self {
        let contexts = [Arc::clone(object.context())];
        let transfer = HostTransfer {
            command: HostCommand::Map,
            bytes: rows.bytes() as u64,
            rows: 1,
        };
        let rows_in_store = rows.moved(object.range().start);
        let mapping = Mapping::new(object.identity(), pointer, rows_in_store, flags.writes());
        let kind = if flags.contains(MapFlags::WRITE_INVALIDATE_REGION) {
            AccessKind::Overwrite
        } else if flags.writes() {
            AccessKind::Update
        } else {
            AccessKind::Read
        };
        let access = MemoryAccess {
            object: object.clone(),
            accessed: AccessedRange::from(mapping.rows()),
            kind,
        };
        let written = match &object {
            MemObject::Buffer(buffer) if flags.writes() => {
                let offset = pointer.0.addr() - buffer.start().0.addr();
                Some((Arc::clone(buffer), offset, rows.bytes()))
            }
            MemObject::Buffer(_) | MemObject::Image(_) => None,
        };
        let pending = Arc::new(PendingMapping {
            object,
            mapping: Mutex::new(None),
        });
        let enqueued = Arc::clone(&pending);
        Self::new(command_type, contexts, move || {
            if check::follows_mappings() {
                pending.object.mappings().begin(mapping);
            }
            if let Some((buffer, offset, bytes)) = &written {
                buffer.mark_defined(*offset, *bytes);
            }
            *pending.mapping.lock() = None;
            Ok(CommandWork::by_host(transfer))
        })
        .on_enqueue(move || {
            let id = enqueued.object.mappings().add(mapping)?;
            *enqueued.mapping.lock() = Some(id);
            Ok(())
        })
        .accessing([access])
        .at_host()
    }
    /// `clEnqueueUnmapMemObject`. The region is unmapped when the command is enqueued. Bytes that
    /// the host has written migrate when a device needs them.
    pub fn unmap(object: &MemObject, mapped: HostPointer) -> Self {
        let pending = Arc::new(PendingUnmapping {
            object: object.clone(),
            taken: Mutex::new(None),
        });
        let enqueued = Arc::clone(&pending);
        Self::new(
            CommandType::UnmapMemObject,
            [Arc::clone(object.context())],
            move || {
                let mapping = pending.taken.lock().take();
                if let Some(mapping) = mapping
                    && check::follows_mappings()
                {
                    pending.object.mappings().end(mapping);
                }
                let written = mapping.filter(Mapping::writes);
                let bytes = written.map_or(0, |mapping| mapping.rows().bytes());
                Ok(CommandWork::by_host(HostTransfer::on_region(
                    HostCommand::Unmap,
                    [bytes, 1, 1],
                )))
            },
        )
        .on_enqueue(move || {
            let object = &enqueued.object;
            let mapping = object.mappings().take(object.identity(), mapped)?;
            *enqueued.taken.lock() = Some(mapping);
            Ok(())
        })
    }
}

/// A mapping whose command has not executed. It is removed if the command never executes because
/// a dependency has failed.
struct PendingMapping {
    object: MemObject,
    /// The mapping, once it is among the object's mappings.
    mapping: Mutex<Option<MappingId>>,
}

impl Drop for PendingMapping {
    fn drop(&mut self) {
        if let Some(id) = self.mapping.get_mut().take() {
            self.object.mappings().remove(id);
        }
    }
}

/// An unmapping whose command has not executed. If it never does, the region stays mapped.
struct PendingUnmapping {
    object: MemObject,
    /// The mapping, once it has been taken from the object's mappings.
    taken: Mutex<Option<Mapping>>,
}

impl Drop for PendingUnmapping {
    fn drop(&mut self) {
        if let Some(mapping) = self.taken.get_mut().take() {
            self.object.mappings().restore(mapping);
        }
    }
}
