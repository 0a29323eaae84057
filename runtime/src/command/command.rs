//! Commands: what a queue can be asked to do, checked when made.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::fault;
use crate::kernel::Kernel;
use crate::memory::buffer::Buffer;
use crate::memory::copy_endpoint::CopyEndpoint;
use crate::memory::mapping::{Mapping, MappingId};
use crate::memory::mem_object::{HostPointer, MapFlags, MemObject};
use crate::memory::rectangle::{RectLayout, StridedRange};
use crate::memory::residency::{
    self, AccessKind, AccessedRange, MemoryAccess, MemoryAccesses, MemoryLocation,
};
use crate::queue::CommandQueue;
use crate::recording::recorder::RecordedLaunch;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use fault_injection::Defect;
use host_exec::parallel_copy;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::Arc;

pub use crate::memory::rectangle::{Placement, Rectangle};

/// What a command does on the queue's worker.
pub(crate) type Body = Box<dyn FnOnce() -> Result<CommandWork> + Send>;

/// Contexts of a command's objects: mostly few.
type Contexts = SmallVec<[Arc<Context>; 2]>;

/// The function of a native kernel; it is given the addresses of its buffers. An error is the
/// command's.
pub type NativeKernel = Box<dyn FnOnce(&[HostPointer]) -> Result<()> + Send>;

/// How a command stands to the others of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Waits for its wait list.
    Command,
    /// Without a wait list it waits for all before it.
    Marker,
    /// As `Marker`, and all after it wait for it.
    Barrier,
}

/// A checked command, ready to be put into a queue.
pub struct Command {
    command_type: CommandType,
    order: Order,
    contexts: Contexts,
    /// What it uses of memory objects, and where, if not at the queue's device.
    uses: MemoryAccesses,
    memory: Option<MemoryLocation>,
    /// What happens when it is put into the queue.
    begin: Option<Box<dyn FnOnce() -> Result<()>>>,
    body: Body,
    launched: Option<Box<RecordedLaunch>>,
}

impl Command {
    pub(crate) fn new(
        command_type: CommandType,
        contexts: impl IntoIterator<Item = Arc<Context>>,
        body: impl FnOnce() -> Result<CommandWork> + Send + 'static,
    ) -> Self {
        Self {
            command_type,
            order: Order::Command,
            contexts: contexts.into_iter().collect(),
            uses: MemoryAccesses::new(),
            memory: None,
            begin: None,
            body: Box::new(body),
            launched: None,
        }
    }

    /// Copies a region whose bounds have been checked on both sides: bytes, rows, slices.
    pub(crate) fn moving(
        command_type: CommandType,
        from: CopyEndpoint,
        to: CopyEndpoint,
        region: [usize; 3],
    ) -> Self {
        let (reads, writes) = match (from.is_hosts(), to.is_hosts()) {
            (false, true) => (AccessKind::Export, AccessKind::Overwrite),
            (true, false) => (AccessKind::Read, AccessKind::Import),
            _ => (AccessKind::Read, AccessKind::Overwrite),
        };
        let uses: MemoryAccesses = [from.used(region, reads), to.used(region, writes)]
            .into_iter()
            .flatten()
            .collect();
        let contexts: Contexts = contexts_of(&uses).collect();
        let host_command = match (from.is_hosts(), to.is_hosts()) {
            (false, true) => HostCommand::Read,
            (true, false) => HostCommand::Write,
            _ => HostCommand::Copy,
        };
        let work = HostTransfer::on_region(host_command, region);
        Self::new(command_type, contexts, move || {
            // SAFETY: the region is within both, which live as long as this; the host
            // program vouches for its side (OpenCL 1.2, 5.2.2 to 5.3.4). It may pass memory
            // of the object itself (USE_HOST_PTR), so the two may be the same.
            unsafe { from.copy_to(&to, region) };
            Ok(CommandWork::on_host(work))
        })
        .using(uses)
    }

    /// With what it uses of memory objects, at the queue's device.
    pub(crate) fn using(mut self, uses: impl IntoIterator<Item = MemoryAccess>) -> Self {
        self.uses.extend(uses);
        self
    }

    /// With the uses at the host.
    fn at_host(mut self) -> Self {
        self.memory = Some(MemoryLocation::Host);
        self
    }

    /// With something to do when it is put into a queue.
    pub(crate) fn beginning_with(mut self, begin: impl FnOnce() -> Result<()> + 'static) -> Self {
        self.begin = Some(Box::new(begin));
        self
    }

