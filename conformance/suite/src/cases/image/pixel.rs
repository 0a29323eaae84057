//! Pixels in memory and their colours (sections 5.3.1.1, 6.12.14.7 and 8.3).

use cl_sys::*;
use half::f16;
use harness::random::Random;

/// Channel order and data type.
pub type Format = (cl_uint, cl_uint);

/// A colour from the view of kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Colour {
    /// The result of `read_imagef`.
    Real([f64; 4]),
    /// The result of `read_imagei` and `read_imageui`.
    Integer([i64; 4]),
}

/// The data type of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// A number of bits that represent 0 to 1, or -1 to 1 if signed.
    Normalised(u32, bool),
    /// An integer of this number of bits, signed or unsigned.
    Integer(u32, bool),
    /// binary16
    Half,
    /// binary32
    Float,
}

/// The layout of a format.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The data type of all channels, if the format is not packed.
    pub channel: Channel,
    /// The component of the colour for each channel in memory.
    pub components: &'static [usize],
    /// Shift and number of bits of each channel of a packed format.
    packed: Option<[(u32, u32); 3]>,
    /// Size of a pixel, in bytes.
    pub bytes: usize,
    order: cl_uint,
}

impl Layout {
    /// `None` for formats that OpenCL 1.2 lacks.
    #[allow(non_upper_case_globals, reason = "constants with OpenCL's names")]
    pub fn new(format: Format, bytes: usize) -> Option<Self> {
        let order = format.0;
        let components: &[usize] = match order {
            CL_R | CL_Rx | CL_INTENSITY | CL_LUMINANCE => &[0],
            CL_A => &[3],
            CL_RG | CL_RGx => &[0, 1],
            CL_RA => &[0, 3],
            CL_RGB | CL_RGBx => &[0, 1, 2],
            CL_RGBA => &[0, 1, 2, 3],
            CL_BGRA => &[2, 1, 0, 3],
            CL_ARGB => &[3, 0, 1, 2],
            _ => return None,
        };
        let mut packed = None;
        let channel = match format.1 {
            CL_SNORM_INT8 => Channel::Normalised(8, true),
            CL_SNORM_INT16 => Channel::Normalised(16, true),
            CL_UNORM_INT8 => Channel::Normalised(8, false),
            CL_UNORM_INT16 => Channel::Normalised(16, false),
            CL_SIGNED_INT8 => Channel::Integer(8, true),
            CL_SIGNED_INT16 => Channel::Integer(16, true),
            CL_SIGNED_INT32 => Channel::Integer(32, true),
            CL_UNSIGNED_INT8 => Channel::Integer(8, false),
            CL_UNSIGNED_INT16 => Channel::Integer(16, false),
            CL_UNSIGNED_INT32 => Channel::Integer(32, false),
            CL_HALF_FLOAT => Channel::Half,
            CL_FLOAT => Channel::Float,
            CL_UNORM_SHORT_565 => {
                packed = Some([(11, 5), (5, 6), (0, 5)]);
                Channel::Normalised(5, false)
            }
            CL_UNORM_SHORT_555 => {
                packed = Some([(10, 5), (5, 5), (0, 5)]);
                Channel::Normalised(5, false)
            }
            CL_UNORM_INT_101010 => {
                packed = Some([(20, 10), (10, 10), (0, 10)]);
                Channel::Normalised(10, false)
            }
            _ => return None,
        };
        Some(Self {
            channel,
            components,
            packed,
            bytes,
            order,
        })
    }

    /// The suffix of the functions that read and write the format, and their vector type.
    pub fn class(&self) -> (&'static str, &'static str) {
        match self.channel {
            Channel::Integer(_, true) => ("i", "int4"),
            Channel::Integer(_, false) => ("ui", "uint4"),
            _ => ("f", "float4"),
        }
    }

