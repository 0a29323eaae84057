//! Shapes of images (OpenCL 1.2, sections 5.3.1 and 5.3.1.2): types, sizes and pitches, and
//! the rules for them.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::memory::buffer::Buffer;
use crate::memory::rectangle::RectLayout;
use std::sync::Arc;

macro_rules! image_types {
    ($($name:ident = $value:literal, $constant:literal, $kernel_type:literal;)*) => {
        /// The types of images among `cl_mem_object_type`, with OpenCL's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum ImageType {
            $(#[doc = concat!("`", $constant, "`")] $name = $value,)*
        }

        impl ImageType {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The type of a kernel's argument that takes it.
            pub fn kernel_type(self) -> &'static str {
                match self {
                    $(Self::$name => $kernel_type,)*
                }
            }
        }
    };
}

image_types! {
    Image2d = 0x10F1, "CL_MEM_OBJECT_IMAGE2D", "image2d_t";
    Image3d = 0x10F2, "CL_MEM_OBJECT_IMAGE3D", "image3d_t";
    Image2dArray = 0x10F3, "CL_MEM_OBJECT_IMAGE2D_ARRAY", "image2d_array_t";
    Image1d = 0x10F4, "CL_MEM_OBJECT_IMAGE1D", "image1d_t";
    Image1dArray = 0x10F5, "CL_MEM_OBJECT_IMAGE1D_ARRAY", "image1d_array_t";
    Image1dBuffer = 0x10F6, "CL_MEM_OBJECT_IMAGE1D_BUFFER", "image1d_buffer_t";
}

/// Distances in memory, bytes. What a type of image has no use for is as if the image had
/// one row or slice more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pitches {
    /// From row to row.
    pub row: usize,
    /// From slice to slice of a 3D image, or from image to image of an array.
    pub slice: usize,
}

impl ImageType {
    /// The type with that value of OpenCL's.
    pub fn of(value: u32) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|known| *known as u32 == value)
    }

    /// Whether it has slices, or images, that lie apart.
    pub fn has_slices(self) -> bool {
        matches!(
            self,
            Self::Image3d | Self::Image2dArray | Self::Image1dArray
        )
    }

    /// The pitches of a region of pixels, rows (or images of a 1D array), and slices. 0
    /// stands for as tight as can be.
    ///
    /// # Errors
    /// What is wrong with the pitches given.
    pub(crate) fn pitches(
        self,
        region: [usize; 3],
        element_size: usize,
        row_pitch: usize,
        slice_pitch: usize,
    ) -> std::result::Result<Pitches, &'static str> {
        let too_large = "the region is larger than memory";
        let [width, height, depth] = region;
        let tight_row = width.checked_mul(element_size).ok_or(too_large)?;
        let row = if row_pitch == 0 { tight_row } else { row_pitch };
        if row < tight_row {
            return Err("the row pitch is less than a row");
        }
        let rows = if self == Self::Image1dArray {
            1
        } else {
            height
        };
        let tight_slice = row.checked_mul(rows).ok_or(too_large)?;
        let slice = if slice_pitch == 0 || !self.has_slices() {
            tight_slice
        } else {
            slice_pitch
        };
        if slice < tight_slice {
            return Err("the slice pitch is less than a slice");
        }
        let slices = if self == Self::Image1dArray {
            height
        } else {
            depth
        };
        let bytes = slice.checked_mul(slices).ok_or(too_large)?;
        if isize::try_from(bytes).is_err() {
            return Err(too_large);
        }
        Ok(Pitches { row, slice })
    }

    /// Bytes of an image, with what lies between rows and slices.
    pub(crate) fn bytes(self, extent: [usize; 3], pitches: Pitches) -> usize {
        match self {
            Self::Image1dArray => pitches.slice * extent[1],
            _ => pitches.slice * extent[2],
        }
    }

    /// A region as the rectangular copies know it: the images of a 1D array are its rows.
    pub(crate) fn side(self, offset: usize, pitches: Pitches) -> RectLayout {
        RectLayout {
            offset,
            row_pitch: if self == Self::Image1dArray {
                pitches.slice
            } else {
                pitches.row
            },
            slice_pitch: pitches.slice,
        }
    }
}

/// What an image is to be like (`cl_image_desc`). Sizes that the type has no use for are
/// not looked at.
#[derive(Clone)]
pub struct ImageShape {
    /// `image_type`
    pub image_type: ImageType,
    /// Pixels.
    pub width: usize,
    /// Pixels; of 2D images, arrays of them and 3D images.
    pub height: usize,
    /// Pixels; of 3D images.
    pub depth: usize,
    /// Images; of arrays.
    pub array_size: usize,
    /// Bytes from row to row at the host pointer or in the buffer; 0 means tight.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or image to image, at the host pointer; 0 means tight.
    pub slice_pitch: usize,
    /// Where the pixels of an `Image1dBuffer` are, and of an `Image2d` may be
    /// (`cl_khr_image2d_from_buffer`); for no other type.
    pub buffer: Option<Arc<Buffer>>,
}

fn bad_shape(sentence: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(Code::InvalidImageDescriptor, sentence)
}

impl ImageShape {
    /// One row, wherever its pixels are.
    pub fn line(image_type: ImageType, width: usize) -> Self {
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
    /// `InvalidImageDescriptor`: an extent is 0 (`InvalidImageFormatDescriptor` where the
    /// extension says so). `InvalidImageSize`: no device of the context has images that large.
    pub(crate) fn check_extent(&self, context: &Context) -> Result<()> {
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
            let most = device.largest_image(self.image_type);
            extent
                .iter()
                .zip(most)
                .all(|(size, most)| *size as u64 <= most)
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

    /// The buffer that has the pixels; none for an image with memory of its own.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: there is a buffer, and the type is not made from one, or
    /// the other way round.
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

    /// How the pixels lie with nothing between them.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`: no memory is that large.
    pub(crate) fn tight_pitches(&self, element_size: usize) -> Result<Pitches> {
        let tight = self.image_type.pitches(self.extent(), element_size, 0, 0);
        tight.map_err(bad_shape)
    }

    /// How the pixels lie at the host pointer; tight, if there is none.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`
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

    /// How the pixels lie in a buffer; the rows of 2D images may lie apart there
    /// (`cl_khr_image2d_from_buffer`).
    ///
    /// # Errors
    /// `InvalidImageDescriptor`; `InvalidImageFormatDescriptor`: rows or host memory are not
    /// aligned as the devices demand.
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

/// # Errors
/// `InvalidImageFormatDescriptor`: not what 2D images of buffers have to be on some device.
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
    use crate::memory::mem_object::{HostPointer, MemFlags};
    use device_sim::machine::Machine;

    /// A cluster of a machine whose images of buffers have rows of whole 8 pixels, and
    /// begin at whole 4 in host memory.
    fn context() -> Arc<Context> {
        let mut machine = Machine::mt3000();
        machine.open_cl.images.pitch_alignment.value = 8;
        machine.open_cl.images.base_address_alignment.value = 4;
        let device = Device::open(&Arc::new(machine), 0, DeviceType::ACCELERATOR).unwrap();
        Context::new(vec![Arc::new(device)], None).unwrap()
    }

    fn plane(width: usize, row_pitch: usize) -> ImageShape {
        ImageShape {
            height: 4,
            row_pitch,
            ..ImageShape::line(ImageType::Image2d, width)
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
