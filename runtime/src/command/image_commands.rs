//! Commands on images (OpenCL 1.2, sections 5.3.2 to 5.3.5).

use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::memory::buffer::Buffer;
use crate::memory::copy_endpoint::CopyEndpoint;
use crate::memory::flags::MapFlags;
use crate::memory::host_pointer::HostPointer;
use crate::memory::image::Image;
use crate::memory::image_type::ImageType;
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccess;
use crate::memory::rectangle::RectLayout;
use crate::memory::residency::AccessKind;
use crate::memory::strided_range::StridedRange;
use crate::time::command_work::{CommandWork, HostTransfer};
use device_sim::timing::host_command::HostCommand;
use std::sync::Arc;

/// A position in an image: pixel, row (or image of a 1D array), slice (or image of a 2D array).
pub type Origin = [usize; 3];
/// The size of a region: pixels, rows, slices.
pub type Region = [usize; 3];

/// Memory of the host program that holds a region of an image.
#[derive(Clone, Copy, Debug)]
pub struct HostRegion {
    /// Address of the first pixel.
    pub pointer: HostPointer,
    /// Bytes from row to row; 0 means without padding.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or image to image of an array; 0 means without padding.
    pub slice_pitch: usize,
}

/// A mapped region as the host program accesses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedImage {
    /// Address of the first pixel.
    pub pointer: HostPointer,
    /// Bytes from row to row.
    pub row_pitch: usize,
    /// Bytes from slice to slice; 0 for types without slices.
    pub slice_pitch: usize,
}

/// The endpoint of a region in an image.
fn in_image(image: &Arc<Image>, origin: Origin) -> CopyEndpoint {
    CopyEndpoint::in_object(MemObject::Image(Arc::clone(image)), image.layout(origin))
}

/// The endpoint in a buffer, without padding, of a region of an image; checks both.
///
/// # Errors
/// `InvalidMemObject` (the image is a 1D image of that buffer), `InvalidValue`.
fn in_buffer(
    buffer: &Arc<Buffer>,
    offset: usize,
    image: &Image,
    origin: Origin,
    region: Region,
) -> Result<CopyEndpoint> {
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
    let layout = RectLayout {
        offset,
        row_pitch: width,
        slice_pitch: width * height,
    };
    let object = MemObject::Buffer(Arc::clone(buffer));
    Ok(CopyEndpoint::in_object(object, layout))
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
        let to = image.host_layout(region, destination.row_pitch, destination.slice_pitch)?;
        image.flags().check_host_access(true, false)?;
        let from = in_image(image, origin);
        let to = CopyEndpoint::in_host_memory(destination.pointer, to);
        Ok(Self::transfer(
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
        let from = image.host_layout(region, source.row_pitch, source.slice_pitch)?;
        image.flags().check_host_access(false, true)?;
        let from = CopyEndpoint::in_host_memory(source.pointer, from);
        let to = in_image(image, origin);
        Ok(Self::transfer(
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
            && boxes_overlap(source_origin, destination_origin, region)
        {
            return Err(Error::new(
                Code::MemCopyOverlap,
                "source and destination overlap",
            ));
        }
        let from = in_image(source, source_origin);
        let to = in_image(destination, destination_origin);
        Ok(Self::transfer(
            CommandType::CopyImage,
            from,
            to,
            source.in_bytes(region),
        ))
    }
    /// `clEnqueueCopyImageToBuffer`: to pixels without padding.
    ///
    /// # Errors
    /// `InvalidMemObject` (a 1D image of that buffer), `InvalidValue`.
    pub fn copy_image_to_buffer(
        image: &Arc<Image>,
        buffer: &Arc<Buffer>,
        origin: Origin,
        region: Region,
        offset: usize,
    ) -> Result<Self> {
        let to = in_buffer(buffer, offset, image, origin, region)?;
        let from = in_image(image, origin);
        Ok(Self::transfer(
            CommandType::CopyImageToBuffer,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueCopyBufferToImage`: from pixels without padding.
    ///
    /// # Errors
    /// `InvalidMemObject` (a 1D image of that buffer), `InvalidValue`.
    pub fn copy_buffer_to_image(
        buffer: &Arc<Buffer>,
        image: &Arc<Image>,
        offset: usize,
        origin: Origin,
        region: Region,
    ) -> Result<Self> {
        let from = in_buffer(buffer, offset, image, origin, region)?;
        let to = in_image(image, origin);
        Ok(Self::transfer(
            CommandType::CopyBufferToImage,
            from,
            to,
            image.in_bytes(region),
        ))
    }
    /// `clEnqueueFillImage`. `color` contains the bits of `float`, `int` or `uint`, depending on
    /// the format.
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
        let (target, layout) = (Arc::clone(image), image.layout(origin));
        let pixel = image.format().pixel(color);
        let row_bytes = pixel.len() * region[0];
        let transfer = HostTransfer::on_region(HostCommand::Fill, image.in_bytes(region));
        let block = pixel.repeat(region[0].min(BLOCK_PIXELS));
        let object = MemObject::Image(Arc::clone(image));
        let access = MemoryAccess::to_region(
            object,
            layout,
            image.in_bytes(region),
            AccessKind::Overwrite,
        );
        Ok(Self::new(
            CommandType::FillImage,
            vec![Arc::clone(image.context())],
            move || {
                for (slice, row) in rows(region) {
                    let start = layout.offset + slice * layout.slice_pitch + row * layout.row_pitch;
                    for within in (0..row_bytes).step_by(block.len()) {
                        let bytes = block.len().min(row_bytes - within);
                        // SAFETY: the region is within the image, which is alive.
                        unsafe {
                            let to = target.start().0.add(start + within);
                            std::ptr::copy_nonoverlapping(block.as_ptr(), to, bytes);
                        }
                    }
                }
                Ok(CommandWork::by_host(transfer))
            },
        )
        .accessing([access]))
    }
    /// `clEnqueueMapImage`: the command, and the mapped region.
    ///
    /// # Errors
    /// `InvalidValue`, `InvalidOperation`; the latter also when it is enqueued: the region
    /// overlaps one that is mapped for writing.
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
        let layout = image.layout(origin);
        let pointer = image.start().offset(layout.offset);
        let rows = StridedRange::new(layout, image.in_bytes(region));
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

/// Most pixels that a fill copies at once.
const BLOCK_PIXELS: usize = 1024;

/// The slice and row numbers of all rows of a region.
fn rows(region: Region) -> impl Iterator<Item = (usize, usize)> {
    (0..region[2]).flat_map(move |slice| (0..region[1]).map(move |row| (slice, row)))
}

/// Whether two boxes of the same size have elements in common. Origin plus size does not
/// overflow.
fn boxes_overlap(a: Origin, b: Origin, size: Region) -> bool {
    (0..3).all(|axis| a[axis] < b[axis] + size[axis] && b[axis] < a[axis] + size[axis])
}
