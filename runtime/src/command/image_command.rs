//! Commands on images (OpenCL 1.2, sections 5.3.3 to 5.3.6).

use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::memory::buffer::Buffer;
use crate::memory::copy_endpoint::CopyEndpoint;
use crate::memory::image::{Image, ImageType};
use crate::memory::mem_object::{HostPointer, MapFlags, MemObject, boxes_meet};
use crate::memory::rectangle::{RectLayout, StridedRange};
use crate::memory::residency::{AccessKind, MemoryAccess};
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use std::sync::Arc;

/// Where something is in an image: pixel, row (or image of a 1D array), slice (or image
/// of a 2D array).
pub type Origin = [usize; 3];
/// Pixels, rows, slices.
pub type Region = [usize; 3];

/// MemoryLocation of the host program's that holds a region of an image.
#[derive(Clone, Copy, Debug)]
pub struct HostRegion {
    /// Its first pixel.
    pub pointer: HostPointer,
    /// Bytes from row to row; 0 means tight.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or image to image of an array; 0 means tight.
    pub slice_pitch: usize,
}

/// What the host gets for a mapped region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedImage {
    /// Its first pixel.
    pub pointer: HostPointer,
    /// Bytes.
    pub row_pitch: usize,
    /// Bytes; 0 for what has no slices.
    pub slice_pitch: usize,
}

impl CopyEndpoint {
    /// In an image that has the region.
    fn of_image(image: &Arc<Image>, origin: Origin) -> Self {
        Self::of_object(MemObject::Image(Arc::clone(image)), image.side(origin))
    }

    /// Tight in a buffer, for a region of an image; both are checked.
    ///
    /// # Errors
    /// `InvalidMemObject` (the image is a 1D image of that buffer), `InvalidValue`.
    fn of_buffer(
        buffer: &Arc<Buffer>,
        offset: usize,
        image: &Image,
        origin: Origin,
        region: Region,
    ) -> Result<Self> {
        if image.image_type() == ImageType::Image1dBuffer
            && image.buffer().is_some_and(|own| Arc::ptr_eq(own, buffer))
        {
            return Err(Error::new(
                Code::InvalidMemObject,
                "the image is made from that buffer",
            ));
        }
        image.check_region(origin, region)?;
        let [width, height, depth] = image.in_bytes(region);
        buffer.check_range(offset, width * height * depth)?;
        let side = RectLayout {
            offset,
            row_pitch: width,
            slice_pitch: width * height,
        };
        Ok(Self::of_object(MemObject::Buffer(Arc::clone(buffer)), side))
    }
}

