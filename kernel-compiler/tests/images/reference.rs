//! Images as OpenCL 1.2 describes them in words: channel orders and types (5.3.1.1),
//! conversions (8.3), coordinates, addressing and filters (8.1, 8.2, 8.4).

use kernel_compiler::image_argument::sampler_bits::*;

/// `cl_channel_order`, the components a pixel's channels in memory are, and whether the
/// border colour has an alpha of 1.
pub const ORDERS: &[(&str, u32, &[usize], bool)] = &[
    ("R", 0x10b0, &[0], true),
    ("A", 0x10b1, &[3], false),
    ("RG", 0x10b2, &[0, 1], true),
    ("RA", 0x10b3, &[0, 3], false),
    ("RGB", 0x10b4, &[0, 1, 2], true),
    ("RGBA", 0x10b5, &[0, 1, 2, 3], false),
    ("BGRA", 0x10b6, &[2, 1, 0, 3], false),
    ("ARGB", 0x10b7, &[3, 0, 1, 2], false),
    ("INTENSITY", 0x10b8, &[0], false),
    ("LUMINANCE", 0x10b9, &[0], true),
    ("Rx", 0x10ba, &[0], false),
    ("RGx", 0x10bb, &[0, 1], false),
    ("RGBx", 0x10bc, &[0, 1, 2], false),
];

/// What the bits of a channel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    Unorm,
    Snorm,
    Signed,
    Unsigned,
    Float,
}

/// `cl_channel_type`, the coding, and the bits of each channel.
pub const TYPES: &[(&str, u32, Coding, u32)] = &[
    ("SNORM_INT8", 0x10d0, Coding::Snorm, 8),
    ("SNORM_INT16", 0x10d1, Coding::Snorm, 16),
    ("UNORM_INT8", 0x10d2, Coding::Unorm, 8),
    ("UNORM_INT16", 0x10d3, Coding::Unorm, 16),
    ("UNORM_SHORT_565", 0x10d4, Coding::Unorm, 0),
    ("UNORM_SHORT_555", 0x10d5, Coding::Unorm, 0),
    ("UNORM_INT_101010", 0x10d6, Coding::Unorm, 0),
    ("SIGNED_INT8", 0x10d7, Coding::Signed, 8),
    ("SIGNED_INT16", 0x10d8, Coding::Signed, 16),
    ("SIGNED_INT32", 0x10d9, Coding::Signed, 32),
    ("UNSIGNED_INT8", 0x10da, Coding::Unsigned, 8),
    ("UNSIGNED_INT16", 0x10db, Coding::Unsigned, 16),
    ("UNSIGNED_INT32", 0x10dc, Coding::Unsigned, 32),
    ("HALF_FLOAT", 0x10dd, Coding::Float, 16),
    ("FLOAT", 0x10de, Coding::Float, 32),
];

/// A channel order with a channel type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub order: u32,
    pub data_type: u32,
}

impl Format {
    /// By the names without `CL_`.
    pub fn named(order: &str, data_type: &str) -> Self {
        let order = ORDERS.iter().find(|o| o.0 == order).unwrap();
        let data_type = TYPES.iter().find(|t| t.0 == data_type).unwrap();
        Self {
            order: order.1,
            data_type: data_type.1,
        }
    }

    /// All that section 5.3.1.1 allows.
    pub fn all() -> Vec<Self> {
        let mut formats = Vec::new();
        for order in ORDERS {
            for data_type in TYPES {
                let (coding, bits) = (data_type.2, data_type.3);
                let integer = matches!(coding, Coding::Signed | Coding::Unsigned);
                let allowed = match order.0 {
                    "RGB" | "RGBx" => bits == 0,
                    "INTENSITY" | "LUMINANCE" => bits != 0 && !integer,
                    "BGRA" | "ARGB" => bits == 8,
                    _ => bits != 0,
                };
                if allowed {
                    formats.push(Self::named(order.0, data_type.0));
                }
            }
        }
        formats
    }

