//! Conversions of pixels.

use super::{Case, Category, bytes, ensure_each, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "rgb-to-gray",
        what: "4096 x 2048 pixels of 3 bytes by vload3",
        category: Category::Kernel,
        measure: rgb_to_gray,
    },
    Case {
        name: "sepia",
        what: "4096 x 2048 pixels of 3 bytes, byte by byte",
        category: Category::Kernel,
        measure: sepia,
    },
    Case {
        name: "yuv-to-rgb",
        what: "4096 x 2048 pixels, planes of bytes (4:2:0) to uchar4, saturated",
        category: Category::Kernel,
        measure: yuv_to_rgb,
    },
    Case {
        name: "alpha-blend",
        what: "4096 x 2048 pixels of uchar4 over others",
        category: Category::Kernel,
        measure: alpha_blend,
    },
];

const SOURCE: &str = source!("pictures/colours.cl");

fn pixels(count: usize, seed: u64) -> Vec<[u8; 4]> {
    let bytes = bytes(seed, 4 * count);
    let pixels = bytes.chunks_exact(4);
    pixels.map(|p| [p[0], p[1], p[2], p[3]]).collect()
}

fn rgb_to_gray(mode: Mode) -> Result<Measurement> {
    let count = mode.size(4096 * 2048, 4096);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "rgb_to_gray")?;
    let rgb = bytes(1, 3 * count);
    let (buffer, gray) = (session.buffer(&rgb)?, session.unwritten::<u8>(count)?);
    kernel.set(&[&buffer, &gray, &(count as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[256])))?;
    ensure_each(&session.read(&gray)?, 1, |i| {
        let [red, green, blue] = [0, 1, 2].map(|part| u32::from(rgb[3 * i + part]));
        ((77 * red + 150 * green + 29 * blue + 128) >> 8) as u8
    })?;
    Ok(time.with_work(Work::Bytes(4.0 * count as f64)))
}

fn sepia(mode: Mode) -> Result<Measurement> {
    let count = mode.size(4096 * 2048, 4096);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "sepia")?;
    let rgb = bytes(1, 3 * count);
    let (buffer, out) = (session.buffer(&rgb)?, session.unwritten::<u8>(3 * count)?);
    kernel.set(&[&buffer, &out, &(count as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[256])))?;
    ensure_each(&session.read(&out)?, 1, |i| {
        let pixel = &rgb[i / 3 * 3..][..3];
        let factors = [[101, 197, 48], [89, 176, 43], [70, 137, 34]][i % 3];
        let parts = factors.iter().zip(pixel);
        let sum: u32 = parts.map(|(factor, part)| factor * u32::from(*part)).sum();
        (sum >> 8).min(255) as u8
    })?;
    Ok(time.with_work(Work::Bytes(6.0 * count as f64)))
}

fn yuv_to_rgb(mode: Mode) -> Result<Measurement> {
    let (width, height) = (mode.size(4096, 64), mode.size(2048, 64));
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "yuv_to_rgb")?;
    let brightness = bytes(1, width * height);
    let [blue, red] = [2, 3].map(|seed| bytes(seed, width * height / 4));
    let inputs = [
        session.buffer(&brightness)?,
        session.buffer(&blue)?,
        session.buffer(&red)?,
    ];
    let rgba = session.unwritten::<[u8; 4]>(width * height)?;
    let width_argument = width as i32;
    let [y, u, v] = &inputs;
    kernel.set(&[y, u, v, &rgba, &width_argument])?;
    let time = mode.time(|| session.run(&kernel, &[width, height], Some(&[16, 16])))?;
    ensure_each(&session.read(&rgba)?, 1, |i| {
        let coarse = i / width / 2 * (width / 2) + i % width / 2;
        let c = 298 * (i32::from(brightness[i]) - 16);
        let [d, e] = [&blue, &red].map(|plane| i32::from(plane[coarse]) - 128);
        let colours = [c + 409 * e, c - 100 * d - 208 * e, c + 516 * d];
        let [r, g, b] = colours.map(|colour| ((colour + 128) >> 8).clamp(0, 255) as u8);
        [r, g, b, 255]
    })?;
    Ok(time.with_work(Work::Bytes(5.5 * (width * height) as f64)))
}

fn alpha_blend(mode: Mode) -> Result<Measurement> {
    let count = mode.size(4096 * 2048, 4096);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "alpha_blend")?;
    let (above, below) = (pixels(count, 1), pixels(count, 2));
    let (buffer_a, buffer_b) = (session.buffer(&above)?, session.buffer(&below)?);
    let out = session.unwritten::<[u8; 4]>(count)?;
    kernel.set(&[&buffer_a, &buffer_b, &out])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[256])))?;
    ensure_each(&session.read(&out)?, 1, |i| {
        let alpha = u32::from(above[i][3]);
        std::array::from_fn(|part| {
            let (top, bottom) = (u32::from(above[i][part]), u32::from(below[i][part]));
            let sum = top * alpha + bottom * (255 - alpha) + 128;
            if part == 3 {
                255
            } else {
                ((sum + (sum >> 8)) >> 8) as u8
            }
        })
    })?;
    Ok(time.with_work(Work::Bytes(12.0 * count as f64)))
}