    pub(crate) fn command_type(&self) -> CommandType {
        self.command_type
    }

    pub(crate) fn order(&self) -> Order {
        self.order
    }

    /// Contexts of its objects.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &Arc<Context>> {
        self.contexts.iter()
    }

    /// It is put into a queue of the device now; what is left to do there.
    pub(crate) fn begin(self, device: &Device) -> Result<(Body, Option<Box<RecordedLaunch>>)> {
        if let Some(begin) = self.begin {
            begin()?;
        }
        if self.uses.is_empty() {
            return Ok((self.body, self.launched));
        }
        let memory = self.memory.unwrap_or(MemoryLocation::of(device));
        let (uses, body) = (self.uses, self.body);
        let body = Box::new(move || {
            let moved = residency::migrate_in(&uses, memory);
            // What it holds goes with the body, before the command is seen to have ended.
            drop(uses);
            Ok(CommandWork { moved, ..body()? })
        });
        Ok((body, self.launched))
    }

    /// `clEnqueueReadBuffer`. Host access flags and bounds are checked.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn read_buffer(
        buffer: &Arc<Buffer>,
        offset: usize,
        size: usize,
        destination: HostPointer,
    ) -> Result<Self> {
        buffer.check_range(offset, size)?;
        buffer.flags().check_host_access(true, false)?;
        let from = in_buffer(buffer, RectLayout::line(offset, size));
        let to = CopyEndpoint::of_host(destination, RectLayout::line(0, size));
        let region = [size, 1, 1];
        Ok(Self::moving(CommandType::ReadBuffer, from, to, region))
    }
    /// `clEnqueueWriteBuffer`.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn write_buffer(
        buffer: &Arc<Buffer>,
        offset: usize,
        size: usize,
        source: HostPointer,
    ) -> Result<Self> {
        buffer.check_range(offset, size)?;
        buffer.flags().check_host_access(false, true)?;
        let from = CopyEndpoint::of_host(source, RectLayout::line(0, size));
        let to = in_buffer(buffer, RectLayout::line(offset, size));
        let region = [size, 1, 1];
        Ok(Self::moving(CommandType::WriteBuffer, from, to, region))
    }
    /// `clEnqueueCopyBuffer`.
    ///
    /// # Errors
    /// `InvalidValue`, `MemCopyOverlap`.
    pub fn copy_buffer(
        source: &Arc<Buffer>,
        destination: &Arc<Buffer>,
        source_offset: usize,
        destination_offset: usize,
        size: usize,
    ) -> Result<Self> {
        source.check_range(source_offset, size)?;
        destination.check_range(destination_offset, size)?;
        let from = (source, RectLayout::line(source_offset, size));
        let to = (destination, RectLayout::line(destination_offset, size));
        Self::copy(CommandType::CopyBuffer, from, to, [size, 1, 1])
    }
    /// `clEnqueueReadBufferRect`: buffer to host.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn read_buffer_rect(
        buffer: &Arc<Buffer>,
        rectangle: Rectangle,
        destination: HostPointer,
    ) -> Result<Self> {
        let (from, to) = (rectangle.source()?, rectangle.destination()?);
        check_within(buffer, from, rectangle.region)?;
        buffer.flags().check_host_access(true, false)?;
        let (from, to) = (
            in_buffer(buffer, from),
            CopyEndpoint::of_host(destination, to),
        );
        let command_type = CommandType::ReadBufferRect;
        Ok(Self::moving(command_type, from, to, rectangle.region))
    }
    /// `clEnqueueWriteBufferRect`: host to buffer.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn write_buffer_rect(
        buffer: &Arc<Buffer>,
        rectangle: Rectangle,
        source: HostPointer,
    ) -> Result<Self> {
        let (from, to) = (rectangle.source()?, rectangle.destination()?);
        check_within(buffer, to, rectangle.region)?;
        buffer.flags().check_host_access(false, true)?;
        let (from, to) = (CopyEndpoint::of_host(source, from), in_buffer(buffer, to));
        let command_type = CommandType::WriteBufferRect;
        Ok(Self::moving(command_type, from, to, rectangle.region))
    }
    /// `clEnqueueCopyBufferRect`.
    ///
    /// # Errors
    /// `InvalidValue`, `MemCopyOverlap`.
    pub fn copy_buffer_rect(
        source: &Arc<Buffer>,
        destination: &Arc<Buffer>,
        rectangle: Rectangle,
    ) -> Result<Self> {
        let (from, to) = (rectangle.source()?, rectangle.destination()?);
        check_within(source, from, rectangle.region)?;
        check_within(destination, to, rectangle.region)?;
        if Arc::ptr_eq(source, destination)
            && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch)
        {
            return Err(Error::new(
                Code::InvalidValue,
                "within one buffer the pitches must be equal",
            ));
        }
        let (from, to) = ((source, from), (destination, to));
        Self::copy(CommandType::CopyBufferRect, from, to, rectangle.region)
    }
    /// A copy from buffer to buffer of a region that is within both.
    ///
    /// # Errors
    /// `MemCopyOverlap`
    fn copy(
        command_type: CommandType,
        (source, from): (&Arc<Buffer>, RectLayout),
        (destination, to): (&Arc<Buffer>, RectLayout),
        region: [usize; 3],
    ) -> Result<Self> {
        let rows = |buffer: &Buffer, side| StridedRange::new(side, region).moved(buffer.place());
        if source.shares_data_store(destination) && rows(source, from).meet(&rows(destination, to))
        {
            return Err(Error::new(
                Code::MemCopyOverlap,
                "source and destination overlap",
            ));
        }
        let (from, to) = (in_buffer(source, from), in_buffer(destination, to));
        Ok(Self::moving(command_type, from, to, region))
    }
    /// `clEnqueueFillBuffer`.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub fn fill_buffer(
        buffer: &Arc<Buffer>,
        pattern: &[u8],
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let length = pattern.len();
        check_pattern_size(length)?;
        if !offset.is_multiple_of(length) || !size.is_multiple_of(length) {
            return Err(Error::new(
                Code::InvalidValue,
                "offset and size must be multiples of the pattern's size",
            ));
        }
        buffer.check_range(offset, size)?;
        let object = MemObject::Buffer(Arc::clone(buffer));
        let side = RectLayout::line(offset, size);
        let used = MemoryAccess::of_region(object, side, [size, 1, 1], AccessKind::Overwrite);
        let work = HostTransfer::on_region(HostCommand::Fill, [size, 1, 1]);
        let kept = Arc::clone(buffer);
        // A pattern repeated to the largest size fills any size in whole steps.
        let block: Vec<u8> = pattern
            .iter()
            .copied()
            .cycle()
            .take(4096.min(size.max(length)))
            .collect();
        Ok(Self::new(
            CommandType::FillBuffer,
            [Arc::clone(buffer.context())],
            move || {
                // Pieces begin where a pattern does.
                parallel_copy::in_pieces(size, &|piece| {
                    for start in piece.clone().step_by(block.len()) {
                        let bytes = block.len().min(piece.end - start);
                        // SAFETY: the range is within the buffer, which lives.
                        unsafe {
                            let to = kept.at(offset + start).0;
                            std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                        }
                    }
                });
                Ok(CommandWork::on_host(work))
            },
        )
        .using([used]))
    }
    /// `clEnqueueMapBuffer`: the command and the pointer the host will use.
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
        let rows = StridedRange::new(RectLayout::line(offset, size), [size, 1, 1]);
        let command = Self::map(CommandType::MapBuffer, object, pointer, rows, flags);
        Ok((command, pointer))
    }
    /// A region is mapped from when the command is put into a queue; `rows` are counted
    /// from the object's start. The host reads and writes the object's own bytes, so there
    /// is nothing else to do.
    pub(crate) fn map(
        command_type: CommandType,
        object: MemObject,
        pointer: HostPointer,
        rows: StridedRange,
        flags: MapFlags,
    ) -> Self {
        let contexts = [Arc::clone(object.context())];
        let work = HostTransfer {
            command: HostCommand::Map,
            bytes: rows.bytes() as u64,
            rows: 1,
        };
        let mapping = Mapping::new(&object, pointer, rows, flags.writes());
        let access = if flags.contains(MapFlags::WRITE_INVALIDATE_REGION) {
            AccessKind::Overwrite
        } else if flags.writes() {
            AccessKind::Update
        } else {
            AccessKind::Read
        };
        let used = MemoryAccess {
            object: object.clone(),
            part: AccessedRange::from(mapping.rows()),
            access,
        };
        let pending = Arc::new(PendingMapping {
            object,
            entered: Mutex::new(None),
        });
        let entering = Arc::clone(&pending);
        Self::new(command_type, contexts, move || {
            *pending.entered.lock() = None;
            Ok(CommandWork::on_host(work))
        })
        .beginning_with(move || {
            let number = entering.object.mappings().add(mapping)?;
            *entering.entered.lock() = Some(number);
            Ok(())
        })
        .using([used])
        .at_host()
    }
    /// `clEnqueueUnmapMemObject`. The region is mapped no more from when the command is put
    /// into a queue. What the host has written stays there until a device needs it.
    pub fn unmap(object: &MemObject, mapped: HostPointer) -> Self {
        let pending = Arc::new(PendingUnmapping {
            object: object.clone(),
            taken: Mutex::new(None),
        });
        let taking = Arc::clone(&pending);
        Self::new(
            CommandType::UnmapMemObject,
            [Arc::clone(object.context())],
            move || {
                let mapping = pending.taken.lock().take();
                let written = mapping.filter(Mapping::writes);
                let bytes = written.map_or(0, |mapping| mapping.rows().bytes());
                Ok(CommandWork::on_host(HostTransfer::on_region(
                    HostCommand::Unmap,
                    [bytes, 1, 1],
                )))
            },
        )
        .beginning_with(move || {
            let object = &taking.object;
            let mapping = object.mappings().take(object.identity(), mapped)?;
            *taking.taken.lock() = Some(mapping);
            Ok(())
        })
    }
    /// `clEnqueueMigrateMemObjects`, to the queue's device or to the host; their contents
    /// need not go with them if they are `undefined` from then on.
    pub fn migrate(objects: Vec<MemObject>, to_host: bool, undefined: bool) -> Self {
        let contexts = objects.iter().map(|object| Arc::clone(object.context()));
        let access = if undefined {
            AccessKind::Overwrite
        } else {
            AccessKind::Read
        };
        let command = Self::new(CommandType::MigrateMemObjects, contexts, || {
            let nothing = HostTransfer::on_region(HostCommand::Migrate, [0; 3]);
            Ok(CommandWork::on_host(nothing))
        })
        .using(
            objects
                .into_iter()
                .map(|object| MemoryAccess::of_all(object, access)),
        );
        if to_host { command.at_host() } else { command }
    }
    /// `clEnqueueNDRangeKernel` (or `clEnqueueTask` with `task`). Takes the kernel's
    /// arguments as they are now.
    ///
    /// # Errors
    /// All that `clEnqueueNDRangeKernel` lists about kernel and sizes.
    pub fn nd_range(
        kernel: &Arc<Kernel>,
        queue: &CommandQueue,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
        local_size: Option<&[usize]>,
        task: bool,
    ) -> Result<Self> {
        let launch = kernel.launch(queue, global_offset, global_size, local_size)?;
        let command_type = if task {
            CommandType::Task
        } else {
            CommandType::NdRangeKernel
        };
        if fault_injection::is_active(Defect::LateArguments)
            || fault_injection::is_active(Defect::StaleReads)
        {
            let contexts = [Arc::clone(kernel.context())];
            let body = fault::launch(kernel, launch);
            return Ok(Self::new(command_type, contexts, body));
        }
        let launched = RecordedLaunch::new(kernel, &launch);
        let contexts = [Arc::clone(kernel.context())];
        Ok(Self {
            launched,
            ..Self::new(command_type, contexts, move || launch.run_with_memory())
        })
    }
    /// `clEnqueueNativeKernel`: runs `body` on the queue's worker, with the addresses of
    /// the buffers in their order; null where there is none.
    pub fn native(buffers: Vec<Option<Arc<Buffer>>>, body: NativeKernel) -> Self {
        let uses: Vec<_> = buffers
            .iter()
            .flatten()
            .map(|buffer| {
                MemoryAccess::of_all(MemObject::Buffer(Arc::clone(buffer)), AccessKind::Update)
            })
            .collect();
        Self::new(
            CommandType::NativeKernel,
            buffers
                .iter()
                .flatten()
                .map(|buffer| Arc::clone(buffer.context()))
                .collect::<Contexts>(),
            move || {
                let address = |buffer: &Option<Arc<Buffer>>| match buffer {
                    Some(buffer) => buffer.start(),
                    None => HostPointer(std::ptr::null_mut()),
                };
                let addresses: Vec<_> = buffers.iter().map(address).collect();
                body(&addresses)?;
                Ok(CommandWork::default())
            },
        )
        .using(uses)
    }
    /// Marker: completes when the wait list (or, if empty, all before it) has.
    pub fn marker() -> Self {
        Self {
            order: Order::Marker,
            ..Self::new(CommandType::Marker, Vec::new(), || {
                Ok(CommandWork::default())
            })
        }
    }
    /// Barrier: as marker, and later commands wait for it.
    pub fn barrier() -> Self {
        Self {
            order: Order::Barrier,
            ..Self::new(CommandType::Barrier, Vec::new(), || {
                Ok(CommandWork::default())
            })
        }
    }
}

