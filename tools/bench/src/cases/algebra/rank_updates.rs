//! Symmetric updates of matrices.

use super::{Case, Category, ensure_each, integers, source};
use crate::opencl::{Argument, Session};
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "syr2k",
        what: "512 x 512 floats, two matrices by their rows, 32 x 8",
        category: Category::Kernel,
        measure: |mode| update(mode, "syr2k", 2),
    },
    Case {
        name: "syrk",
        what: "512 x 512 floats, one matrix by its rows, summed in global memory, 32 x 8",
        category: Category::Kernel,
        measure: |mode| update(mode, "syrk", 1),
    },
];

fn update(mode: Mode, name: &str, matrices: usize) -> Result<Measurement> {
    const ALPHA: f32 = 2.0;
    const BETA: f32 = 3.0;
    let size = mode.size(512, 64);
    let session = Session::open()?;
    let kernel = session.kernel(source!("algebra/rank_updates.cl"), name)?;
    let [a, b, c] = [1, 2, 3].map(|seed| integers(seed, size * size));
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let buffer_c = session.unwritten::<f32>(size * size)?;
    let side = size as i32;
    let all: [&dyn Argument; 7] = [&buffer_b, &buffer_a, &buffer_c, &ALPHA, &BETA, &side, &side];
    kernel.set(&all[2 - matrices..])?;
    let time = mode.time_after(
        || session.write(&buffer_c, &c),
        || session.run(&kernel, &[size, size], Some(&[32, 8])),
    )?;
    let dot = |x: &[f32], i: usize, y: &[f32], j: usize| -> f32 {
        let pairs = x[i * size..][..size].iter().zip(&y[j * size..]);
        pairs.map(|(x, y)| x * y).sum()
    };
    ensure_each(&session.read(&buffer_c)?, mode.size(41, 1), |element| {
        let (i, j) = (element / size, element % size);
        let sum = match matrices {
            1 => dot(&a, i, &a, j),
            _ => dot(&a, i, &b, j) + dot(&b, i, &a, j),
        };
        ALPHA * sum + BETA * c[element]
    })?;
    let operations = 2.0 * matrices as f64 * (size as f64).powi(3);
    Ok(time.with_work(Work::Float(operations)))
}