    pub fn name(self) -> String {
        let order = ORDERS.iter().find(|o| o.1 == self.order).unwrap();
        let data_type = TYPES.iter().find(|t| t.1 == self.data_type).unwrap();
        format!("{} {}", order.0, data_type.0)
    }

    fn components(self) -> &'static [usize] {
        ORDERS.iter().find(|o| o.1 == self.order).unwrap().2
    }

    pub fn coding(self) -> Coding {
        TYPES.iter().find(|t| t.1 == self.data_type).unwrap().2
    }

    /// Place of the lowest bit and number of bits of each channel in a pixel.
    fn fields(self) -> Vec<(u32, u32)> {
        match self.data_type {
            0x10d4 => vec![(11, 5), (5, 6), (0, 5)],
            0x10d5 => vec![(10, 5), (5, 5), (0, 5)],
            0x10d6 => vec![(20, 10), (10, 10), (0, 10)],
            other => {
                let bits = TYPES.iter().find(|t| t.1 == other).unwrap().3;
                (0..self.components().len() as u32)
                    .map(|channel| (channel * bits, bits))
                    .collect()
            }
        }
    }

    /// Bytes of a pixel.
    pub fn size(self) -> usize {
        let end = self.fields().iter().map(|(at, bits)| at + bits).max();
        (end.unwrap() as usize).div_ceil(8).next_power_of_two()
    }

    /// The border colour, and the one where the image has no channel.
    pub fn border(self) -> [f64; 4] {
        let opaque = ORDERS.iter().find(|o| o.1 == self.order).unwrap().3;
        [0.0, 0.0, 0.0, f64::from(u8::from(opaque))]
    }

    /// Red, green, blue and alpha of a pixel. Normalised values are the nearest floats.
    pub fn decode(self, pixel: &[u8]) -> [f64; 4] {
        let bits = little_endian(pixel);
        let channels: Vec<f64> = self
            .fields()
            .into_iter()
            .map(|(at, width)| {
                let most = (1u64 << width) - 1;
                let field = (bits >> at) as u64 & most;
                let signed = ((field << (64 - width)) as i64 >> (64 - width)) as f64;
                match (self.coding(), width) {
                    (Coding::Unorm, _) => f64::from((field as f64 / most as f64) as f32),
                    (Coding::Snorm, _) => f64::from((signed / (most >> 1) as f64) as f32).max(-1.0),
                    (Coding::Signed, _) => signed,
                    (Coding::Unsigned, _) => field as f64,
                    (Coding::Float, 16) => half_to_float(field as u16),
                    (Coding::Float, _) => f64::from(f32::from_bits(field as u32)),
                }
            })
            .collect();
        let mut color = [0.0, 0.0, 0.0, 1.0];
        match ORDERS.iter().find(|o| o.1 == self.order).unwrap().0 {
            "INTENSITY" => return [channels[0]; 4],
            "LUMINANCE" => return [channels[0], channels[0], channels[0], 1.0],
            "A" | "RA" => color[3] = 0.0,
            _ => {}
        }
        for (component, value) in self.components().iter().zip(channels) {
            color[*component] = value;
        }
        color
    }

    /// The pixel that `write_imagef` makes of a colour.
    pub fn encode_float(self, color: [f32; 4]) -> Vec<u8> {
        let mut bits = 0u128;
        for ((at, width), component) in self.fields().into_iter().zip(self.components()) {
            let value = color[*component];
            let most = (1u64 << width) - 1;
            let field = match (self.coding(), width) {
                (Coding::Unorm, _) => saturated(value * most as f32, 0.0, most as f64),
                (Coding::Snorm, _) => {
                    let most = (most >> 1) as f64;
                    saturated(value * most as f32, -most - 1.0, most)
                }
                (Coding::Float, 16) => i64::from(float_to_half(value)),
                (Coding::Float, _) => i64::from(value.to_bits()),
                _ => panic!("integers are not written as floats"),
            };
            bits |= u128::from(field as u64 & most) << at;
        }
        bits.to_le_bytes()[..self.size()].to_vec()
    }

    /// The pixel that `write_imagei` or `write_imageui` makes of a colour.
    pub fn encode_integer(self, color: [i64; 4]) -> Vec<u8> {
        let mut bits = 0u128;
        for ((at, width), component) in self.fields().into_iter().zip(self.components()) {
            let most = (1i64 << width) - 1;
            let (low, high) = match self.coding() {
                Coding::Signed => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
                _ => (0, most),
            };
            let field = color[*component].clamp(low, high);
            bits |= u128::from((field & most) as u64) << at;
        }
        bits.to_le_bytes()[..self.size()].to_vec()
    }
}

