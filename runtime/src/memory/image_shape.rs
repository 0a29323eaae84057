//! The requested shape of an image and its validation (OpenCL 1.2, sections 5.3.1 and 5.3.1.2).

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::memory::buffer::Buffer;
use crate::memory::image_type::{ImageType, Pitches};
use std::sync::Arc;

/// The requested shape (`cl_image_desc`). Sizes that the type does not have are ignored.
#[derive(Clone)]
pub struct ImageShape {
    /// `image_type`
    pub image_type: ImageType,
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels, of 2D images, arrays of them and 3D images.
    pub height: usize,
    /// Depth in pixels, of 3D images.
    pub depth: usize,
    /// Number of images, of arrays.
    pub array_size: usize,
    /// Bytes from row to row at the host pointer or in the buffer; 0 means without padding.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or image to image, at the host pointer; 0 means without padding.
    pub slice_pitch: usize,
    /// The buffer that holds the pixels: required for `Image1dBuffer`, allowed for `Image2d`
    /// (`cl_khr_image2d_from_buffer`), and for no other type.
    pub buffer: Option<Arc<Buffer>>,
}

fn bad_shape(sentence: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(Code::InvalidImageDescriptor, sentence)
}

impl ImageShape {
    /// One row of pixels without padding.
    pub fn one_row(image_type: ImageType, width: usize) -> Self {
        Self {
            image_type,
            width,
            height: 1,
            depth: 1,
            array_size: 1,
            row_pitch: 0,
            slice_pitch: 0,
            buffer: None,
        }
    }

    /// Pixels, rows (or images of a 1D array), slices (or images of a 2D array).
    pub(crate) fn extent(&self) -> [usize; 3] {
        match self.image_type {
            ImageType::Image1d | ImageType::Image1dBuffer => [self.width, 1, 1],
            ImageType::Image1dArray => [self.width, self.array_size, 1],
            ImageType::Image2d => [self.width, self.height, 1],
            ImageType::Image2dArray => [self.width, self.height, self.array_size],
            ImageType::Image3d => [self.width, self.height, self.depth],
        }
    }

    /// # Errors
    /// `InvalidOperation`: no device of the context supports images.
    /// `InvalidImageDescriptor`: an extent is 0 (`InvalidImageFormatDescriptor` for a 2D image of
    /// a buffer). `InvalidImageSize`: larger than the limits of all devices of the context.
    pub(crate) fn check_extent(&self, context: &Context) -> Result<()> {
        context.check_supports_images()?;
        let extent = self.extent();
        if extent.contains(&0) {
            let code = if self.is_plane_of_buffer() {
                Code::InvalidImageFormatDescriptor
            } else {
                Code::InvalidImageDescriptor
            };
            return Err(Error::new(code, format!("an extent of {extent:?} is 0")));
        }
        let fits = context.devices().iter().any(|device| {
            let limits = max_extent(self.image_type, device);
            extent
                .iter()
                .zip(limits)
                .all(|(size, limit)| *size as u64 <= limit)
        });
        if !fits {
            return Err(Error::new(
                Code::InvalidImageSize,
                format!("{extent:?} is more than any device allows"),
            ));
        }
        Ok(())
    }

    fn is_plane_of_buffer(&self) -> bool {
        self.image_type == ImageType::Image2d && self.buffer.is_some()
    }

    /// The buffer that holds the pixels; none for an image with memory of its own.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: the type requires a buffer and there is none, or the reverse.
    pub(crate) fn source(&self) -> Result<Option<&Arc<Buffer>>> {
        match (self.image_type, &self.buffer) {
            (ImageType::Image1dBuffer, None) => {
                Err(bad_shape("there is no buffer to make the image from"))
            }
            (ImageType::Image1dBuffer | ImageType::Image2d, Some(buffer)) => Ok(Some(buffer)),
            (_, Some(_)) => Err(bad_shape(format!(
                "{:?} is not made from a buffer",
                self.image_type
            ))),
            (_, None) => Ok(None),
        }
    }

