//! Matrix transposition.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "transpose-naive",
        what: "4096 x 4096 floats, groups of 16 x 16",
        category: Category::Kernel,
        measure: |mode| transpose(mode, "transpose_naive"),
    },
    Case {
        name: "transpose-tiled",
        what: "4096 x 4096 floats, tiles of 16 x 16 in local memory",
        category: Category::Kernel,
        measure: |mode| transpose(mode, "transpose_tiled"),
    },
];

fn transpose(mode: Mode, name: &str) -> Result<Measurement> {
    let (width, height) = mode.size((4096, 4096), (128, 64));
    let session = Session::open()?;
    let kernel = session.kernel(source!("transpose.cl"), name)?;
    let input: Vec<f32> = (0..width * height).map(|i| i as f32).collect();
    let output = session.unwritten::<f32>(input.len())?;
    let buffer = session.buffer(&input)?;
    kernel.set(&[&buffer, &output, &(width as i32), &(height as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[width, height], Some(&[16, 16])))?;
    let output = session.read(&output)?;
    for x in (0..width).step_by(7) {
        let column = (0..height).map(|y| input[y * width + x]);
        let row = &output[x * height..][..height];
        ensure!(column.eq(row.iter().copied()), "wrong row {x}");
    }
    Ok(time)
}