fn little_endian(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

/// convert_..._sat_rte
fn saturated(value: f32, low: f64, high: f64) -> i64 {
    if value.is_nan() {
        return 0;
    }
    f64::from(value).clamp(low, high).round_ties_even() as i64
}

pub fn half_to_float(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// To the nearest, ties to even. Of NaNs only that they are.
pub fn float_to_half(value: f32) -> u16 {
    let sign = ((value.to_bits() >> 16) & 0x8000) as u16;
    let magnitude = f64::from(value.abs());
    let bits = if value.is_nan() {
        0x7e00
    } else if magnitude >= 65520.0 {
        0x7c00
    } else {
        let exponent = (magnitude.log2().floor() as i32).clamp(-14, 15);
        let exponent = if magnitude < 2f64.powi(exponent) && exponent > -14 {
            exponent - 1
        } else {
            exponent
        };
        let kept = (magnitude / 2f64.powi(exponent - 10)).round_ties_even() as u16;
        (((exponent + 14) as u16) << 10) + kept
    };
    sign | bits
}

/// How many axes a texel has, besides the layer of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// OpenCL's name of the type.
    pub name: &'static str,
    pub axes: usize,
    pub is_array: bool,
}

/// The types of images that samplers are for.
pub const SHAPES: &[Shape] = &[
    Shape {
        name: "image1d_t",
        axes: 1,
        is_array: false,
    },
    Shape {
        name: "image1d_array_t",
        axes: 1,
        is_array: true,
    },
    Shape {
        name: "image2d_t",
        axes: 2,
        is_array: false,
    },
    Shape {
        name: "image2d_array_t",
        axes: 2,
        is_array: true,
    },
    Shape {
        name: "image3d_t",
        axes: 3,
        is_array: false,
    },
];

/// An image in memory.
pub struct Image {
    pub shape: Shape,
    pub format: Format,
    /// Pixels along x, y, z; 1 where there is no axis.
    pub size: [usize; 3],
    pub layers: usize,
    pub row_pitch: usize,
    pub slice_pitch: usize,
    pub bytes: Vec<u8>,
}

/// Which texel along an axis; none for the border.
type Place = Option<usize>;

impl Image {
    /// With gaps after rows and slices.
    pub fn new(shape: Shape, format: Format, size: [usize; 3], layers: usize) -> Self {
        let row_pitch = size[0] * format.size() + 3;
        let slice_pitch = row_pitch * size[1] + 5;
        Self {
            shape,
            format,
            size,
            layers,
            row_pitch,
            slice_pitch,
            bytes: vec![0; slice_pitch * size[2].max(layers)],
        }
    }

    pub fn pixel(&self, x: usize, y: usize, slice: usize) -> std::ops::Range<usize> {
        let start = x * self.format.size() + y * self.row_pitch + slice * self.slice_pitch;
        start..start + self.format.size()
    }

    fn color(&self, places: [Place; 3], layer: usize) -> [f64; 4] {
        match places {
            [Some(x), Some(y), Some(z)] => {
                self.format.decode(&self.bytes[self.pixel(x, y, z + layer)])
            }
            _ => self.format.border(),
        }
    }

    fn layer(&self, coordinate: f64) -> usize {
        if !self.shape.is_array {
            return 0;
        }
        coordinate.clamp(0.0, self.layers as f64 - 1.0) as usize
    }

    /// What a read with integer coordinates gives.
    pub fn read(&self, sampler: u64, coordinates: [i32; 4]) -> [f64; 4] {
        let mut places = [Some(0); 3];
        for axis in 0..self.shape.axes {
            let texel = i64::from(coordinates[axis]);
            places[axis] = address(sampler, texel as f64, self.size[axis]);
        }
        let layer = self.layer(f64::from(coordinates[self.shape.axes & 3]));
        self.color(places, layer)
    }

    /// What a read with finite floating-point coordinates gives.
    pub fn sample(&self, sampler: u64, coordinates: [f32; 4]) -> [f64; 4] {
        let mut axes = [[(Some(0), 1.0), (Some(0), 0.0)]; 3];
        for axis in 0..self.shape.axes {
            let (coordinate, size) = (coordinates[axis], self.size[axis]);
            axes[axis] = if sampler & FILTER_LINEAR == 0 {
                [(nearest(sampler, coordinate, size), 1.0), (Some(0), 0.0)]
            } else {
                linear(sampler, coordinate, size)
            };
        }
        let layer = coordinates[self.shape.axes & 3];
        let layer = self.layer(f64::from(layer).round_ties_even());
        let mut sum = [0.0; 4];
        for x in axes[0] {
            for y in axes[1] {
                for z in axes[2] {
                    let weight = x.1 * y.1 * z.1;
                    if weight == 0.0 {
                        continue;
                    }
                    let color = self.color([x.0, y.0, z.0], layer);
                    for (sum, component) in sum.iter_mut().zip(color) {
                        *sum += weight * component;
                    }
                }
            }
        }
        sum
    }
}

const ADDRESSING: u64 = 0xe;

/// Table 8.1. Without an addressing mode what is outside is undefined; here the edge.
fn address(sampler: u64, texel: f64, size: usize) -> Place {
    let inside = texel >= 0.0 && texel < size as f64;
    if sampler & ADDRESSING == ADDRESS_CLAMP && !inside {
        return None;
    }
    Some(texel.clamp(0.0, size as f64 - 1.0) as usize)
}

/// The coordinate u in texels.
fn unnormalised(sampler: u64, s: f32, size: usize) -> f32 {
    let size = size as f32;
    match sampler & ADDRESSING {
        ADDRESS_REPEAT => (s - s.floor()) * size,
        ADDRESS_MIRRORED_REPEAT => {
            let mirror = 2.0 * (0.5 * s).round_ties_even();
            (s - mirror).abs() * size
        }
        _ if sampler & NORMALIZED_COORDS != 0 => s * size,
        _ => s,
    }
}

fn nearest(sampler: u64, s: f32, size: usize) -> Place {
    let i = unnormalised(sampler, s, size).floor();
    match sampler & ADDRESSING {
        ADDRESS_REPEAT if i > size as f32 - 1.0 => Some(i as usize - size),
        ADDRESS_REPEAT => Some(i as usize),
        ADDRESS_MIRRORED_REPEAT => Some((i as usize).min(size - 1)),
        _ => address(sampler, f64::from(i), size),
    }
}

/// The two texels and their weights.
fn linear(sampler: u64, s: f32, size: usize) -> [(Place, f64); 2] {
    let u = unnormalised(sampler, s, size) - 0.5;
    let i = f64::from(u.floor());
    let a = f64::from(u) - i;
    let last = size as f64 - 1.0;
    let [low, high] = match sampler & ADDRESSING {
        ADDRESS_REPEAT => {
            let low = if i < 0.0 { i + size as f64 } else { i };
            let high = if i + 1.0 > last {
                i + 1.0 - size as f64
            } else {
                i + 1.0
            };
            [Some(low as usize), Some(high as usize)]
        }
        ADDRESS_MIRRORED_REPEAT => [
            Some(i.max(0.0) as usize),
            Some((i + 1.0).min(last) as usize),
        ],
        _ => [i, i + 1.0].map(|texel| address(sampler, texel, size)),
    };
    [(low, 1.0 - a), (high, a)]
}
