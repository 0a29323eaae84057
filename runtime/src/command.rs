//! Commands: what a queue can be asked to do, checked when made.

use crate::buffer::Buffer;
use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::kernel::Kernel;
use crate::mem_object::{HostPointer, MapFlags, Mapping, MemObject};
use crate::queue::CommandQueue;
use crate::rectangle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use crate::rectangle::{Placement, Rectangle};

/// What a command does on the queue's worker.
pub(crate) type Body = Box<dyn FnOnce() -> Result<()> + Send>;

/// The function of a native kernel; it is given the addresses of its buffers.
pub type NativeKernel = Box<dyn FnOnce(&[HostPointer]) + Send>;

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
    contexts: Vec<Arc<Context>>,
    /// What happens when it is put into the queue.
    begin: Option<Box<dyn FnOnce() -> Result<()>>>,
    body: Body,
}

impl Command {
    pub(crate) fn new(
        command_type: CommandType,
        contexts: Vec<Arc<Context>>,
        body: impl FnOnce() -> Result<()> + Send + 'static,
    ) -> Self {
        Self {
            command_type,
            order: Order::Command,
            contexts,
            begin: None,
            body: Box::new(body),
        }
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

    /// It is put into a queue now; what is left to do there.
    pub(crate) fn begin(self) -> Result<Body> {
        if let Some(begin) = self.begin {
            begin()?;
        }
        Ok(self.body)
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
        let source = buffer.at(offset);
        Ok(copy(
            CommandType::ReadBuffer,
            vec![buffer],
            source,
            destination,
            size,
        ))
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
        let destination = buffer.at(offset);
        Ok(copy(
            CommandType::WriteBuffer,
            vec![buffer],
            source,
            destination,
            size,
        ))
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
        let (from, to) = (source.at(source_offset), destination.at(destination_offset));
        if share_memory(source, destination) && from.0.addr().abs_diff(to.0.addr()) < size {
            return Err(Error::new(
                Code::MemCopyOverlap,
                "source and destination overlap",
            ));
        }
        Ok(copy(
            CommandType::CopyBuffer,
            vec![source, destination],
            from,
            to,
            size,
        ))
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
        let kept = Arc::clone(buffer);
        Ok(Self::new(
            CommandType::ReadBufferRect,
            vec![Arc::clone(buffer.context())],
            move || {
                // SAFETY: the buffer holds the region and lives; the host program
                // vouches for its side (OpenCL 1.2, 5.2.4).
                unsafe {
                    rectangle::copy(kept.start(), from, destination, to, rectangle.region);
                }
                Ok(())
            },
        ))
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
        let kept = Arc::clone(buffer);
        Ok(Self::new(
            CommandType::WriteBufferRect,
            vec![Arc::clone(buffer.context())],
            move || {
                // SAFETY: as for `read_buffer_rect`.
                unsafe { rectangle::copy(source, from, kept.start(), to, rectangle.region) };
                Ok(())
            },
        ))
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
        if share_memory(source, destination) {
            let in_memory = |side: rectangle::Side, buffer: &Buffer| rectangle::Side {
                offset: side.offset + buffer.parent().map_or(0, |(_, origin)| origin),
                ..side
            };
            let (a, b) = (in_memory(from, source), in_memory(to, destination));
            if rectangle::overlap(a, b, rectangle.region) {
                return Err(Error::new(
                    Code::MemCopyOverlap,
                    "source and destination overlap",
                ));
            }
        }
        let (kept_source, kept) = (Arc::clone(source), Arc::clone(destination));
        Ok(Self::new(
            CommandType::CopyBufferRect,
            contexts(&[source, destination]),
            move || {
                let (source, destination) = (kept_source.start(), kept.start());
                // SAFETY: both buffers hold their regions and live.
                unsafe { rectangle::copy(source, from, destination, to, rectangle.region) };
                Ok(())
            },
        ))
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
        let kept = Arc::clone(buffer);
        // A pattern repeated to the largest size fills any size in whole steps.
        let block: Vec<u8> = pattern.iter().copied().cycle().take(4096).collect();
        Ok(Self::new(
            CommandType::FillBuffer,
            vec![Arc::clone(buffer.context())],
            move || {
                for start in (0..size).step_by(block.len()) {
                    let bytes = block.len().min(size - start);
                    // SAFETY: the range is within the buffer, which lives.
                    unsafe {
                        let to = kept.at(offset + start).0;
                        std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                    }
                }
                Ok(())
            },
        ))
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
        let writes = flags.writes();
        buffer.check_range(offset, size)?;
        buffer
            .flags()
            .check_host_access(flags.contains(MapFlags::READ), writes)?;
        let pointer = buffer.at(offset);
        let mapping = Mapping {
            pointer,
            origin: [offset, 0, 0],
            region: [size, 1, 1],
            writes,
        };
        let object = MemObject::Buffer(Arc::clone(buffer));
        Ok((Self::map(CommandType::MapBuffer, object, mapping), pointer))
    }
    /// A region is mapped from when the command is put into a queue. The host reads and
    /// writes the object's own bytes, so there is nothing else to do.
    pub(crate) fn map(command_type: CommandType, object: MemObject, mapping: Mapping) -> Self {
        let contexts = vec![Arc::clone(object.context())];
        let pending = Arc::new(PendingMapping {
            object,
            mapping,
            entered: AtomicBool::new(false),
        });
        let entering = Arc::clone(&pending);
        let command = Self::new(command_type, contexts, move || {
            pending.entered.store(false, Ordering::Relaxed);
            Ok(())
        });
        command.beginning_with(move || {
            entering.object.mappings().add(mapping)?;
            entering.entered.store(true, Ordering::Relaxed);
            Ok(())
        })
    }
    /// `clEnqueueUnmapMemObject`.
    ///
    /// # Errors
    /// `InvalidValue`, when it is put into a queue: nothing is mapped there.
    pub fn unmap(object: &MemObject, mapped: HostPointer) -> Result<Self> {
        let (kept, unmapped) = (object.clone(), object.clone());
        let command = Self::new(
            CommandType::UnmapMemObject,
            vec![Arc::clone(object.context())],
            move || {
                drop(kept);
                Ok(())
            },
        );
        Ok(command.beginning_with(move || unmapped.mappings().remove(mapped)))
    }
    /// `clEnqueueMigrateMemObjects`, to the queue's device or to the host. One copy of
    /// the bytes serves both, so there is nothing to move.
    pub fn migrate(objects: Vec<MemObject>) -> Self {
        let contexts = objects.iter().map(|object| Arc::clone(object.context()));
        Self::new(
            CommandType::MigrateMemObjects,
            contexts.collect(),
            move || {
                drop(objects);
                Ok(())
            },
        )
    }
    /// `clEnqueueNDRangeKernel` (or `clEnqueueTask` with `task`). Takes the kernel's
    /// arguments as they are now.
    ///
    /// # Errors
    /// All that `clEnqueueNDRangeKernel` lists about kernel and sizes.
    pub fn nd_range(
        kernel: &Kernel,
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
        Ok(Self::new(
            command_type,
            vec![Arc::clone(kernel.context())],
            move || launch.run(),
        ))
    }
    /// `clEnqueueNativeKernel`: runs `body` on the queue's worker, with the addresses of
    /// the buffers in their order; null where there is none.
    pub fn native(buffers: Vec<Option<Arc<Buffer>>>, body: NativeKernel) -> Self {
        Self::new(
            CommandType::NativeKernel,
            buffers
                .iter()
                .flatten()
                .map(|buffer| Arc::clone(buffer.context()))
                .collect(),
            move || {
                let address = |buffer: &Option<Arc<Buffer>>| match buffer {
                    Some(buffer) => buffer.start(),
                    None => HostPointer(std::ptr::null_mut()),
                };
                let addresses: Vec<_> = buffers.iter().map(address).collect();
                body(&addresses);
                Ok(())
            },
        )
    }
    /// Marker: completes when the wait list (or, if empty, all before it) has.
    pub fn marker() -> Self {
        Self {
            order: Order::Marker,
            ..Self::new(CommandType::Marker, Vec::new(), || Ok(()))
        }
    }
    /// Barrier: as marker, and later commands wait for it.
    pub fn barrier() -> Self {
        Self {
            order: Order::Barrier,
            ..Self::new(CommandType::Barrier, Vec::new(), || Ok(()))
        }
    }
}

/// A mapping whose command has not run: undone if it never does, because something that
/// it waits for has failed.
struct PendingMapping {
    object: MemObject,
    mapping: Mapping,
    /// It is among the object's mappings, and for this command only.
    entered: AtomicBool,
}

impl Drop for PendingMapping {
    fn drop(&mut self) {
        if *self.entered.get_mut() {
            let removed = self.object.mappings().remove(self.mapping.pointer);
            if let Err(error) = removed {
                log::debug!("the host has unmapped what was not mapped yet: {error}");
            }
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

fn contexts(buffers: &[&Arc<Buffer>]) -> Vec<Arc<Context>> {
    buffers
        .iter()
        .map(|buffer| Arc::clone(buffer.context()))
        .collect()
}

/// A copy of `size` bytes; `buffers` live as long.
fn copy(
    command_type: CommandType,
    buffers: Vec<&Arc<Buffer>>,
    source: HostPointer,
    destination: HostPointer,
    size: usize,
) -> Command {
    let contexts = contexts(&buffers);
    let kept: Vec<Arc<Buffer>> = buffers.into_iter().cloned().collect();
    Command::new(command_type, contexts, move || {
        let (source, destination) = (source, destination);
        // SAFETY: ranges of buffers have been checked and the buffers live; the host
        // program vouches for its own memory (OpenCL 1.2, 5.2.2). It may pass memory of
        // the buffer itself (USE_HOST_PTR), so the two may be the same.
        unsafe { std::ptr::copy(source.0, destination.0, size) };
        drop(kept);
        Ok(())
    })
}

fn check_within(buffer: &Buffer, side: rectangle::Side, region: [usize; 3]) -> Result<()> {
    let end = side.end(region).unwrap_or(usize::MAX);
    buffer.check_range(side.offset, end - side.offset)
}

/// Whether two buffers are parts of the same one.
fn share_memory(a: &Arc<Buffer>, b: &Arc<Buffer>) -> bool {
    fn root(buffer: &Arc<Buffer>) -> &Arc<Buffer> {
        buffer.parent().map_or(buffer, |(parent, _)| parent)
    }
    Arc::ptr_eq(root(a), root(b))
}
