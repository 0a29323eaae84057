//! Products of square matrices.

use super::{Case, Category, source};
use crate::opencl::{Argument, Session};
use crate::timing::{Measurement, Mode, Work};
use anyhow::{Result, ensure};
use bytemuck::Pod;
use std::ops::{AddAssign, Mul};

/// A case of each kernel in float and in double.
macro_rules! cases {
    ($(($kernel:ident, $float:literal, $double:literal, $per_item:literal, $what:literal)),* $(,)?) => {
        &[$(
            Case {
                name: $float,
                what: concat!("1024, float, ", $what),
                category: Category::Kernel,
                measure: |mode| gemm::<f32>(mode, stringify!($kernel), $per_item),
            },
            Case {
                name: $double,
                what: concat!("1024, double, ", $what),
                category: Category::Kernel,
                measure: |mode| gemm::<f64>(mode, stringify!($kernel), $per_item),
            },
        )*]
    };
}

/// The number before each description is the elements per work-item along each side.
pub const CASES: &[Case] = cases![
    (
        naive_gemm,
        "naive-sgemm",
        "naive-dgemm",
        1,
        "a work-item per element"
    ),
    (
        tiled_gemm,
        "tiled-sgemm",
        "tiled-dgemm",
        1,
        "tiles of 16 x 16 in local memory"
    ),
    (
        blocked_gemm,
        "blocked-sgemm",
        "blocked-dgemm",
        4,
        "4 x 4 in registers, tiles of 64 x 16"
    ),
    (
        async_gemm,
        "async-sgemm",
        "async-dgemm",
        2,
        "double-buffered by async copies, tiles of 32 x 32"
    ),
];

/// The element type of the matrices.
trait Real: Pod + From<i8> + Mul<Output = Self> + AddAssign + PartialEq {
    /// The type's name in OpenCL C.
    const NAME: &str;
    fn work(operations: f64) -> Work;
}

impl Real for f32 {
    const NAME: &str = "float";
    fn work(operations: f64) -> Work {
        Work::Float(operations)
    }
}

impl Real for f64 {
    const NAME: &str = "double";
    fn work(operations: f64) -> Work {
        Work::Double(operations)
    }
}

fn gemm<R: Real>(mode: Mode, name: &str, per_item: usize) -> Result<Measurement> {
    let size = mode.size(1024, 64);
    let session = Session::open()?;
    let options = format!("-Dreal={}", R::NAME);
    let kernel = session
        .program(source!("gemm.cl"), &options)?
        .kernel(name)?;
    // Small integers, so that every sum is exact in any order.
    let matrix = |seed: usize| -> Vec<R> {
        (0..size * size)
            .map(|i| R::from(((i * seed + i / size) % 7) as i8 - 3))
            .collect()
    };
    let (a, b) = (matrix(5), matrix(3));
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.unwritten::<R>(size * size)?;
    let arguments: [&dyn Argument; 4] = [&buffer_a, &buffer_b, &buffer_c, &(size as i32)];
    kernel.set(&arguments)?;
    let global = [size / per_item; 2];
    let time = mode.time(|| session.run(&kernel, &global, Some(&[16, 16])))?;
    let c = session.read(&buffer_c)?;
    for row in (0..size).step_by(mode.size(37, 1)) {
        let mut sums = vec![R::zeroed(); size];
        for (k, factor) in a[row * size..][..size].iter().enumerate() {
            for (sum, other) in sums.iter_mut().zip(&b[k * size..]) {
                *sum += *factor * *other;
            }
        }
        ensure!(sums == c[row * size..][..size], "wrong row {row}");
    }
    Ok(time.with_work(R::work(2.0 * (size as f64).powi(3))))
}