/// A mapping whose command has not run: undone if it never does, because something that
/// it waits for has failed.
struct PendingMapping {
    object: MemObject,
    /// It is among the object's mappings, and for this command only.
    entered: Mutex<Option<MappingId>>,
}

impl Drop for PendingMapping {
    fn drop(&mut self) {
        if let Some(number) = self.entered.get_mut().take() {
            self.object.mappings().remove(number);
        }
    }
}

/// An unmapping whose command has not run: if it never does, the region is still mapped.
struct PendingUnmapping {
    object: MemObject,
    taken: Mutex<Option<Mapping>>,
}

impl Drop for PendingUnmapping {
    fn drop(&mut self) {
        if let Some(mapping) = self.taken.get_mut().take() {
            self.object.mappings().put_back(mapping);
        }
    }
}

/// Bytes of `double16`, the largest built-in type.
const LARGEST_PATTERN: usize = 128;

/// # Errors
/// `InvalidValue`: no pattern of `clEnqueueFillBuffer` has that size.
pub fn check_pattern_size(size: usize) -> Result<()> {
    if size.is_power_of_two() && size <= LARGEST_PATTERN {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidValue,
        format!("a pattern has 1, 2, 4, … or {LARGEST_PATTERN} bytes, not {size}"),
    ))
}

