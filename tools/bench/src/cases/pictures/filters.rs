//! Filters of neighbouring pixels.

use super::{Case, Category, bytes, ensure_each, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "median-3x3",
        what: "2048 x 2048 bytes, network of comparisons, 16 x 16",
        category: Category::Kernel,
        measure: |mode| of_nine(mode, "median", median),
    },
    Case {
        name: "sobel",
        what: "2048 x 2048 bytes, saturated, 16 x 16",
        category: Category::Kernel,
        measure: |mode| of_nine(mode, "sobel", sobel),
    },
    Case {
        name: "bilateral",
        what: "512 x 512 floats, 7 x 7, exp, 16 x 16",
        category: Category::Kernel,
        measure: bilateral,
    },
];

const SOURCE: &str = source!("pictures/filters.cl");

/// A filter of 3 x 3 bytes that leaves out the edges.
fn of_nine(mode: Mode, name: &str, filter: fn([u8; 9]) -> u8) -> Result<Measurement> {
    let size = mode.size(2048, 64);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, name)?;
    let input = bytes(1, size * size);
    let (buffer, output) = (session.buffer(&input)?, session.buffer(&input)?);
    kernel.set(&[&buffer, &output, &(size as i32), &(size as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    ensure_each(&session.read(&output)?, mode.size(5, 1), |point| {
        let (x, y) = (point % size, point / size);
        let inner = 1..size - 1;
        match inner.contains(&x) && inner.contains(&y) {
            true => filter(std::array::from_fn(|i| {
                input[(y + i / 3 - 1) * size + x + i % 3 - 1]
            })),
            false => input[point],
        }
    })?;
    Ok(time.with_work(Work::Bytes((2 * size * size) as f64)))
}

fn median(mut values: [u8; 9]) -> u8 {
    values.sort_unstable();
    values[4]
}

fn sobel(values: [u8; 9]) -> u8 {
    let v = values.map(i32::from);
    let across = v[2] + 2 * v[5] + v[8] - v[0] - 2 * v[3] - v[6];
    let along = v[6] + 2 * v[7] + v[8] - v[0] - 2 * v[1] - v[2];
    (across.abs() + along.abs()).min(255) as u8
}

fn bilateral(mode: Mode) -> Result<Measurement> {
    const NEARNESS: f32 = 0.06;
    const SIMILARITY: f32 = 5.0;
    let size = mode.size(512, 64);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "bilateral")?;
    let input = floats(1, size * size, 0.0..1.0);
    let buffer = session.buffer(&input)?;
    let output = session.unwritten::<f32>(size * size)?;
    let side = size as i32;
    kernel.set(&[&buffer, &output, &side, &side, &NEARNESS, &SIMILARITY])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    ensure_each_close(&session.read(&output)?, 7, (1.0, 1e-5), |point| {
        let (x, y) = (point % size, point / size);
        let clamped = |i: usize, d: usize| (i + d).saturating_sub(3).min(size - 1);
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in 0..49 {
            let (dx, dy) = (i % 7, i / 7);
            let value = f64::from(input[clamped(y, dy) * size + clamped(x, dx)]);
            let off = value - f64::from(input[point]);
            let distance = (dx as f64 - 3.0).powi(2) + (dy as f64 - 3.0).powi(2);
            let exponent = f64::from(NEARNESS) * distance + f64::from(SIMILARITY) * off * off;
            sum += (-exponent).exp() * value;
            weights += (-exponent).exp();
        }
        sum / weights
    })?;
    Ok(time)
}
