//! Arguments that are images or samplers.
//!
//! The builtin library has the same two layouts in OpenCL C; there is no third place.

use serde::Serialize;

/// What an image argument's slot points to ([`ArgumentKind::Image`]). The
/// runtime keeps it, and the pixels, until the launch has ended.
///
/// [`ArgumentKind::Image`]: crate::program::executable::ArgumentKind::Image
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDescriptor {
    /// Address of the first pixel.
    pub data: *mut u8,
    /// Pixels.
    pub width: u32,
    /// Pixels; 1 for 1D images, arrays of them and images of buffers.
    pub height: u32,
    /// Pixels; 1 for all but 3D images.
    pub depth: u32,
    /// Images in the array; 1 for what is no array.
    pub array_size: u32,
    /// Bytes from one row to the next.
    pub row_pitch: u64,
    /// Bytes from one slice of a 3D image, or image of an array, to the next.
    pub slice_pitch: u64,
    /// `cl_channel_order`
    pub channel_order: u32,
    /// `cl_channel_type`
    pub channel_data_type: u32,
    /// Bytes of a pixel.
    pub element_size: u32,
    /// 0
    pub reserved: u32,
}

// SAFETY: the address is only carried; who reads or writes there relies on OpenCL's
// rules for memory objects, as with any pointer in an argument block.
unsafe impl Send for ImageDescriptor {}
// SAFETY: as above.
unsafe impl Sync for ImageDescriptor {}

/// What a sampler argument's slot holds ([`ArgumentKind::Sampler`]), and what a
/// `sampler_t` in a program's text is: clang's `opencl-c-base.h` defines the bits.
///
/// [`ArgumentKind::Sampler`]: crate::program::executable::ArgumentKind::Sampler
pub mod sampler_bits {
    /// `CLK_NORMALIZED_COORDS_TRUE`
    pub const NORMALIZED_COORDS: u64 = 1;
    /// The bits of the addressing mode, which are ordered: those that repeat the image are from
    /// [`ADDRESS_REPEAT`] on.
    pub const ADDRESSING: u64 = 0xe;
    /// `CLK_ADDRESS_NONE`
    pub const ADDRESS_NONE: u64 = 0;
    /// `CLK_ADDRESS_CLAMP_TO_EDGE`
    pub const ADDRESS_CLAMP_TO_EDGE: u64 = 2;
    /// `CLK_ADDRESS_CLAMP`
    pub const ADDRESS_CLAMP: u64 = 4;
    /// `CLK_ADDRESS_REPEAT`
    pub const ADDRESS_REPEAT: u64 = 6;
    /// `CLK_ADDRESS_MIRRORED_REPEAT`
    pub const ADDRESS_MIRRORED_REPEAT: u64 = 8;
    /// `CLK_FILTER_NEAREST`
    pub const FILTER_NEAREST: u64 = 0x10;
    /// `CLK_FILTER_LINEAR`
    pub const FILTER_LINEAR: u64 = 0x20;
}

/// What a version of a kernel's code may take for granted of an argument that is an
/// image or a sampler: pixels of a known format are read without asking which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum KnownArgument {
    /// An image's format.
    Image {
        /// `cl_channel_order`
        channel_order: u32,
        /// `cl_channel_type`
        channel_data_type: u32,
        /// Bytes of a pixel.
        element_size: u32,
    },
    /// A sampler's bits.
    Sampler(u64),
}

impl From<&ImageDescriptor> for KnownArgument {
    fn from(descriptor: &ImageDescriptor) -> Self {
        Self::Image {
            channel_order: descriptor.channel_order,
            channel_data_type: descriptor.channel_data_type,
            element_size: descriptor.element_size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{align_of, offset_of};

    #[test]
    fn the_descriptor_lies_as_the_builtins_read_it() {
        assert_eq!(
            (size_of::<ImageDescriptor>(), align_of::<ImageDescriptor>()),
            (56, 8)
        );
        let offsets = [
            offset_of!(ImageDescriptor, data),
            offset_of!(ImageDescriptor, width),
            offset_of!(ImageDescriptor, height),
            offset_of!(ImageDescriptor, depth),
            offset_of!(ImageDescriptor, array_size),
            offset_of!(ImageDescriptor, row_pitch),
            offset_of!(ImageDescriptor, slice_pitch),
            offset_of!(ImageDescriptor, channel_order),
            offset_of!(ImageDescriptor, channel_data_type),
            offset_of!(ImageDescriptor, element_size),
        ];
        assert_eq!(offsets, [0, 8, 12, 16, 20, 24, 32, 40, 44, 48]);
    }

    #[test]
    fn the_samplers_bits_are_clangs() {
        use sampler_bits::*;
        let header = compiler_resources::OPENCL_HEADER;
        for (name, bits) in [
            ("CLK_NORMALIZED_COORDS_TRUE", NORMALIZED_COORDS),
            ("CLK_ADDRESS_NONE", ADDRESS_NONE),
            ("CLK_ADDRESS_CLAMP_TO_EDGE", ADDRESS_CLAMP_TO_EDGE),
            ("CLK_ADDRESS_CLAMP", ADDRESS_CLAMP),
            ("CLK_ADDRESS_REPEAT", ADDRESS_REPEAT),
            ("CLK_ADDRESS_MIRRORED_REPEAT", ADDRESS_MIRRORED_REPEAT),
            ("CLK_FILTER_NEAREST", FILTER_NEAREST),
            ("CLK_FILTER_LINEAR", FILTER_LINEAR),
        ] {
            let mut words = header.lines().filter_map(|line| {
                let mut words = line.strip_prefix("#define ")?.split_whitespace();
                (words.next()? == name).then_some(words.next()?)
            });
            let text = words
                .next()
                .unwrap_or_else(|| panic!("{name} is not defined"));
            let value = match text.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
                None => text.parse().unwrap(),
            };
            assert_eq!(value, bits, "{name}");
        }
    }
}