    /// The pitches without padding.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: the size exceeds the address space.
    pub(crate) fn tight_pitches(&self, element_size: usize) -> Result<Pitches> {
        let tight = self.image_type.pitches(self.extent(), element_size, 0, 0);
        tight.map_err(bad_shape)
    }

    /// The pitches at the host pointer; without one there is no padding.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: invalid pitches.
    pub(crate) fn host_pitches(&self, element_size: usize, has_host: bool) -> Result<Pitches> {
        if !has_host && (self.row_pitch, self.slice_pitch) != (0, 0) {
            return Err(bad_shape("pitches without a host pointer"));
        }
        let pitches = self
            .image_type
            .pitches(
                self.extent(),
                element_size,
                self.row_pitch,
                self.slice_pitch,
            )
            .map_err(bad_shape)?;
        if !pitches.row.is_multiple_of(element_size) {
            return Err(bad_shape("the row pitch is no multiple of a pixel's size"));
        }
        if !pitches.slice.is_multiple_of(pitches.row) {
            return Err(bad_shape("the slice pitch is no multiple of the row pitch"));
        }
        Ok(pitches)
    }

    /// The pitches in a buffer, where rows of 2D images may be padded
    /// (`cl_khr_image2d_from_buffer`).
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: invalid pitches, or the buffer is too small or of another
    /// context. `InvalidImageFormatDescriptor`: rows or host memory are misaligned for a device.
    pub(crate) fn pitches_in_buffer(
        &self,
        context: &Arc<Context>,
        buffer: &Buffer,
        element_size: usize,
    ) -> Result<Pitches> {
        if !Arc::ptr_eq(context, buffer.context()) {
            return Err(bad_shape("the buffer is of another context"));
        }
        let may_have_row_pitch = self.is_plane_of_buffer();
        if self.slice_pitch != 0 || (self.row_pitch != 0 && !may_have_row_pitch) {
            return Err(bad_shape("pitches without a host pointer"));
        }
        let pitches = self
            .image_type
            .pitches(self.extent(), element_size, self.row_pitch, 0)
            .map_err(bad_shape)?;
        if self.is_plane_of_buffer() {
            check_alignment(context, buffer, pitches, element_size)?;
        }
        let size = self.image_type.bytes(self.extent(), pitches);
        if size > buffer.size() {
            return Err(bad_shape(format!(
                "the image needs {size} bytes, the buffer has {}",
                buffer.size()
            )));
        }
        Ok(pitches)
    }
}

/// The largest extent of images of a type on a device: pixels; rows, or images of a 1D array;
/// slices, or images of a 2D array.
fn max_extent(image_type: ImageType, device: &Device) -> [u64; 3] {
    let limits = &device.machine().open_cl.images;
    let [width, height, array] = [
        limits.width_2d.value,
        limits.height_2d.value,
        limits.array.value,
    ];
    match image_type {
        ImageType::Image1d => [width, 1, 1],
        ImageType::Image1dArray => [width, array, 1],
        ImageType::Image1dBuffer => [limits.buffer.value, 1, 1],
        ImageType::Image2d => [width, height, 1],
        ImageType::Image2dArray => [width, height, array],
        ImageType::Image3d => [
            limits.width_3d.value,
            limits.height_3d.value,
            limits.depth_3d.value,
        ],
    }
}

