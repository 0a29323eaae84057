//! Products of square matrices.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "naive-sgemm",
        what: "1024, float, a work-item per element",
        category: Category::Kernel,
        measure: |mode| gemm(mode, "naive_gemm"),
    },
    Case {
        name: "tiled-sgemm",
        what: "1024, float, tiles of 16 x 16 in local memory",
        category: Category::Kernel,
        measure: |mode| gemm(mode, "tiled_gemm"),
    },
];

fn gemm(mode: Mode, name: &str) -> Result<Measurement> {
    let size = mode.size(1024, 64);
    let session = Session::open()?;
    let kernel = session.kernel(source!("gemm.cl"), name)?;
    // Small integers, so that every sum is exact in any order.
    let matrix = |seed: usize| -> Vec<f32> {
        (0..size * size)
            .map(|i| ((i * seed + i / size) % 7) as f32 - 3.0)
            .collect()
    };
    let (a, b) = (matrix(5), matrix(3));
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.unwritten::<f32>(size * size)?;
    kernel.set(&[&buffer_a, &buffer_b, &buffer_c, &(size as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    let c = session.read(&buffer_c)?;
    for row in (0..size).step_by(37) {
        let mut sums = vec![0.0; size];
        for (k, factor) in a[row * size..][..size].iter().enumerate() {
            for (sum, other) in sums.iter_mut().zip(&b[k * size..]) {
                *sum += factor * other;
            }
        }
        ensure!(sums == c[row * size..][..size], "wrong row {row}");
    }
    Ok(time.of(Work::Float(2.0 * (size as f64).powi(3))))
}
