//! Fourier transforms.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;
use std::f64::consts::TAU;

pub const CASES: &[Case] = &[Case {
    name: "fft",
    what: "4096 of 1024 complex floats, radix 2 in local memory",
    category: Category::Kernel,
    measure: fft,
}];

const POINTS: usize = 1024;

fn fft(mode: Mode) -> Result<Measurement> {
    let transforms = mode.size(4096, 16);
    let session = Session::open()?;
    let kernel = session.kernel(source!("fft.cl"), "fft")?;
    let input: Vec<[f32; 2]> = floats(1, 2 * transforms * POINTS, -1.0..1.0)
        .chunks_exact(2)
        .map(|c| [c[0], c[1]])
        .collect();
    let roots: Vec<[f64; 2]> = (0..POINTS)
        .map(|k| -TAU * k as f64 / POINTS as f64)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    let in_buffer = session.buffer(&input)?;
    let out_buffer = session.unwritten::<[f32; 2]>(input.len())?;
    let table: Vec<[f32; 2]> = roots.iter().map(|r| r.map(|c| c as f32)).collect();
    let table = session.buffer(&table)?;
    kernel.set(&[&in_buffer, &out_buffer, &table])?;
    let global = transforms * POINTS / 2;
    let time = mode.time(|| session.run(&kernel, &[global], Some(&[POINTS / 2])))?;
    let output = session.read(&out_buffer)?;
    for transform in (0..transforms).step_by(transforms / 16) {
        let row = &input[transform * POINTS..][..POINTS];
        for bin in (transform % 37..POINTS).step_by(37) {
            let mut sum = [0.0f64; 2];
            for (i, value) in row.iter().enumerate() {
                let [x, y] = value.map(f64::from);
                let [c, s] = roots[i * bin % POINTS];
                sum[0] += x * c - y * s;
                sum[1] += x * s + y * c;
            }
            for (c, sum) in sum.into_iter().enumerate() {
                // Ten steps with values of the order of 32.
                ensure_close(output[transform * POINTS + bin][c], sum, 32.0, 1e-5)?;
            }
        }
    }
    Ok(time)
}
