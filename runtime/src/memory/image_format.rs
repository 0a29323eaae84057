//! Image formats (OpenCL 1.2, 5.3.1.1): the table of channel orders and data types, their valid
//! combinations, pixel sizes, and the conversion of colours to pixels.

use half::f16;
use host_exec::floating_point::in_default_environment;

/// The type of a colour's components in kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelClass {
    /// `float`; normalised or floating-point in memory
    Float,
    /// `int`
    Signed,
    /// `uint`
    Unsigned,
}

/// The encoding of one component in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    /// The integers from -2^(n-1) + 1 to 2^(n-1) - 1 encode -1.0 to 1.0.
    SignedNormalised,
    /// The integers from 0 to 2^n - 1 encode 0.0 to 1.0.
    UnsignedNormalised,
    Signed,
    Unsigned,
    Float,
    /// All components in one integer: their widths in bits, red in the highest bits.
    Packed([u32; 3]),
}

macro_rules! channel_types {
    ($($name:ident = $value:literal, $constant:literal, $bytes:literal, $encoding:expr;)*) => {
        /// `cl_channel_type`, with OpenCL's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum ChannelType {
            $(#[doc = concat!("`", $constant, "`")] $name = $value,)*
        }

        impl ChannelType {
            /// All channel types.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Bytes of one component, or of all if they are packed, and their encoding.
            fn encoding(self) -> (usize, Encoding) {
                match self {
                    $(Self::$name => ($bytes, $encoding),)*
                }
            }
        }
    };
}

channel_types! {
    SnormInt8 = 0x10D0, "CL_SNORM_INT8", 1, Encoding::SignedNormalised;
    SnormInt16 = 0x10D1, "CL_SNORM_INT16", 2, Encoding::SignedNormalised;
    UnormInt8 = 0x10D2, "CL_UNORM_INT8", 1, Encoding::UnsignedNormalised;
    UnormInt16 = 0x10D3, "CL_UNORM_INT16", 2, Encoding::UnsignedNormalised;
    UnormShort565 = 0x10D4, "CL_UNORM_SHORT_565", 2, Encoding::Packed([5, 6, 5]);
    UnormShort555 = 0x10D5, "CL_UNORM_SHORT_555", 2, Encoding::Packed([5, 5, 5]);
    UnormInt101010 = 0x10D6, "CL_UNORM_INT_101010", 4, Encoding::Packed([10, 10, 10]);
    SignedInt8 = 0x10D7, "CL_SIGNED_INT8", 1, Encoding::Signed;
    SignedInt16 = 0x10D8, "CL_SIGNED_INT16", 2, Encoding::Signed;
    SignedInt32 = 0x10D9, "CL_SIGNED_INT32", 4, Encoding::Signed;
    UnsignedInt8 = 0x10DA, "CL_UNSIGNED_INT8", 1, Encoding::Unsigned;
    UnsignedInt16 = 0x10DB, "CL_UNSIGNED_INT16", 2, Encoding::Unsigned;
    UnsignedInt32 = 0x10DC, "CL_UNSIGNED_INT32", 4, Encoding::Unsigned;
    HalfFloat = 0x10DD, "CL_HALF_FLOAT", 2, Encoding::Float;
    Float = 0x10DE, "CL_FLOAT", 4, Encoding::Float;
}

/// The types with one integer or floating-point number per component.
const UNPACKED: &[ChannelType] = {
    use ChannelType::*;
    &[
        UnormInt8,
        UnormInt16,
        SnormInt8,
        SnormInt16,
        SignedInt8,
        SignedInt16,
        SignedInt32,
        UnsignedInt8,
        UnsignedInt16,
        UnsignedInt32,
        HalfFloat,
        Float,
    ]
};
const PACKED: &[ChannelType] = {
    use ChannelType::*;
    &[UnormShort565, UnormShort555, UnormInt101010]
};
/// The data types of `CL_ARGB` and `CL_BGRA`.
const BYTES: &[ChannelType] = {
    use ChannelType::*;
    &[UnormInt8, SnormInt8, SignedInt8, UnsignedInt8]
};
/// The data types of `CL_INTENSITY` and `CL_LUMINANCE`.
const FRACTIONS: &[ChannelType] = {
    use ChannelType::*;
    &[
        UnormInt8, UnormInt16, SnormInt8, SnormInt16, HalfFloat, Float,
    ]
};