fn contexts_of(uses: &[MemoryAccess]) -> impl Iterator<Item = Arc<Context>> {
    uses.iter().map(|one| Arc::clone(one.object.context()))
}

fn in_buffer(buffer: &Arc<Buffer>, side: RectLayout) -> CopyEndpoint {
    CopyEndpoint::of_object(MemObject::Buffer(Arc::clone(buffer)), side)
}

fn check_within(buffer: &Buffer, side: RectLayout, region: [usize; 3]) -> Result<()> {
    let end = side.end(region).unwrap_or(usize::MAX);
    buffer.check_range(side.offset, end - side.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;
    use crate::memory::mem_object::MemFlags;
    use crate::queue::QueueProperties;

    /// Large fills are done in pieces: patterns go on across their borders.
    #[test]
    fn a_fill_repeats_the_pattern_whatever_its_size() {
        let device = &Platform::get().devices()[0];
        let context = Context::new(vec![Arc::clone(device)], None).unwrap();
        let queue = CommandQueue::new(&context, device, QueueProperties::empty());
        let size = (3 << 20) + 5 * LARGEST_PATTERN;
        let buffer = Buffer::new(&context, MemFlags::empty(), size, None).unwrap();
        for length in [1, 8, LARGEST_PATTERN] {
            let pattern: Vec<u8> = (0..length)
                .map(|place| (place * 3 + length) as u8)
                .collect();
            for (offset, filled) in [(0, 0), (LARGEST_PATTERN, size - 2 * LARGEST_PATTERN)] {
                let all = Command::fill_buffer(&buffer, &[0xEE], 0, size).unwrap();
                let some = Command::fill_buffer(&buffer, &pattern, offset, filled).unwrap();
                queue.enqueue(all, &[]).unwrap();
                queue.enqueue(some, &[]).unwrap();
                let mut bytes = vec![0; size];
                let to = HostPointer(bytes.as_mut_ptr());
                let read = Command::read_buffer(&buffer, 0, size, to).unwrap();
                queue.enqueue(read, &[]).unwrap().wait();
                let (inside, after) = (offset..offset + filled, offset + filled..size);
                assert!(bytes[..offset].iter().all(|byte| *byte == 0xEE));
                assert!(bytes[after].iter().all(|byte| *byte == 0xEE));
                let mut expected = pattern.iter().cycle();
                assert!(
                    bytes[inside]
                        .iter()
                        .all(|byte| Some(byte) == expected.next())
                );
            }
        }
    }
}
