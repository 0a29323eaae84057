//! Commands: what a queue can be asked to do, checked when made.

use crate::buffer::{Buffer, HostPointer, MapFlags};
use crate::device::Device;
use crate::error::Result;
use crate::kernel::Kernel;
use std::sync::Arc;

/// A 3-D region for the rectangular copies (OpenCL 1.2, 5.2.4). Bytes, rows, slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Bytes in a row, rows, slices.
    pub region: [usize; 3],
    /// Origin on the source side.
    pub source_origin: [usize; 3],
    /// Bytes from row to row; 0 means tight.
    pub source_row_pitch: usize,
    /// Bytes from slice to slice; 0 means tight.
    pub source_slice_pitch: usize,
    /// Origin on the destination side.
    pub destination_origin: [usize; 3],
    /// Bytes from row to row; 0 means tight.
    pub destination_row_pitch: usize,
    /// Bytes from slice to slice; 0 means tight.
    pub destination_slice_pitch: usize,
}

/// A checked command, ready to be put into a queue.
pub struct Command {}

impl Command {
    /// `clEnqueueReadBuffer`. Host access flags and bounds are checked.
    pub fn read_buffer(
        buffer: &Arc<Buffer>,
        offset: usize,
        size: usize,
        destination: HostPointer,
    ) -> Result<Self> {
        let _ = (buffer, offset, size, destination);
        todo!()
    }
    /// `clEnqueueWriteBuffer`.
    pub fn write_buffer(
        buffer: &Arc<Buffer>,
        offset: usize,
        size: usize,
        source: HostPointer,
    ) -> Result<Self> {
        let _ = (buffer, offset, size, source);
        todo!()
    }
    /// `clEnqueueCopyBuffer`.
    pub fn copy_buffer(
        source: &Arc<Buffer>,
        destination: &Arc<Buffer>,
        source_offset: usize,
        destination_offset: usize,
        size: usize,
    ) -> Result<Self> {
        let _ = (source, destination, source_offset, destination_offset, size);
        todo!()
    }
    /// `clEnqueueReadBufferRect`: buffer to host.
    pub fn read_buffer_rect(
        buffer: &Arc<Buffer>,
        rectangle: Rectangle,
        destination: HostPointer,
    ) -> Result<Self> {
        let _ = (buffer, rectangle, destination);
        todo!()
    }
    /// `clEnqueueWriteBufferRect`: host to buffer.
    pub fn write_buffer_rect(
        buffer: &Arc<Buffer>,
        rectangle: Rectangle,
        source: HostPointer,
    ) -> Result<Self> {
        let _ = (buffer, rectangle, source);
        todo!()
    }
    /// `clEnqueueCopyBufferRect`.
    pub fn copy_buffer_rect(
        source: &Arc<Buffer>,
        destination: &Arc<Buffer>,
        rectangle: Rectangle,
    ) -> Result<Self> {
        let _ = (source, destination, rectangle);
        todo!()
    }
    /// `clEnqueueFillBuffer`.
    pub fn fill_buffer(
        buffer: &Arc<Buffer>,
        pattern: &[u8],
        offset: usize,
        size: usize,
    ) -> Result<Self> {
        let _ = (buffer, pattern, offset, size);
        todo!()
    }
    /// `clEnqueueMapBuffer`: the command and the pointer the host will use.
    pub fn map_buffer(
        buffer: &Arc<Buffer>,
        flags: MapFlags,
        offset: usize,
        size: usize,
    ) -> Result<(Self, HostPointer)> {
        let _ = (buffer, flags, offset, size);
        todo!()
    }
    /// `clEnqueueUnmapMemObject`.
    pub fn unmap_buffer(buffer: &Arc<Buffer>, mapped: HostPointer) -> Result<Self> {
        let _ = (buffer, mapped);
        todo!()
    }
    /// `clEnqueueMigrateMemObjects` to the queue's device (or, with `to_host`, to the host).
    pub fn migrate(buffers: &[Arc<Buffer>], to_host: bool) -> Result<Self> {
        let _ = (buffers, to_host);
        todo!()
    }
    /// `clEnqueueNDRangeKernel` (or `clEnqueueTask` with `task`). Takes the kernel's
    /// arguments as they are now. `device` is the queue's.
    pub fn nd_range(
        kernel: &Arc<Kernel>,
        device: &Arc<Device>,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
        local_size: Option<&[usize]>,
        task: bool,
    ) -> Result<Self> {
        let _ = (kernel, device, global_offset, global_size, local_size, task);
        todo!()
    }
    /// `clEnqueueNativeKernel`: runs `body` on the queue's worker.
    pub fn native(body: Box<dyn FnOnce() + Send>) -> Self {
        let _ = body;
        todo!()
    }
    /// Marker: completes when the wait list (or, if empty, all before it) has.
    pub fn marker() -> Self {
        todo!()
    }
    /// Barrier: as marker, and later commands wait for it.
    pub fn barrier() -> Self {
        todo!()
    }
}
