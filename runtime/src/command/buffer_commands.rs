//! Commands on buffers (OpenCL 1.2, sections 5.2.2 to 5.2.3).

use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::memory::buffer::Buffer;
use crate::memory::copy_endpoint::CopyEndpoint;
use crate::memory::host_pointer::HostPointer;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::rectangle::{RectLayout, Rectangle};
use crate::memory::residency::AccessKind;
use crate::memory::strided_range::StridedRange;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use host_exec::parallel_copy;
use std::sync::Arc;

impl Command {
    /// `clEnqueueReadBuffer`.
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
        let from = in_buffer(buffer, RectLayout::contiguous(offset, size));
        let to = CopyEndpoint::in_host_memory(destination, RectLayout::contiguous(0, size));
        let region = [size, 1, 1];
        Ok(Self::transfer(CommandType::ReadBuffer, from, to, region))
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
        let from = CopyEndpoint::in_host_memory(source, RectLayout::contiguous(0, size));
        let to = in_buffer(buffer, RectLayout::contiguous(offset, size));
        let region = [size, 1, 1];
        Ok(Self::transfer(CommandType::WriteBuffer, from, to, region))
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
        let from = (source, RectLayout::contiguous(source_offset, size));
        let to = (
            destination,
            RectLayout::contiguous(destination_offset, size),
        );
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
            CopyEndpoint::in_host_memory(destination, to),
        );
        let command_type = CommandType::ReadBufferRect;
        Ok(Self::transfer(command_type, from, to, rectangle.region))
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
        let (from, to) = (
            CopyEndpoint::in_host_memory(source, from),
            in_buffer(buffer, to),
        );
        let command_type = CommandType::WriteBufferRect;
        Ok(Self::transfer(command_type, from, to, rectangle.region))
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
        let rows =
            |buffer: &Buffer, layout| StridedRange::new(layout, region).moved(buffer.origin());
        if source.shares_data_store(destination)
            && rows(source, from).overlaps(&rows(destination, to))
        {
            return Err(Error::new(
                Code::MemCopyOverlap,
                "source and destination overlap",
            ));
        }
        let (from, to) = (in_buffer(source, from), in_buffer(destination, to));
        Ok(Self::transfer(command_type, from, to, region))
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
        let layout = RectLayout::contiguous(offset, size);
        let access = MemoryAccess::to_region(object, layout, [size, 1, 1], AccessKind::Overwrite);
        let transfer = HostTransfer::on_region(HostCommand::Fill, [size, 1, 1]);
        let target = Arc::clone(buffer);
        // Copied in blocks of many patterns.
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
                // Pieces begin at multiples of the pattern's size.
                parallel_copy::in_pieces(size, &|piece| {
                    for start in piece.clone().step_by(block.len()) {
                        let bytes = block.len().min(piece.end - start);
                        // SAFETY: the range is within the buffer, which is alive.
                        unsafe {
                            let to = target.at(offset + start).0;
                            std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                        }
                    }
                });
                target.mark_defined(offset, size);
                Ok(CommandWork::by_host(transfer))
            },
        )
        .accessing([access]))
    }
}

/// Bytes of `double16`, the largest built-in type, and so of the largest pattern.
const LARGEST_PATTERN: usize = 128;

/// Checks the size of a `clEnqueueFillBuffer` pattern, bytes.
///
/// # Errors
/// `InvalidValue`
pub fn check_pattern_size(size: usize) -> Result<()> {
    if size.is_power_of_two() && size <= LARGEST_PATTERN {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidValue,
        format!("a pattern has 1, 2, 4, … or {LARGEST_PATTERN} bytes, not {size}"),
    ))
}

fn in_buffer(buffer: &Arc<Buffer>, layout: RectLayout) -> CopyEndpoint {
    CopyEndpoint::in_object(MemObject::Buffer(Arc::clone(buffer)), layout)
}

fn check_within(buffer: &Buffer, layout: RectLayout, region: [usize; 3]) -> Result<()> {
    let end = layout.end(region).unwrap_or(usize::MAX);
    buffer.check_range(layout.offset, end - layout.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::device::platform::Platform;
    use crate::memory::flags::MemFlags;
    use crate::queue::{CommandQueue, QueueProperties};

    /// Large fills are done in pieces; patterns continue across their borders.
    #[test]
    fn fills_of_any_size_repeat_the_pattern() {
        let device = &Platform::get().devices()[0];
        let context = Context::new(vec![Arc::clone(device)], None).unwrap();
        let queue = CommandQueue::new(&context, device, QueueProperties::empty());
        let size = (3 << 20) + 5 * LARGEST_PATTERN;
        let buffer = Buffer::new(&context, MemFlags::empty(), size, None).unwrap();
        for length in [1, 8, LARGEST_PATTERN] {
            let pattern: Vec<u8> = (0..length)
                .map(|index| (index * 3 + length) as u8)
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
