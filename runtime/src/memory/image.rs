//! Images (OpenCL 1.2, section 5.3): a format and a shape over the bytes of a buffer.

use crate::context::Context;
use crate::error::{Code, Error, Result};
use crate::handle_slot::HandleSlot;
use crate::memory::buffer::Buffer;
use crate::memory::destructors::Destructors;
use crate::memory::flags::MemFlags;
use crate::memory::host_pointer::HostPointer;
use crate::memory::image_format::ImageFormat;
use crate::memory::image_shape::ImageShape;
use crate::memory::image_type::{ImageType, Pitches};
use crate::memory::mapping::ObjectId;
use crate::memory::rectangle::{self, RectLayout};
use kernel_compiler::image_argument::ImageDescriptor;
use std::sync::Arc;

/// An image.
pub struct Image {
    handle: HandleSlot,
    image_type: ImageType,
    format: ImageFormat,
    flags: MemFlags,
    extent: [usize; 3],
    pitches: Pitches,
    /// The buffer that holds its pixels: that which it is created from, or a private one.
    memory: Arc<Buffer>,
    is_of_buffer: bool,
    /// Kernels receive its address.
    descriptor: ImageDescriptor,
    destructors: Destructors,
}

impl Image {
    /// An image. The caller has checked `flags` and `host` against each other
    /// (`CL_INVALID_VALUE`, `CL_INVALID_HOST_PTR`).
    ///
    /// # Errors
    /// `InvalidImageDescriptor`, `InvalidImageSize`, `InvalidValue` (the flags
    /// widen the buffer's), `InvalidImageFormatDescriptor` (a 2D image of a misaligned buffer),
    /// `MemObjectAllocationFailure`.
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
        let source = shape.source()?;
        let (memory, pitches, flags) = match source {
            Some(buffer) => {
                let flags = flags.inherited_from(buffer.flags())?;
                let pitches = shape.pitches_in_buffer(context, buffer, element_size)?;
                buffer.mark_all_defined();
                (Arc::clone(buffer), pitches, flags)
            }
            None => {
                let at_host = shape.host_pitches(element_size, host.is_some())?;
                let pitches = if flags.contains(MemFlags::USE_HOST_PTR) {
                    at_host
                } else {
                    shape.tight_pitches(element_size)?
                };
                let size = image_type.bytes(extent, pitches);
                // Rows at the host pointer may be padded, so the buffer must not copy them.
                let without_copy = flags.difference(MemFlags::COPY_HOST_PTR);
                let memory = Buffer::new(context, without_copy, size, host).map_err(|error| {
                    Error::new(Code::MemObjectAllocationFailure, error.sentence)
                })?;
                if flags.contains(MemFlags::COPY_HOST_PTR)
                    && let Some(host) = host
                {
                    let from = image_type.layout(0, at_host);
                    let to = image_type.layout(0, pitches);
                    let region = [extent[0] * element_size, extent[1], extent[2]];
                    // SAFETY: the host program vouches for its side (OpenCL 1.2, 5.3.1);
                    // the memory has as many pixels.
                    unsafe { rectangle::copy(host, from, memory.start(), to, region) };
                }
                (memory, pitches, flags.or_default())
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
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            image_type,
            format,
            flags,
            extent,
            pitches,
            is_of_buffer: source.is_some(),
            memory,
            descriptor,
            destructors: Destructors::default(),
        }))
    }
    /// The image's type.
    pub fn image_type(&self) -> ImageType {
        self.image_type
    }
    /// The pixels' format.
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
    /// Host pointer given with `USE_HOST_PTR`, to it or to the buffer that it is created from.
    pub fn host_pointer(&self) -> Option<HostPointer> {
        self.memory.host_pointer()
    }
    /// The buffer that it is created from (`CL_IMAGE_BUFFER`).
    pub fn buffer(&self) -> Option<&Arc<Buffer>> {
        self.is_of_buffer.then_some(&self.memory)
    }
    /// Size in bytes, including padding of rows and slices.
    pub fn size(&self) -> usize {
        self.image_type.bytes(self.extent, self.pitches)
    }
    /// `CL_IMAGE_ROW_PITCH`, bytes.
    pub fn row_pitch(&self) -> usize {
        self.pitches.row
    }
    /// `CL_IMAGE_SLICE_PITCH`, bytes; 0 for types without slices.
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
    /// `CL_IMAGE_ARRAY_SIZE`; 0 for types that are no arrays.
    pub fn array_size(&self) -> usize {
        match self.image_type {
            ImageType::Image1dArray => self.extent[1],
            ImageType::Image2dArray => self.extent[2],
            _ => 0,
        }
    }

    /// The buffer that holds its pixels.
    pub(crate) fn memory(&self) -> &Arc<Buffer> {
        &self.memory
    }

    pub(crate) fn destructors(&self) -> &Destructors {
        &self.destructors
    }

    /// The descriptor that kernels receive; valid while the image exists.
    pub(crate) fn descriptor(&self) -> &ImageDescriptor {
        &self.descriptor
    }

    /// Address of its first pixel.
    pub(crate) fn start(&self) -> HostPointer {
        self.memory.start()
    }

    /// The layout, for rectangular copies, of a region that begins at `origin`.
    pub(crate) fn layout(&self, origin: [usize; 3]) -> RectLayout {
        let layout = self.image_type.layout(0, self.pitches);
        RectLayout {
            offset: origin[0] * self.format.element_size()
                + origin[1] * layout.row_pitch
                + origin[2] * layout.slice_pitch,
            ..layout
        }
    }

    /// The layout of a region of the image in memory of the host program with these pitches; a
    /// pitch of 0 means without padding.
    ///
    /// # Errors
    /// `InvalidValue`: invalid pitches.
    pub(crate) fn host_layout(
        &self,
        region: [usize; 3],
        row_pitch: usize,
        slice_pitch: usize,
    ) -> Result<RectLayout> {
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
        Ok(self.image_type.layout(0, pitches.map_err(invalid)?))
    }

    /// A region with its width in bytes instead of pixels.
    pub(crate) fn in_bytes(&self, region: [usize; 3]) -> [usize; 3] {
        [region[0] * self.format.element_size(), region[1], region[2]]
    }

    /// # Errors
    /// `InvalidValue`: the region is empty or not within the image.
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

impl Drop for Image {
    fn drop(&mut self) {
        self.memory.mappings().remove_all_of(ObjectId::new(self));
        self.destructors.run(Arc::clone(&self.memory));
    }
}

impl crate::handle_slot::HasHandle for Image {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;

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
        ImageFormat::from_values(0x10B2, 0x10D3).unwrap()
    }

    #[test]
    fn descriptors_have_1_for_sizes_that_a_type_lacks() {
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
        // A copy of the same memory has no padding.
        let flags = MemFlags::COPY_HOST_PTR;
        let image = Image::new(&context, flags, format(), &shape, Some(host)).unwrap();
        assert_ne!(image.descriptor().data, host.0);
        assert_eq!(
            (image.descriptor().row_pitch, image.descriptor().slice_pitch),
            (40, 240)
        );
    }

    #[test]
    fn a_dropped_image_releases_its_memory() {
        // A cluster that no other test uses.
        let context = context(1..2);
        let taken = || context.devices()[0].memory().taken();
        let shape = shape(ImageType::Image3d, None);
        let image = Image::new(&context, MemFlags::empty(), format(), &shape, None).unwrap();
        assert_eq!(taken(), 10 * 6 * 4 * 4);
        drop(image);
        assert_eq!(taken(), 0);
    }
}
