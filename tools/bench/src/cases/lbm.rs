//! Fluids by the lattice Boltzmann method.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[Case {
    name: "lbm",
    what: "D2Q9, 1024 x 1024 floats, 4 steps",
    category: Category::Kernel,
    measure: lbm,
}];

/// Directions with their weights.
const DIRECTIONS: [(isize, isize, f64); 9] = [
    (0, 0, 4.0 / 9.0),
    (1, 0, 1.0 / 9.0),
    (0, 1, 1.0 / 9.0),
    (-1, 0, 1.0 / 9.0),
    (0, -1, 1.0 / 9.0),
    (1, 1, 1.0 / 36.0),
    (-1, 1, 1.0 / 36.0),
    (-1, -1, 1.0 / 36.0),
    (1, -1, 1.0 / 36.0),
];
const RATE: f32 = 1.2;

fn lbm(mode: Mode) -> Result<Measurement> {
    let size = mode.size(1024, 64);
    let session = Session::open()?;
    let program = session.program(source!("lbm.cl"), "")?;
    let (there, back) = (program.kernel("lbm")?, program.kernel("lbm")?);
    let start = floats(1, 9 * size * size, 0.05..0.15);
    let (a, b) = (session.buffer(&start)?, session.buffer(&start)?);
    there.set(&[&a, &b, &(size as i32), &(size as i32), &RATE])?;
    back.set(&[&b, &a, &(size as i32), &(size as i32), &RATE])?;
    let step = |kernel| session.enqueue(kernel, &[size, size], Some(&[64, 1]));
    let time = mode.time(|| {
        for _ in 0..2 {
            step(&there)?;
            step(&back)?;
        }
        session.finish()
    })?;
    // One step from a known state.
    session.write(&a, &start)?;
    step(&there)?;
    let result = session.read(&b)?;
    for cell in (0..size * size).step_by(101) {
        for (i, expected) in stepped(&start, size, cell).into_iter().enumerate() {
            ensure_close(result[i * size * size + cell], expected, 0.1, 1e-5)?;
        }
    }
    Ok(time)
}

/// The populations of a cell after one step.
fn stepped(state: &[f32], size: usize, cell: usize) -> [f64; 9] {
    let neighbour = |position: usize, d: isize| (position + size).wrapping_add_signed(-d) % size;
    let f: [f64; 9] = std::array::from_fn(|i| {
        let (dx, dy, _) = DIRECTIONS[i];
        let source = neighbour(cell / size, dy) * size + neighbour(cell % size, dx);
        f64::from(state[i * size * size + source])
    });
    let sum = |weight: fn(&(isize, isize, f64)) -> f64| -> f64 {
        DIRECTIONS.iter().zip(f).map(|(d, f)| weight(d) * f).sum()
    };
    let density = sum(|_| 1.0);
    let (ux, uy) = (sum(|d| d.0 as f64) / density, sum(|d| d.1 as f64) / density);
    std::array::from_fn(|i| {
        let (dx, dy, weight) = DIRECTIONS[i];
        let along = 3.0 * (dx as f64 * ux + dy as f64 * uy);
        let square = 1.5 * (ux * ux + uy * uy);
        let rest = weight * density * (1.0 + along + 0.5 * along * along - square);
        f[i] + f64::from(RATE) * (rest - f[i])
    })
}