/// # Errors
/// `InvalidImageFormatDescriptor`: misaligned for 2D images of buffers on some device.
fn check_alignment(
    context: &Context,
    buffer: &Buffer,
    pitches: Pitches,
    element_size: usize,
) -> Result<()> {
    let most = |pixels: fn(&Device) -> u64| {
        let pixels = context.devices().iter().map(|device| pixels(device));
        pixels.max().unwrap_or(1) as usize * element_size
    };
    let misaligned = |what, alignment| {
        let sentence = format!("{what} must be a multiple of {alignment} bytes");
        Err(Error::new(Code::InvalidImageFormatDescriptor, sentence))
    };
    let alignment = most(Device::image_pitch_alignment);
    if !pitches.row.is_multiple_of(alignment) {
        return misaligned("the row pitch", alignment);
    }
    let alignment = most(Device::image_base_address_alignment);
    let host = buffer.host_pointer();
    if host.is_some_and(|host| !host.0.addr().is_multiple_of(alignment)) {
        return misaligned("the address of the buffer's host memory", alignment);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceType;
    use crate::memory::{flags::MemFlags, host_pointer::HostPointer};
    use device_sim::machine::Machine;

    /// A cluster of a machine whose images of buffers have rows of whole 8 pixels, and
    /// begin at whole 4 in host memory.
    fn context() -> Arc<Context> {
        let mut machine = Machine::mt3000();
        machine.open_cl.images.pitch_alignment.value = 8;
        machine.open_cl.images.base_address_alignment.value = 4;
        let device = Device::open(&Arc::new(machine), 0, 0, DeviceType::ACCELERATOR).unwrap();
        Context::new(vec![Arc::new(device)], None).unwrap()
    }

    fn plane(width: usize, row_pitch: usize) -> ImageShape {
        ImageShape {
            height: 4,
            row_pitch,
            ..ImageShape::one_row(ImageType::Image2d, width)
        }
    }

    #[test]
    fn planes_of_buffers_are_aligned_in_pixels() {
        let context = context();
        let buffer = Buffer::new(&context, MemFlags::empty(), 4096, None).unwrap();
        let pitches = |width, row_pitch, element_size| {
            let mut shape = plane(width, row_pitch);
            shape.buffer = Some(Arc::clone(&buffer));
            let pitches = shape.pitches_in_buffer(&context, &buffer, element_size);
            pitches
                .map(|pitches| pitches.row)
                .map_err(|error| error.code)
        };
        let misaligned = Err(Code::InvalidImageFormatDescriptor);
        assert_eq!(pitches(16, 0, 4), Ok(64));
        assert_eq!(pitches(13, 0, 4), misaligned);
        assert_eq!(pitches(13, 64, 4), Ok(64));
        assert_eq!(pitches(13, 60, 4), misaligned);
        assert_eq!(pitches(13, 64, 1), Ok(64));
        assert_eq!(pitches(3, 64, 16), misaligned);
        assert_eq!(pitches(3, 128, 16), Ok(128));
    }

    #[test]
    fn host_memory_behind_planes_is_aligned_in_pixels() {
        let context = context();
        let mut memory = vec![0u8; 4096];
        let aligned = memory.as_ptr().align_offset(64);
        for (offset, element_size, is_aligned) in [
            (0, 4, true),
            (16, 4, true),
            (8, 4, false),
            (8, 2, true),
            (32, 16, false),
        ] {
            let host = HostPointer(memory[aligned + offset..].as_mut_ptr());
            let flags = MemFlags::USE_HOST_PTR;
            let buffer = Buffer::new(&context, flags, 2048, Some(host)).unwrap();
            let mut shape = plane(8, 0);
            shape.buffer = Some(Arc::clone(&buffer));
            let pitches = shape.pitches_in_buffer(&context, &buffer, element_size);
            let code = pitches.err().map(|error| error.code);
            let expected = (!is_aligned).then_some(Code::InvalidImageFormatDescriptor);
            assert_eq!(code, expected, "{offset} {element_size}");
        }
    }

    #[test]
    fn sizes_beyond_memory_are_refused() {
        let type_3d = ImageType::Image3d;
        let huge = usize::MAX / 2;
        for (region, pitches) in [
            ([huge, 1, 1], (0, 0)),
            ([1, huge, 1], (16, 0)),
            ([1, 1, 3], (16, huge)),
            ([1, 2, 1], (huge, 0)),
        ] {
            assert!(type_3d.pitches(region, 4, pitches.0, pitches.1).is_err());
        }
        // StridedRange and slices that lie further apart than 32 bits can say.
        let pitches = type_3d.pitches([1, 3, 2], 4, 5 << 30, 20 << 30).unwrap();
        assert_eq!(type_3d.bytes([1, 3, 2], pitches), 40 << 30);
    }
}