impl Command {
    /// `clEnqueueReadImage`.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn read_image(
        image: &Arc<Image>,
        origin: Origin,
        region: Region,
        destination: HostRegion,
    ) -> Result<Self> {
        image.check_region(origin, region)?;
        let to = image.host_side(region, destination.row_pitch, destination.slice_pitch)?;
        image.flags().check_host_access(true, false)?;
        let from = CopyEndpoint::of_image(image, origin);
        let to = CopyEndpoint::of_host(destination.pointer, to);
        Ok(Self::moving(
            CommandType::ReadImage,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueWriteImage`.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`.
    pub fn write_image(
        image: &Arc<Image>,
        origin: Origin,
        region: Region,
        source: HostRegion,
    ) -> Result<Self> {
        image.check_region(origin, region)?;
        let from = image.host_side(region, source.row_pitch, source.slice_pitch)?;
        image.flags().check_host_access(false, true)?;
        let from = CopyEndpoint::of_host(source.pointer, from);
        let to = CopyEndpoint::of_image(image, origin);
        Ok(Self::moving(
            CommandType::WriteImage,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueCopyImage`, between any types of images.
    ///
    /// # Errors
    /// `ImageFormatMismatch`, `InvalidValue`, `MemCopyOverlap`.
    pub fn copy_image(
        source: &Arc<Image>,
        destination: &Arc<Image>,
        source_origin: Origin,
        destination_origin: Origin,
        region: Region,
    ) -> Result<Self> {
        if source.format() != destination.format() {
            return Err(Error::new(
                Code::ImageFormatMismatch,
                format!("{:?} and {:?}", source.format(), destination.format()),
            ));
        }
        source.check_region(source_origin, region)?;
        destination.check_region(destination_origin, region)?;
        if Arc::ptr_eq(source, destination)
            && boxes_meet(source_origin, destination_origin, region, region)
        {
            return Err(Error::new(
                Code::MemCopyOverlap,
                "source and destination overlap",
            ));
        }
        let from = CopyEndpoint::of_image(source, source_origin);
        let to = CopyEndpoint::of_image(destination, destination_origin);
        Ok(Self::moving(
            CommandType::CopyImage,
            from,
            to,
            source.in_bytes(region),
        ))
    }
    /// `clEnqueueCopyImageToBuffer`: the pixels lie tight in the buffer.
    ///
    /// # Errors
    /// `InvalidMemObject` (the image is made from that buffer), `InvalidValue`.
    pub fn copy_image_to_buffer(
        image: &Arc<Image>,
        buffer: &Arc<Buffer>,
        origin: Origin,
        region: Region,
        offset: usize,
    ) -> Result<Self> {
        let to = CopyEndpoint::of_buffer(buffer, offset, image, origin, region)?;
        let from = CopyEndpoint::of_image(image, origin);
        Ok(Self::moving(
            CommandType::CopyImageToBuffer,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueCopyBufferToImage`: the pixels lie tight in the buffer.
    ///
    /// # Errors
    /// `InvalidMemObject` (the image is made from that buffer), `InvalidValue`.
    pub fn copy_buffer_to_image(
        buffer: &Arc<Buffer>,
        image: &Arc<Image>,
        offset: usize,
        origin: Origin,
        region: Region,
    ) -> Result<Self> {
        let from = CopyEndpoint::of_buffer(buffer, offset, image, origin, region)?;
        let to = CopyEndpoint::of_image(image, origin);
        Ok(Self::moving(
            CommandType::CopyBufferToImage,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueFillImage`. `color` holds the bits of `float`, `int` or `uint`, as the
    /// format demands.
    ///
    /// # Errors
    /// `InvalidValue`.
    pub fn fill_image(
        image: &Arc<Image>,
        color: [u32; 4],
        origin: Origin,
        region: Region,
    ) -> Result<Self> {
        image.check_region(origin, region)?;
        let (kept, side) = (Arc::clone(image), image.side(origin));
        let pixel = image.format().pixel(color);
        let row_bytes = pixel.len() * region[0];
        let work = HostTransfer::on_region(HostCommand::Fill, image.in_bytes(region));
        let block = pixel.repeat(region[0].min(BLOCK_PIXELS));
        let object = MemObject::Image(Arc::clone(image));
        let used =
            MemoryAccess::of_region(object, side, image.in_bytes(region), AccessKind::Overwrite);
        Ok(Self::new(
            CommandType::FillImage,
            vec![Arc::clone(image.context())],
            move || {
                for (slice, row) in rows(region) {
                    let start = side.offset + slice * side.slice_pitch + row * side.row_pitch;
                    for within in (0..row_bytes).step_by(block.len()) {
                        let bytes = block.len().min(row_bytes - within);
                        // SAFETY: the region is within the image, which lives.
                        unsafe {
                            let to = kept.start().0.add(start + within);
                            std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                        }
                    }
                }
                Ok(CommandWork::on_host(work))
            },
        )
        .using([used]))
    }
    /// `clEnqueueMapImage`: the command, and what the host will use.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`; the latter also when it is put into a queue:
    /// the region overlaps one that is mapped for writing.
    pub fn map_image(
        image: &Arc<Image>,
        flags: MapFlags,
        origin: Origin,
        region: Region,
    ) -> Result<(Self, MappedImage)> {
        flags.check()?;
        image.check_region(origin, region)?;
        image
            .flags()
            .check_host_access(flags.contains(MapFlags::READ), flags.writes())?;
        let side = image.side(origin);
        let pointer = HostPointer(image.start().0.wrapping_add(side.offset));
        let rows = StridedRange::new(side, image.in_bytes(region));
        let object = MemObject::Image(Arc::clone(image));
        let command = Self::map(CommandType::MapImage, object, pointer, rows, flags);
        let mapped = MappedImage {
            pointer,
            row_pitch: image.row_pitch(),
            slice_pitch: image.slice_pitch(),
        };
        Ok((command, mapped))
    }
}

/// Pixels that are put into memory at once when an image is filled.
const BLOCK_PIXELS: usize = 1024;

/// Slice and row of each row of a region.
fn rows(region: Region) -> impl Iterator<Item = (usize, usize)> {
    (0..region[2]).flat_map(move |slice| (0..region[1]).map(move |row| (slice, row)))
}