macro_rules! channel_orders {
    ($($name:ident = $value:literal, $constant:literal, $components:expr, $types:expr;)*) => {
        /// `cl_channel_order`, with OpenCL's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        #[allow(clippy::upper_case_acronyms, reason = "named as in the specification")]
        pub enum ChannelOrder {
            $(#[doc = concat!("`", $constant, "`")] $name = $value,)*
        }

        impl ChannelOrder {
            /// All channel orders.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// For each component in memory, its index in (red, green, blue, alpha).
            fn components(self) -> &'static [usize] {
                match self {
                    $(Self::$name => &$components,)*
                }
            }

            /// The data types that it can be combined with (tables 5.6 and 5.7).
            pub fn data_types(self) -> &'static [ChannelType] {
                match self {
                    $(Self::$name => $types,)*
                }
            }
        }
    };
}

channel_orders! {
    R = 0x10B0, "CL_R", [0], UNPACKED;
    A = 0x10B1, "CL_A", [3], UNPACKED;
    RG = 0x10B2, "CL_RG", [0, 1], UNPACKED;
    RA = 0x10B3, "CL_RA", [0, 3], UNPACKED;
    RGB = 0x10B4, "CL_RGB", [0, 1, 2], PACKED;
    RGBA = 0x10B5, "CL_RGBA", [0, 1, 2, 3], UNPACKED;
    BGRA = 0x10B6, "CL_BGRA", [2, 1, 0, 3], BYTES;
    ARGB = 0x10B7, "CL_ARGB", [3, 0, 1, 2], BYTES;
    Intensity = 0x10B8, "CL_INTENSITY", [0], FRACTIONS;
    Luminance = 0x10B9, "CL_LUMINANCE", [0], FRACTIONS;
    Rx = 0x10BA, "CL_Rx", [0], UNPACKED;
    RGx = 0x10BB, "CL_RGx", [0, 1], UNPACKED;
    RGBx = 0x10BC, "CL_RGBx", [0, 1, 2], PACKED;
}

/// A supported image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageFormat {
    order: ChannelOrder,
    data_type: ChannelType,
}

impl ImageFormat {
    /// The format with these values of `cl_image_format`; none if they are no valid combination.
    pub fn from_values(order: u32, data_type: u32) -> Option<Self> {
        let order = *ChannelOrder::ALL
            .iter()
            .find(|known| **known as u32 == order)?;
        let mut types = order.data_types().iter();
        let data_type = *types.find(|known| **known as u32 == data_type)?;
        Some(Self { order, data_type })
    }

    /// All formats. Each is supported for all types of images, for reading and for writing.
    pub fn all() -> impl Iterator<Item = Self> {
        ChannelOrder::ALL.iter().flat_map(|order| {
            let of_type = |data_type: &ChannelType| Self {
                order: *order,
                data_type: *data_type,
            };
            order.data_types().iter().map(of_type)
        })
    }

    /// `image_channel_order`
    pub fn order(self) -> ChannelOrder {
        self.order
    }

    /// `image_channel_data_type`
    pub fn data_type(self) -> ChannelType {
        self.data_type
    }

    /// Bytes of a pixel (`CL_IMAGE_ELEMENT_SIZE`).
    pub fn element_size(self) -> usize {
        match self.data_type.encoding() {
            (bytes, Encoding::Packed(_)) => bytes,
            (bytes, _) => bytes * self.order.components().len(),
        }
    }

