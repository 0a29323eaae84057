//! Fourier transforms in global memory with computed indices.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;
use std::f64::consts::TAU;

pub const CASES: &[Case] = &[Case {
    name: "fft-computed-index",
    what: "1 Mi complex floats, radix 4 in global memory, 10 launches",
    category: Category::Kernel,
    measure: fft,
}];

fn fft(mode: Mode) -> Result<Measurement> {
    let points: usize = mode.size(1 << 20, 1 << 12);
    let session = Session::open()?;
    let program = session.program(source!("numbers/fourier.cl"), "")?;
    let input: Vec<[f32; 2]> = floats(1, 2 * points, -1.0..1.0)
        .chunks_exact(2)
        .map(|c| [c[0], c[1]])
        .collect();
    let buffers = [session.buffer(&input)?, session.unwritten(points)?];
    let steps = (0..points.ilog2() / 2)
        .map(|step| {
            let kernel = program.kernel("radix_4")?;
            let from = step as usize % 2;
            kernel.set(&[&buffers[from], &buffers[1 - from], &(1i32 << (2 * step))])?;
            Ok(kernel)
        })
        .collect::<Result<Vec<_>>>()?;
    let time = mode.time_after(
        || session.write(&buffers[0], &input),
        || {
            for step in &steps {
                session.enqueue(step, &[points / 4], Some(&[64]))?;
            }
            session.finish()
        },
    )?;
    let output = session.read(&buffers[steps.len() % 2])?;
    let roots: Vec<[f64; 2]> = (0..points)
        .map(|k| -TAU * k as f64 / points as f64)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    let scale = (points as f64).sqrt();
    for bin in (1..points).step_by(points / 11) {
        let mut sum = [0.0f64; 2];
        for (i, value) in input.iter().enumerate() {
            let [x, y] = value.map(f64::from);
            let [c, s] = roots[i * bin % points];
            sum[0] += x * c - y * s;
            sum[1] += x * s + y * c;
        }
        for (part, sum) in sum.into_iter().enumerate() {
            ensure_close(output[bin][part], sum, scale, 1e-5)?;
        }
    }
    Ok(time)
}
