//! The cases. Each checks its result, so that nobody is fast by being wrong.

use crate::opencl::{Argument, Session};
use crate::table::median;
use anyhow::{Result, ensure};
use std::time::Instant;

/// A case: what one process measures, nanoseconds.
pub struct Case {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is timed.
    pub what: &'static str,
    /// Measures.
    pub measure: fn() -> Result<f64>,
    /// What it measures is not the first time on this machine: a process before has
    /// left its caches.
    pub warm: bool,
}

/// All cases.
pub const ALL: &[Case] = &[
    Case {
        name: "vector-add",
        what: "16 Mi floats",
        measure: vector_add,
        warm: false,
    },
    Case {
        name: "tiled-gemm",
        what: "512, float, tiles of 16 in local memory",
        measure: || gemm(include_str!("../kernels/tiled_gemm.cl"), "tiled_gemm"),
        warm: false,
    },
    Case {
        name: "naive-gemm",
        what: "512, float",
        measure: || gemm(include_str!("../kernels/naive_gemm.cl"), "naive_gemm"),
        warm: false,
    },
    Case {
        name: "launch",
        what: "empty kernel, enqueue and finish",
        measure: launch,
        warm: false,
    },
    Case {
        name: "build",
        what: "cold: clBuildProgram to the end of the first launch",
        measure: || {
            // A source that no cache has seen.
            let time = std::time::SystemTime::now();
            build(&format!("// {time:?}\n{BUILD_SOURCE}"))
        },
        warm: false,
    },
    Case {
        name: "build-again",
        what: "the same in a second process, caches on",
        measure: || build(BUILD_SOURCE),
        warm: true,
    },
];

/// The median duration of `runs` calls after some that are not timed.
fn timed(runs: usize, mut call: impl FnMut() -> Result<()>) -> Result<f64> {
    for _ in 0..3 {
        call()?;
    }
    let mut samples = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        call()?;
        samples.push(start.elapsed().as_nanos() as f64);
    }
    Ok(median(&samples).unwrap_or(f64::NAN))
}

fn vector_add() -> Result<f64> {
    const COUNT: usize = 16 << 20;
    let session = Session::open()?;
    let kernel = session.kernel(include_str!("../kernels/vector_add.cl"), "vector_add")?;
    let a: Vec<f32> = (0..COUNT).map(|i| (i % 1000) as f32).collect();
    let b: Vec<f32> = (0..COUNT).map(|i| (i % 77) as f32).collect();
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.buffer(&vec![0.0; COUNT])?;
    session.set(
        kernel,
        &[&buffer_a, &buffer_b, &buffer_c].map(Argument::Buffer),
    )?;
    let time = timed(15, || session.run(kernel, &[COUNT], None))?;
    let c = session.read(buffer_c, COUNT)?;
    ensure!((0..COUNT).all(|i| c[i] == a[i] + b[i]), "wrong sums");
    Ok(time)
}

fn gemm(source: &str, name: &str) -> Result<f64> {
    const SIZE: usize = 512;
    let session = Session::open()?;
    let kernel = session.kernel(source, name)?;
    // Small integers, so that every sum is exact in any order.
    let matrix = |seed: usize| -> Vec<f32> {
        (0..SIZE * SIZE)
            .map(|i| ((i * seed + i / SIZE) % 7) as f32 - 3.0)
            .collect()
    };
    let (a, b) = (matrix(5), matrix(3));
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.buffer(&vec![0.0; SIZE * SIZE])?;
    let mut arguments: Vec<Argument<'_>> = [&buffer_a, &buffer_b, &buffer_c]
        .map(Argument::Buffer)
        .into();
    arguments.push(Argument::Int(SIZE as i32));
    session.set(kernel, &arguments)?;
    let time = timed(9, || session.run(kernel, &[SIZE, SIZE], Some(&[16, 16])))?;
    let c = session.read(buffer_c, SIZE * SIZE)?;
    for row in (0..SIZE).step_by(37) {
        for column in 0..SIZE {
            let sum: f32 = (0..SIZE)
                .map(|k| a[row * SIZE + k] * b[k * SIZE + column])
                .sum();
            ensure!(
                c[row * SIZE + column] == sum,
                "wrong element {row}, {column}"
            );
        }
    }
    Ok(time)
}

fn launch() -> Result<f64> {
    let session = Session::open()?;
    let kernel = session.kernel(include_str!("../kernels/empty.cl"), "empty")?;
    let buffer = session.buffer(&[0.0])?;
    session.set(kernel, &[Argument::Buffer(&buffer)])?;
    timed(5000, || session.run(kernel, &[1], Some(&[1])))
}

const BUILD_SOURCE: &str = include_str!("../kernels/vector_add.cl");

fn build(source: &str) -> Result<f64> {
    const COUNT: usize = 1024;
    let session = Session::open()?;
    let ones = vec![1.0; COUNT];
    let buffers = [
        session.buffer(&ones)?,
        session.buffer(&ones)?,
        session.buffer(&ones)?,
    ];
    let start = Instant::now();
    let kernel = session.kernel(source, "vector_add")?;
    session.set(kernel, &buffers.each_ref().map(Argument::Buffer))?;
    session.run(kernel, &[COUNT], Some(&[64]))?;
    let time = start.elapsed().as_nanos() as f64;
    let sums = session.read(buffers[2], COUNT)?;
    ensure!(sums.iter().all(|sum| *sum == 2.0), "wrong sums");
    Ok(time)
}