    /// The type of a colour's components in kernels.
    pub fn class(self) -> ChannelClass {
        match self.data_type.encoding() {
            (_, Encoding::Signed) => ChannelClass::Signed,
            (_, Encoding::Unsigned) => ChannelClass::Unsigned,
            _ => ChannelClass::Float,
        }
    }

    /// A pixel of that colour, converted as kernels do (8.3). The four components are the bits
    /// of `float`, `int` or `uint`, depending on the class.
    pub fn pixel(self, color: [u32; 4]) -> Vec<u8> {
        // The host program may have set another rounding mode on its thread.
        in_default_environment(|| self.converted(color))
    }

    fn converted(self, color: [u32; 4]) -> Vec<u8> {
        let (bytes, encoding) = self.data_type.encoding();
        if let Encoding::Packed(widths) = encoding {
            let packed = widths
                .iter()
                .zip(color)
                .fold(0u32, |packed, (width, component)| {
                    let largest = (1u32 << width) - 1;
                    let scaled = f32::from_bits(component) * largest as f32;
                    (packed << width) | (scaled.round_ties_even() as u32).min(largest)
                });
            return packed.to_le_bytes()[..bytes].to_vec();
        }
        let components = self.order.components().iter();
        components
            .flat_map(|component| component_bytes(color[*component], bytes, encoding))
            .collect()
    }
}

