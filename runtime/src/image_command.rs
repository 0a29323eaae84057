//! Commands on images (OpenCL 1.2, sections 5.3.3 to 5.3.6).

use crate::buffer::Buffer;
use crate::command::Command;
use crate::error::{Code, Error, Result};
use crate::event::CommandType;
use crate::image::{Image, ImageType};
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

/// Where a region lies that a command reads or writes.
struct Place {
    /// The image or buffer; none for memory of the host program's.
    object: Option<MemObject>,
    start: HostPointer,
    side: Side,
}

impl Place {
    /// In an image that has the region.
    fn of_image(image: &Arc<Image>, origin: Origin) -> Self {
        Self {
            start: image.start(),
            side: image.side(origin),
            object: Some(MemObject::Image(Arc::clone(image))),
        }
    }

    /// In memory of the host program's.
    fn of_host(start: HostPointer, side: Side) -> Self {
        Self {
            object: None,
            start,
            side,
        }
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
        Ok(Self {
            start: buffer.start(),
            side: Side {
                offset,
                row_pitch: width,
                slice_pitch: width * height,
            },
            object: Some(MemObject::Buffer(Arc::clone(buffer))),
        })
    }

    /// # Safety
    /// Both places hold the region (bytes, rows, slices) while the objects live; the host
    /// program vouches for its side.
    unsafe fn copy_to(&self, to: &Self, region: Region) {
        // SAFETY: as the caller promises.
        unsafe { rectangle::copy(self.start, self.side, to.start, to.side, region) };
    }
}

impl Command {
    /// Copies a region whose bounds have been checked on both sides: bytes, rows, slices.
    fn moving(command_type: CommandType, from: Place, to: Place, region: Region) -> Self {
        let objects = [&from, &to]
            .into_iter()
            .filter_map(|place| place.object.as_ref());
        let contexts = objects.map(|object| Arc::clone(object.context())).collect();
        Self::new(command_type, contexts, move || {
            // SAFETY: the region is within both, which live as long as this; the host
            // program vouches for its side (OpenCL 1.2, 5.3.3).
            unsafe { from.copy_to(&to, region) };
            Ok(())
        })
    }

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
        let from = Place::of_image(image, origin);
        let to = Place::of_host(destination.pointer, to);
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
        let from = Place::of_host(source.pointer, from);
        let to = Place::of_image(image, origin);
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
        let from = Place::of_image(source, source_origin);
        let to = Place::of_image(destination, destination_origin);
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
        let to = Place::of_buffer(buffer, offset, image, origin, region)?;
        let from = Place::of_image(image, origin);
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
        let from = Place::of_buffer(buffer, offset, image, origin, region)?;
        let to = Place::of_image(image, origin);
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