    /// The numbers in the channels of a pixel, and the largest number of each channel.
    pub fn numbers(&self, pixel: &[u8]) -> Vec<(f64, f64)> {
        let integer = |bytes: &[u8]| {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(whole)
        };
        if let Some(packed) = self.packed {
            let all = integer(pixel);
            return packed
                .map(|(shift, bits)| {
                    let largest = (1u64 << bits) - 1;
                    ((all >> shift & largest) as f64, largest as f64)
                })
                .to_vec();
        }
        let size = self.channel_bytes();
        let channels = pixel.chunks(size).take(self.components.len());
        channels
            .map(|bytes| {
                let all = integer(bytes);
                match self.channel {
                    Channel::Normalised(bits, signed) | Channel::Integer(bits, signed) => {
                        let shift = 64 - bits;
                        if signed {
                            let value = ((all << shift) as i64 >> shift) as f64;
                            (value, ((1u64 << (bits - 1)) - 1) as f64)
                        } else {
                            (all as f64, (u64::MAX >> shift) as f64)
                        }
                    }
                    Channel::Half => (f16::from_bits(all as u16).to_f64(), 1.0),
                    Channel::Float => (f32::from_bits(all as u32).into(), 1.0),
                }
            })
            .collect()
    }

    fn channel_bytes(&self) -> usize {
        match self.channel {
            Channel::Normalised(bits, _) | Channel::Integer(bits, _) => bits as usize / 8,
            Channel::Half => 2,
            Channel::Float => 4,
        }
    }

    /// The colour of a pixel in memory. Missing components are 0, and a missing alpha is 1.
    pub fn colour(&self, pixel: &[u8]) -> Colour {
        let numbers = self.numbers(pixel);
        let mut all = [0.0, 0.0, 0.0, 1.0];
        let normalised = matches!(self.channel, Channel::Normalised(..));
        for (&component, (number, largest)) in self.components.iter().zip(numbers) {
            all[component] = if normalised {
                (number / largest).max(-1.0)
            } else {
                number
            };
        }
        match self.order {
            CL_INTENSITY => all = [all[0]; 4],
            CL_LUMINANCE => all = [all[0], all[0], all[0], 1.0],
            _ => {}
        }
        if matches!(self.channel, Channel::Integer(..)) {
            Colour::Integer(all.map(|number| number as i64))
        } else {
            Colour::Real(all)
        }
    }

    /// The border colour of `CLK_ADDRESS_CLAMP`.
    pub fn border(&self) -> [f64; 4] {
        let opaque = matches!(self.order, CL_R | CL_RG | CL_RGB | CL_LUMINANCE);
        [0.0, 0.0, 0.0, if opaque { 1.0 } else { 0.0 }]
    }

    /// Random pixels. Values of floating-point channels are normal numbers.
    pub fn pixels(&self, random: &mut Random, count: usize) -> Vec<u8> {
        match self.channel {
            Channel::Half => (0..count * self.bytes / 2)
                .flat_map(|_| f16::from_f32(random.float(-1000.0, 1000.0)).to_le_bytes())
                .collect(),
            Channel::Float => (0..count * self.bytes / 4)
                .flat_map(|_| random.float(-1000.0, 1000.0).to_le_bytes())
                .collect(),
            _ => random.bytes(count * self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Layout};
    use cl_sys::*;

    fn layout(order: cl_uint, data_type: cl_uint, bytes: usize) -> Layout {
        Layout::new((order, data_type), bytes).unwrap()
    }

    #[test]
    fn colours_are_those_of_the_specification() {
        let argb = layout(CL_ARGB, CL_UNORM_INT8, 4);
        let expected = Colour::Real([0.0, 1.0, 0.2, 0.4]);
        assert_eq!(argb.colour(&[102, 0, 255, 51]), expected);
        let red = layout(CL_R, CL_SNORM_INT8, 1);
        assert_eq!(red.colour(&[0x80]), Colour::Real([-1.0, 0.0, 0.0, 1.0]));
        let alpha = layout(CL_A, CL_UNSIGNED_INT16, 2);
        assert_eq!(alpha.colour(&[1, 2]), Colour::Integer([0, 0, 0, 0x201]));
        let grey = layout(CL_INTENSITY, CL_FLOAT, 4);
        let half = 0.5f32.to_le_bytes();
        assert_eq!(grey.colour(&half), Colour::Real([0.5; 4]));
        let packed = layout(CL_RGB, CL_UNORM_SHORT_565, 2);
        let pixel = (31u16 << 11 | 63).to_le_bytes();
        let green = 1.0 / 63.0;
        let expected = Colour::Real([1.0, green, 1.0, 1.0]);
        assert_eq!(packed.colour(&pixel), expected);
    }
}