/// One component in memory. `as` saturates and converts NaN to 0, as `convert_…_sat` does.
fn component_bytes(component: u32, bytes: usize, encoding: Encoding) -> Vec<u8> {
    let float = f32::from_bits(component);
    let bits = 8 * bytes as u32;
    let value = match encoding {
        Encoding::Float if bytes == size_of::<f16>() => {
            return f16::from_f32(float).to_le_bytes().to_vec();
        }
        Encoding::Float => return float.to_le_bytes().to_vec(),
        Encoding::SignedNormalised => {
            let largest = (1i64 << (bits - 1)) - 1;
            let scaled = (float * largest as f32).round_ties_even() as i64;
            scaled.clamp(-largest - 1, largest)
        }
        Encoding::UnsignedNormalised => {
            let largest = (1i64 << bits) - 1;
            let scaled = (float * largest as f32).round_ties_even() as i64;
            scaled.clamp(0, largest)
        }
        Encoding::Signed => {
            let largest = (1i64 << (bits - 1)) - 1;
            i64::from(component.cast_signed()).clamp(-largest - 1, largest)
        }
        Encoding::Unsigned | Encoding::Packed(_) => i64::from(component).min((1i64 << bits) - 1),
    };
    value.to_le_bytes()[..bytes].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(order: ChannelOrder, data_type: ChannelType) -> ImageFormat {
        ImageFormat::from_values(order as u32, data_type as u32).unwrap()
    }

    fn floats(color: [f32; 4]) -> [u32; 4] {
        color.map(f32::to_bits)
    }

    /// OpenCL 1.2, table 5.8.
    #[test]
    fn the_mandatory_formats_are_there() {
        // CL_UNORM_INT8 and 16, CL_SIGNED_INT8 to CL_FLOAT.
        for data_type in (0x10D2..=0x10D3).chain(0x10D7..=0x10DE) {
            let wanted = ImageFormat::from_values(ChannelOrder::RGBA as u32, data_type);
            assert!(wanted.is_some(), "{data_type:#x}");
            assert!(ImageFormat::all().any(|format| Some(format) == wanted));
        }
        format(ChannelOrder::BGRA, ChannelType::UnormInt8);
    }

    #[test]
    fn pairs_that_do_not_go_together_are_no_formats() {
        use {ChannelOrder::*, ChannelType::*};
        for (order, data_type) in [
            (RGB, UnormInt8),
            (RGBA, UnormShort565),
            (BGRA, HalfFloat),
            (Intensity, SignedInt8),
            (Luminance, UnsignedInt32),
        ] {
            assert_eq!(
                ImageFormat::from_values(order as u32, data_type as u32),
                None
            );
        }
        assert_eq!(ImageFormat::from_values(0x10BD, UnormInt8 as u32), None);
        assert_eq!(ImageFormat::from_values(RGBA as u32, 0x10DF), None);
    }

    #[test]
    fn pixels_have_the_bytes_of_their_components() {
        use {ChannelOrder::*, ChannelType::*};
        for (order, data_type, bytes) in [
            (R, UnormInt8, 1),
            (RA, SignedInt16, 4),
            (RGBA, Float, 16),
            (RGBA, HalfFloat, 8),
            (RGB, UnormShort565, 2),
            (RGBx, UnormInt101010, 4),
            (ARGB, UnsignedInt8, 4),
            (Luminance, Float, 4),
        ] {
            assert_eq!(format(order, data_type).element_size(), bytes);
        }
        for format in ImageFormat::all() {
            let pixel = format.pixel([0; 4]);
            assert_eq!(pixel.len(), format.element_size(), "{format:?}");
            // The machine file derives `open_cl.images.buffer` from this limit.
            assert!(pixel.len() <= 16);
        }
    }

    #[test]
    fn colours_are_converted_and_put_in_order() {
        use {ChannelOrder::*, ChannelType::*};
        let color = floats([1.0, 0.5, 0.25, -1.0]);
        for (order, data_type, expected) in [
            // 0.5 * 255 = 127.5 and 0.25 * 255 = 63.75: to the nearest, ties to even.
            (RGBA, UnormInt8, vec![255, 128, 64, 0]),
            (BGRA, UnormInt8, vec![64, 128, 255, 0]),
            (ARGB, SnormInt8, vec![0x81, 127, 64, 32]),
            (A, SnormInt16, vec![0x01, 0x80]),
            (RG, UnormInt16, vec![0xFF, 0xFF, 0x00, 0x80]),
            (RG, HalfFloat, vec![0x00, 0x3C, 0x00, 0x38]),
            (Intensity, Float, vec![0, 0, 0x80, 0x3F]),
            // 31 << 11 | 32 << 5 | 8: 31.5 and 7.75 rounded.
            (RGB, UnormShort565, vec![0x08, 0xFC]),
            // 31 << 10 | 16 << 5 | 8
            (RGB, UnormShort555, vec![0x08, 0x7E]),
            // 1023 << 20 | 512 << 10 | 256
            (RGB, UnormInt101010, vec![0x00, 0x01, 0xF8, 0x3F]),
        ] {
            assert_eq!(
                format(order, data_type).pixel(color),
                expected,
                "{order:?} {data_type:?}"
            );
        }
    }

    #[test]
    fn colours_out_of_range_saturate() {
        use {ChannelOrder::*, ChannelType::*};
        let wide = floats([2.0, -3.0, f32::NAN, f32::INFINITY]);
        assert_eq!(format(RGBA, UnormInt8).pixel(wide), [255, 0, 0, 255]);
        assert_eq!(format(RGBA, SnormInt8).pixel(wide), [127, 0x80, 0, 127]);
        assert_eq!(format(RGB, UnormShort565).pixel(wide), [0x00, 0xF8]);
        let signed = [300, -300, 5, -5].map(|value: i32| value.cast_unsigned());
        assert_eq!(format(RGBA, SignedInt8).pixel(signed), [127, 0x80, 5, 0xFB]);
        assert_eq!(
            format(RG, UnsignedInt16).pixel([70_000, 7, 0, 0]),
            [0xFF, 0xFF, 7, 0]
        );
        assert_eq!(
            format(R, UnsignedInt32).pixel([u32::MAX, 0, 0, 0]),
            [0xFF; 4]
        );
        assert_eq!(
            format(R, SignedInt32).pixel([i32::MIN.cast_unsigned(), 0, 0, 0]),
            i32::MIN.to_le_bytes()
        );
    }
}
