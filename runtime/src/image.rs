//! Images (OpenCL 1.2, section 5.3): a format and a shape over the bytes of a buffer.

use crate::buffer::Buffer;
use crate::client::ClientSlot;
use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::image_format::ImageFormat;
use crate::mem_object::{Destructors, HostPointer, Mappings, MemFlags};
use crate::rectangle::{self, Side};
use kernel_compiler::image_argument::ImageDescriptor;
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
    fn pitches(
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

    /// A region as the rectangular copies know it: the images of a 1D array are its rows.
    fn side(self, offset: usize, pitches: Pitches) -> Side {
        Side {
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
    /// Bytes from row to row at the host pointer; 0 means tight.
    pub row_pitch: usize,
    /// Bytes from slice to slice, or image to image, at the host pointer; 0 means tight.
    pub slice_pitch: usize,
    /// Where the pixels of an `Image1dBuffer` are; for no other type.
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
    fn extent(&self) -> [usize; 3] {
        match self.image_type {
            ImageType::Image1d | ImageType::Image1dBuffer => [self.width, 1, 1],
            ImageType::Image1dArray => [self.width, self.array_size, 1],
            ImageType::Image2d => [self.width, self.height, 1],
            ImageType::Image2dArray => [self.width, self.height, self.array_size],
            ImageType::Image3d => [self.width, self.height, self.depth],
        }
    }

    /// # Errors
    /// `InvalidImageDescriptor`: an extent is 0. `InvalidImageSize`: no device of the
    /// context has images that large.
    fn check_extent(&self, context: &Context) -> Result<()> {
        let extent = self.extent();
        if extent.contains(&0) {
            return Err(bad_shape(format!("an extent of {extent:?} is 0")));
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

    /// How the pixels lie at the host pointer; tight, if there is none.
    ///
    /// # Errors
    /// `InvalidImageDescriptor`
    fn host_pitches(&self, element_size: usize, has_host: bool) -> Result<Pitches> {
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
}

/// An image.
pub struct Image {
    client: ClientSlot,
    image_type: ImageType,
    format: ImageFormat,
    flags: MemFlags,
    extent: [usize; 3],
    pitches: Pitches,
    /// Its bytes: the buffer that an `Image1dBuffer` is made from, or one that nobody
    /// else knows.
    memory: Arc<Buffer>,
    /// What kernels are given the address of.
    descriptor: ImageDescriptor,
    mappings: Mappings,
    destructors: Destructors,
}

impl Image {
    /// An image. `flags` and `host` have been checked against each other by the caller
    /// (CL_INVALID_VALUE, CL_INVALID_HOST_PTR).
    ///
    /// # Errors
    /// `InvalidImageDescriptor`, `InvalidImageSize`, `InvalidValue` (flags that the buffer's
    /// do not allow), `MemObjectAllocationFailure`.
    pub fn new(
        context: &Arc<Context>,
        flags: MemFlags,
        format: ImageFormat,
        shape: &ImageShape,
        host: Option<HostPointer>,
    ) -> Result<Arc<Self>> {
        let (image_type, extent) = (shape.image_type, shape.extent());
        let element_size = format.element_size();
        shape.check_extent(context)?;
        let at_host = shape.host_pitches(element_size, host.is_some())?;
        let in_place = flags.contains(MemFlags::USE_HOST_PTR);
        let pitches = if in_place {
            at_host
        } else {
            image_type
                .pitches(extent, element_size, 0, 0)
                .map_err(bad_shape)?
        };
        let size = bytes(image_type, extent, pitches);
        let (memory, flags) = match (image_type, &shape.buffer) {
            (ImageType::Image1dBuffer, Some(buffer)) => (
                part_of(context, buffer, size)?,
                flags.of_part(buffer.flags())?,
            ),
            (ImageType::Image1dBuffer, None) => {
                return Err(bad_shape("there is no buffer to make the image from"));
            }
            (_, Some(_)) => {
                return Err(bad_shape(format!(
                    "{image_type:?} is not made from a buffer"
                )));
            }
            (_, None) => {
                // The host's pixels are copied here: they may lie apart.
                let without_copy = flags.difference(MemFlags::COPY_HOST_PTR);
                let memory = Buffer::new(context, without_copy, size, host).map_err(|error| {
                    Error::new(Code::MemObjectAllocationFailure, error.sentence)
                })?;
                (memory, flags.with_default_access())
            }
        };
        let [_, height, depth] = extent.map(|size| size as u32);
        let is = |wanted: ImageType| image_type == wanted;
        let descriptor = ImageDescriptor {
            data: memory.start().0,
            width: extent[0] as u32,
            height: if is(ImageType::Image1dArray) {
                1
            } else {
                height
            },
            depth: if is(ImageType::Image3d) { depth } else { 1 },
            array_size: match image_type {
                ImageType::Image1dArray => height,
                ImageType::Image2dArray => depth,
                _ => 1,
            },
            row_pitch: pitches.row as u64,
            slice_pitch: pitches.slice as u64,
            channel_order: format.order() as u32,
            channel_data_type: format.data_type() as u32,
            element_size: element_size as u32,
            reserved: 0,
        };
        let image = Arc::new(Self {
            client: ClientSlot::default(),
            image_type,
            format,
            flags,
            extent,
            pitches,
            memory,
            descriptor,
            mappings: Mappings::default(),
            destructors: Destructors::default(),
        });
        if flags.contains(MemFlags::COPY_HOST_PTR)
            && let Some(host) = host
        {
            let from = image_type.side(0, at_host);
            let to = image.side([0; 3]);
            // SAFETY: the host program vouches for its side (OpenCL 1.2, 5.3.1); the
            // image has as many pixels.
            unsafe { rectangle::copy(host, from, image.start(), to, image.in_bytes(extent)) };
        }
        Ok(image)
    }
    /// Its type.
    pub fn image_type(&self) -> ImageType {
        self.image_type
    }
    /// Its format.
    pub fn format(&self) -> ImageFormat {
        self.format
    }
    /// Flags in force.
    pub fn flags(&self) -> MemFlags {
        self.flags
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        self.memory.context()
    }
    /// Host pointer given with `USE_HOST_PTR`, here or to the buffer it is made from.
    pub fn host_pointer(&self) -> Option<HostPointer> {
        self.memory.host_pointer()
    }
    /// The buffer it is made from (`CL_IMAGE_BUFFER`).
    pub fn buffer(&self) -> Option<&Arc<Buffer>> {
        (self.image_type == ImageType::Image1dBuffer).then_some(&self.memory)
    }
    /// Bytes, with what lies between rows and slices.
    pub fn size(&self) -> usize {
        bytes(self.image_type, self.extent, self.pitches)
    }
    /// `CL_IMAGE_ROW_PITCH`, bytes.
    pub fn row_pitch(&self) -> usize {
        self.pitches.row
    }
    /// `CL_IMAGE_SLICE_PITCH`, bytes; 0 for what has no slices.
    pub fn slice_pitch(&self) -> usize {
        if self.image_type.has_slices() {
            self.pitches.slice
        } else {
            0
        }
    }
    /// `CL_IMAGE_WIDTH`, pixels.
    pub fn width(&self) -> usize {
        self.extent[0]
    }
    /// `CL_IMAGE_HEIGHT`, pixels; 0 for 1D images and arrays of them.
    pub fn height(&self) -> usize {
        match self.image_type {
            ImageType::Image2d | ImageType::Image2dArray | ImageType::Image3d => self.extent[1],
            _ => 0,
        }
    }
    /// `CL_IMAGE_DEPTH`, pixels; 0 for all but 3D images.
    pub fn depth(&self) -> usize {
        match self.image_type {
            ImageType::Image3d => self.extent[2],
            _ => 0,
        }
    }
    /// `CL_IMAGE_ARRAY_SIZE`; 0 for what is no array.
    pub fn array_size(&self) -> usize {
        match self.image_type {
            ImageType::Image1dArray => self.extent[1],
            ImageType::Image2dArray => self.extent[2],
            _ => 0,
        }
    }

    pub(crate) fn mappings(&self) -> &Mappings {
        &self.mappings
    }

    pub(crate) fn destructors(&self) -> &Destructors {
        &self.destructors
    }

    /// What kernels are given for it; valid while the image lives.
    pub(crate) fn descriptor(&self) -> &ImageDescriptor {
        &self.descriptor
    }

    /// Address of its first pixel.
    pub(crate) fn start(&self) -> HostPointer {
        self.memory.start()
    }

    /// A region of it for the rectangular copies.
    pub(crate) fn side(&self, origin: [usize; 3]) -> Side {
        let side = self.image_type.side(0, self.pitches);
        Side {
            offset: origin[0] * self.format.element_size()
                + origin[1] * side.row_pitch
                + origin[2] * side.slice_pitch,
            ..side
        }
    }

    /// How a region of the image lies in memory of the host program's that has these
    /// pitches. 0 stands for tight.
    ///
    /// # Errors
    /// `InvalidValue`
    pub(crate) fn host_side(
        &self,
        region: [usize; 3],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Result<Side> {
        let invalid = |sentence: &'static str| Error::new(Code::InvalidValue, sentence);
        if slice_pitch != 0 && !self.image_type.has_slices() {
            return Err(invalid(
                "the image has no slices, so the slice pitch must be 0",
            ));
        }
        let element_size = self.format.element_size();
        let pitches = self
            .image_type
            .pitches(region, element_size, row_pitch, slice_pitch);
        Ok(self.image_type.side(0, pitches.map_err(invalid)?))
    }

    /// The same region with its first size in bytes.
    pub(crate) fn in_bytes(&self, region: [usize; 3]) -> [usize; 3] {
        [region[0] * self.format.element_size(), region[1], region[2]]
    }

    /// # Errors
    /// `InvalidValue`: the region is empty, or not all of it is within the image.
    pub(crate) fn check_region(&self, origin: [usize; 3], region: [usize; 3]) -> Result<()> {
        let within = (0..3).all(|axis| {
            region[axis] > 0
                && origin[axis]
                    .checked_add(region[axis])
                    .is_some_and(|end| end <= self.extent[axis])
        });
        if !within {
            return Err(Error::new(
                Code::InvalidValue,
                format!(
                    "{region:?} from {origin:?} on is empty or not within the {:?}'s {:?}",
                    self.image_type, self.extent
                ),
            ));
        }
        Ok(())
    }
}

/// Bytes of an image, with what lies between rows and slices.
fn bytes(image_type: ImageType, extent: [usize; 3], pitches: Pitches) -> usize {
    match image_type {
        ImageType::Image1dArray => pitches.slice * extent[1],
        _ => pitches.slice * extent[2],
    }
}

/// The buffer, if an image of `size` bytes can be made from it.
fn part_of(context: &Arc<Context>, buffer: &Arc<Buffer>, size: usize) -> Result<Arc<Buffer>> {
    if !Arc::ptr_eq(context, buffer.context()) {
        return Err(bad_shape("the buffer is of another context"));
    }
    if size > buffer.size() {
        return Err(bad_shape(format!(
            "the image needs {size} bytes, the buffer has {}",
            buffer.size()
        )));
    }
    Ok(Arc::clone(buffer))
}

impl Drop for Image {
    fn drop(&mut self) {
        self.destructors.run();
    }
}

impl crate::client::ClientObject for Image {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Platform;

    fn context(devices: std::ops::Range<usize>) -> Arc<Context> {
        Context::new(Platform::get().devices()[devices].to_vec(), None).unwrap()
    }

    fn shape(image_type: ImageType, buffer: Option<Arc<Buffer>>) -> ImageShape {
        ImageShape {
            image_type,
            width: 10,
            height: 6,
            depth: 4,
            array_size: 3,
            row_pitch: 0,
            slice_pitch: 0,
            buffer,
        }
    }

    /// `CL_RG`, `CL_UNORM_INT16`: four bytes.
    fn format() -> ImageFormat {
        ImageFormat::of(0x10B2, 0x10D3).unwrap()
    }

    #[test]
    fn descriptors_have_1_for_what_a_type_has_not() {
        let context = context(0..1);
        let buffer = Buffer::new(&context, MemFlags::empty(), 256, None).unwrap();
        for (image_type, sizes, slice_pitch) in [
            (ImageType::Image1d, [10, 1, 1, 1], None),
            (ImageType::Image1dBuffer, [10, 1, 1, 1], None),
            (ImageType::Image1dArray, [10, 1, 1, 3], Some(40)),
            (ImageType::Image2d, [10, 6, 1, 1], None),
            (ImageType::Image2dArray, [10, 6, 1, 3], Some(240)),
            (ImageType::Image3d, [10, 6, 4, 1], Some(240)),
        ] {
            let source = (image_type == ImageType::Image1dBuffer).then(|| Arc::clone(&buffer));
            let shape = shape(image_type, source);
            let image = Image::new(&context, MemFlags::empty(), format(), &shape, None).unwrap();
            let descriptor = image.descriptor();
            assert_eq!(
                [
                    descriptor.width,
                    descriptor.height,
                    descriptor.depth,
                    descriptor.array_size
                ],
                sizes,
                "{image_type:?}"
            );
            assert_eq!(descriptor.row_pitch, 40);
            if let Some(slice_pitch) = slice_pitch {
                assert_eq!(descriptor.slice_pitch, slice_pitch);
            }
            assert_eq!(
                (descriptor.channel_order, descriptor.channel_data_type),
                (0x10B2, 0x10D3)
            );
            assert_eq!((descriptor.element_size, descriptor.reserved), (4, 0));
            assert_eq!(descriptor.data, image.start().0);
        }
    }

    #[test]
    fn descriptors_have_the_pitches_of_host_memory_used_in_place() {
        let context = context(0..1);
        let mut memory = vec![0u8; 10_000];
        let host = HostPointer(memory.as_mut_ptr());
        let shape = ImageShape {
            row_pitch: 48,
            slice_pitch: 48 * 7,
            ..shape(ImageType::Image2dArray, None)
        };
        let flags = MemFlags::USE_HOST_PTR;
        let image = Image::new(&context, flags, format(), &shape, Some(host)).unwrap();
        assert_eq!(image.descriptor().data, host.0);
        assert_eq!(
            (image.descriptor().row_pitch, image.descriptor().slice_pitch),
            (48, 48 * 7)
        );
        // A copy of the same memory lies tight.
        let flags = MemFlags::COPY_HOST_PTR;
        let image = Image::new(&context, flags, format(), &shape, Some(host)).unwrap();
        assert_ne!(image.descriptor().data, host.0);
        assert_eq!(
            (image.descriptor().row_pitch, image.descriptor().slice_pitch),
            (40, 240)
        );
    }

    #[test]
    fn an_image_gives_back_the_memory_it_took() {
        // A cluster that no other test uses.
        let context = context(1..2);
        let taken = || context.devices()[0].cluster().cluster().ddr().taken();
        let shape = shape(ImageType::Image3d, None);
        let image = Image::new(&context, MemFlags::empty(), format(), &shape, None).unwrap();
        assert_eq!(taken(), 10 * 6 * 4 * 4);
        drop(image);
        assert_eq!(taken(), 0);
    }
}
