//! Commands on images (OpenCL 1.2, sections 5.3.3 to 5.3.6).

use crate::buffer::Buffer;
use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::image::Image;
use crate::mem_object::{HostPointer, MapFlags, Mapping, MemObject, boxes_meet};
use crate::rectangle::{self, Side};
use std::sync::Arc;

/// Where something is in an image: pixel, row (or image of a 1D array), slice (or image
/// of a 2D array).
pub type Origin = [usize; 3];
/// Pixels, rows, slices.
pub type Region = [usize; 3];

/// Memory of the host program's that holds a region of an image.
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
        let (kept, from) = (Arc::clone(image), image.side(origin));
        Ok(Self::new(
            CommandType::ReadImage,
            vec![Arc::clone(image.context())],
            move || {
                let host = destination.pointer;
                // SAFETY: the image holds the region and lives; the host program vouches
                // for its side (OpenCL 1.2, 5.3.3).
                unsafe { rectangle::copy(kept.start(), from, host, to, kept.in_bytes(region)) };
                Ok(())
            },
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
        let (kept, to) = (Arc::clone(image), image.side(origin));
        Ok(Self::new(
            CommandType::WriteImage,
            vec![Arc::clone(image.context())],
            move || {
                let host = source.pointer;
                // SAFETY: as for `read_image`.
                unsafe { rectangle::copy(host, from, kept.start(), to, kept.in_bytes(region)) };
                Ok(())
            },
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
        let (from, to) = (
            source.side(source_origin),
            destination.side(destination_origin),
        );
        let (kept_source, kept) = (Arc::clone(source), Arc::clone(destination));
        Ok(Self::new(
            CommandType::CopyImage,
            vec![
                Arc::clone(source.context()),
                Arc::clone(destination.context()),
            ],
            move || {
                let (source, destination) = (kept_source.start(), kept.start());
                let region = kept.in_bytes(region);
                // SAFETY: both images hold their regions and live.
                unsafe { rectangle::copy(source, from, destination, to, region) };
                Ok(())
            },
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
        let to = buffer_side(image, buffer, origin, region, offset)?;
        let from = image.side(origin);
        let (kept, kept_buffer) = (Arc::clone(image), Arc::clone(buffer));
        Ok(Self::new(
            CommandType::CopyImageToBuffer,
            vec![Arc::clone(image.context()), Arc::clone(buffer.context())],
            move || {
                let (source, destination) = (kept.start(), kept_buffer.start());
                let region = kept.in_bytes(region);
                // SAFETY: image and buffer hold the region and live.
                unsafe { rectangle::copy(source, from, destination, to, region) };
                Ok(())
            },
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
        let from = buffer_side(image, buffer, origin, region, offset)?;
        let to = image.side(origin);
        let (kept, kept_buffer) = (Arc::clone(image), Arc::clone(buffer));
        Ok(Self::new(
            CommandType::CopyBufferToImage,
            vec![Arc::clone(buffer.context()), Arc::clone(image.context())],
            move || {
                let (source, destination) = (kept_buffer.start(), kept.start());
                let region = kept.in_bytes(region);
                // SAFETY: image and buffer hold the region and live.
                unsafe { rectangle::copy(source, from, destination, to, region) };
                Ok(())
            },
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
        let block = pixel.repeat(region[0].min(BLOCK_PIXELS));
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
                Ok(())
            },
        ))
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
        let writes = flags.writes();
        image
            .flags()
            .check_host_access(flags.contains(MapFlags::READ), writes)?;
        let pointer = HostPointer(image.start().0.wrapping_add(image.side(origin).offset));
        let mapping = Mapping {
            pointer,
            origin,
            region,
            writes,
        };
        let object = MemObject::Image(Arc::clone(image));
        let command = Self::map(CommandType::MapImage, object, mapping);
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

/// How the pixels of a region lie in a buffer; the region and the buffer's bytes checked.
fn buffer_side(
    image: &Arc<Image>,
    buffer: &Arc<Buffer>,
    origin: Origin,
    region: Region,
    offset: usize,
) -> Result<Side> {
    if image.buffer().is_some_and(|own| Arc::ptr_eq(own, buffer)) {
        return Err(Error::new(
            Code::InvalidMemObject,
            "the image is made from that buffer",
        ));
    }
    image.check_region(origin, region)?;
    let [width, height, depth] = image.in_bytes(region);
    buffer.check_range(offset, width * height * depth)?;
    Ok(Side {
        offset,
        row_pitch: width,
        slice_pitch: width * height,
    })
}
