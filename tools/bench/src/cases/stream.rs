//! Memory bandwidth.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "copy",
        what: "c = a, 2 x 64 MB, local size left to the platform",
        category: Category::Kernel,
        measure: |mode| stream(mode, "copy", 2, |a, _| a),
    },
    Case {
        name: "add",
        what: "c = a + b, 3 x 64 MB, local size left to the platform",
        category: Category::Kernel,
        measure: |mode| stream(mode, "add", 3, |a, b| a + b),
    },
    Case {
        name: "triad",
        what: "c = a + 3 b, 3 x 64 MB, local size left to the platform",
        category: Category::Kernel,
        measure: |mode| stream(mode, "triad", 3, |a, b| a + 3.0 * b),
    },
];

fn stream(mode: Mode, name: &str, arrays: usize, f: fn(f32, f32) -> f32) -> Result<Measurement> {
    let count = mode.size(16 << 20, 1 << 16);
    let session = Session::open()?;
    let kernel = session.kernel(source!("stream.cl"), name)?;
    // Small integers: exact, with or without FMA.
    let a: Vec<f32> = (0..count).map(|i| (i % 1000) as f32).collect();
    let b: Vec<f32> = (0..count).map(|i| (i % 77) as f32).collect();
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.unwritten::<f32>(count)?;
    kernel.set(&[&buffer_a, &buffer_b, &buffer_c])?;
    let time = mode.time(|| session.run(&kernel, &[count], None))?;
    let c = session.read(&buffer_c)?;
    ensure!((0..count).all(|i| c[i] == f(a[i], b[i])), "wrong elements");
    Ok(time.with_work(Work::Bytes((arrays * count * size_of::<f32>()) as f64)))
}
