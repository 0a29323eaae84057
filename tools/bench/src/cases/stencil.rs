//! Grids whose points depend on their neighbours.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "stencil-2d",
        what: "4096 x 4096 floats, 5 points, 16 x 16 with halo in local memory",
        category: Category::Kernel,
        measure: stencil_2d,
    },
    Case {
        name: "stencil-3d",
        what: "256 x 256 x 256 floats, 7 points, 16 x 4 x 4 with halo in local memory",
        category: Category::Kernel,
        measure: stencil_3d,
    },
];

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

fn stencil_3d(mode: Mode) -> Result<Measurement> {
    let size = mode.size(256, 32);
    let session = Session::open()?;
    let kernel = session.kernel(source!("stencil.cl"), "stencil_3d")?;
    let input: Vec<f32> = (0..size * size * size)
        .map(|i| ((i * i) % 1013) as f32)
        .collect();
    let buffer = session.buffer(&input)?;
    let output = session.unwritten::<f32>(input.len())?;
    let side = size as i32;
    kernel.set(&[&buffer, &output, &side, &side, &side])?;
    let time = mode.time(|| session.run(&kernel, &[size; 3], Some(&[16, 4, 4])))?;
    let output = session.read(&output)?;
    let last = size - 1;
    let at = |x: usize, y: usize, z: usize| {
        input[(z.min(last) * size + y.min(last)) * size + x.min(last)]
    };
    for z in (0..size).step_by(5) {
        for y in 0..size {
            for x in 0..size {
                let sum = at(x.saturating_sub(1), y, z)
                    + at(x + 1, y, z)
                    + at(x, y.saturating_sub(1), z)
                    + at(x, y + 1, z)
                    + at(x, y, z.saturating_sub(1))
                    + at(x, y, z + 1);
                let expected = 0.25 * at(x, y, z) + 0.125 * sum;
                let result = output[(z * size + y) * size + x];
                ensure!(result == expected, "wrong point {x}, {y}, {z}");
            }
        }
    }
    Ok(time)
}
