//! Random pixels, and the types in which kernels read and write them.

use crate::reference::{Coding, Format, Image, Shape};

/// A xorshift generator of random numbers.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The suffix, `f`, `i` or `ui`, of the functions that read and write images of this coding.
pub fn suffix(coding: Coding) -> &'static str {
    match coding {
        Coding::Signed => "i",
        Coding::Unsigned => "ui",
        _ => "f",
    }
}

/// The type of a pixel in kernels.
pub fn vector(suffix: &str) -> &'static str {
    match suffix {
        "i" => "int4",
        "ui" => "uint4",
        _ => "float4",
    }
}

/// The value of a component that a read returned.
pub fn number(suffix: &str, bits: u32) -> f64 {
    match suffix {
        "i" => f64::from(bits as i32),
        "ui" => f64::from(bits),
        _ => f64::from(f32::from_bits(bits)),
    }
}

/// Whether two numbers are equal, or both NaN.
pub fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// Images of buffers.
pub const BUFFER: Shape = Shape {
    name: "image1d_buffer_t",
    axes: 1,
    is_array: false,
};

/// A small image with random pixels.
pub fn noise(shape: Shape, format: Format) -> Image {
    let mut size = [1; 3];
    size[..shape.axes].copy_from_slice(&[7, 5, 3][..shape.axes]);
    let mut image = Image::new(shape, format, size, if shape.is_array { 4 } else { 1 });
    let mut numbers = Numbers(0x0bad_cafe_0000_0001 + u64::from(format.data_type));
    if format.data_type == 0x10de {
        // The padding is NaN.
        image.bytes.fill(0xff);
    } else {
        for byte in &mut image.bytes {
            *byte = numbers.next() as u8;
        }
    }
    if format.coding() == Coding::Float {
        for slice in 0..size[2].max(image.layers) {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let mut color = || (numbers.next() % 2001) as f32 / 8.0 - 125.0;
                    let color = [color(), color(), color(), color()];
                    let pixel = image.pixel(x, y, slice);
                    image.bytes[pixel].copy_from_slice(&format.encode_float(color));
                }
            }
        }
    }
    image
}
