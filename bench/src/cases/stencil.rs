//! Grids whose points depend on their neighbours.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "stencil-2d",
    what: "4096 x 4096 floats, 5 points, 16 x 16 with halo in local memory",
    category: Category::Kernel,
    measure: stencil_2d,
}];

fn stencil_2d(mode: Mode) -> Result<Measurement> {
    let size = mode.size(4096, 64);
    let session = Session::open()?;
    let kernel = session.kernel(source!("stencil.cl"), "stencil_2d")?;
    // Integers and powers of two, so that the results are exact.
    let input: Vec<f32> = (0..size * size).map(|i| ((i * i) % 1013) as f32).collect();
    let buffer = session.buffer(&input)?;
    let output = session.unwritten::<f32>(size * size)?;
    kernel.set(&[&buffer, &output, &(size as i32), &(size as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    let output = session.read(&output)?;
    let at = |x: usize, y: usize| input[y.min(size - 1) * size + x.min(size - 1)];
    for y in (0..size).step_by(3) {
        for x in 0..size {
            let sum = at(x.saturating_sub(1), y)
                + at(x + 1, y)
                + at(x, y.saturating_sub(1))
                + at(x, y + 1);
            let expected = 0.5 * at(x, y) + 0.125 * sum;
            ensure!(output[y * size + x] == expected, "wrong point {x}, {y}");
        }
    }
    Ok(time)
}
