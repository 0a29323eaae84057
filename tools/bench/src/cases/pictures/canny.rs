//! Edges of pictures, several kernels on the results of each other.

use super::{Case, Category, ensure_each, smooth_bytes, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "canny",
    what: "1024 x 1024 bytes, smoothing, gradients and steepest pixels, 3 launches",
    category: Category::Kernel,
    measure: canny,
}];

const THRESHOLD: i32 = 20;

fn canny(mode: Mode) -> Result<Measurement> {
    let size = mode.size(1024, 64);
    let session = Session::open()?;
    let program = session.program(source!("pictures/canny.cl"), "")?;
    let (smooth, gradient) = (program.kernel("smooth")?, program.kernel("gradient")?);
    let steepest = program.kernel("steepest")?;
    let picture = smooth_bytes(1, size, size);
    let (input, smoothed) = (session.buffer(&picture)?, session.buffer(&picture)?);
    let steepness = session.unwritten::<u16>(size * size)?;
    let directions = session.unwritten::<u8>(size * size)?;
    let edges = session.unwritten::<u8>(size * size)?;
    let side = size as i32;
    smooth.set(&[&input, &smoothed, &side, &side])?;
    gradient.set(&[&smoothed, &steepness, &directions, &side, &side])?;
    steepest.set(&[&steepness, &directions, &edges, &side, &side, &THRESHOLD])?;
    let time = mode.time(|| {
        for kernel in [&smooth, &gradient, &steepest] {
            session.enqueue(kernel, &[size, size], Some(&[16, 16]))?;
        }
        session.finish()
    })?;
    let expected = found(&gradients(&blurred(&picture, size), size), size);
    let share = expected.iter().filter(|edge| **edge > 0).count() * 100 / expected.len();
    ensure!(
        (1..50).contains(&share),
        "{share} % of the pixels are edges"
    );
    ensure_each(&session.read(&edges)?, 1, |i| expected[i])?;
    Ok(time)
}

fn blurred(picture: &[u8], size: usize) -> Vec<i32> {
    const HALF: [[i32; 5]; 3] = [[2, 4, 5, 4, 2], [4, 9, 12, 9, 4], [5, 12, 15, 12, 5]];
    let inner = 2..size - 2;
    (0..size * size)
        .map(|point| {
            let (x, y) = (point % size, point / size);
            if !inner.contains(&x) || !inner.contains(&y) {
                return i32::from(picture[point]);
            }
            let terms = (0..25).map(|i| {
                let weight = HALF[(i / 5).min(4 - i / 5)][i % 5];
                weight * i32::from(picture[(y + i / 5 - 2) * size + x + i % 5 - 2])
            });
            terms.sum::<i32>() / 159
        })
        .collect()
}

/// Steepness, and the offset of the next pixel in that direction.
fn gradients(picture: &[i32], size: usize) -> Vec<(i32, usize)> {
    let gradient = |point: usize| {
        let at = |dx: usize, dy: usize| {
            let clamped = |i: usize, d: usize| (i + d).saturating_sub(1).min(size - 1);
            picture[clamped(point / size, dy) * size + clamped(point % size, dx)]
        };
        let column = |dx: usize| at(dx, 0) + 2 * at(dx, 1) + at(dx, 2);
        let row = |dy: usize| at(0, dy) + 2 * at(1, dy) + at(2, dy);
        let (across, along) = (column(2) - column(0), row(2) - row(0));
        let step = match (across.abs(), along.abs()) {
            (flat, steep) if 12 * steep < 5 * flat => 1,
            (flat, steep) if 5 * steep > 12 * flat => size,
            _ if (across < 0) == (along < 0) => size + 1,
            _ => size - 1,
        };
        (across.abs() + along.abs(), step)
    };
    (0..size * size).map(gradient).collect()
}

fn found(gradients: &[(i32, usize)], size: usize) -> Vec<u8> {
    let inner = 1..size - 1;
    let is_edge = |point: usize| {
        let (here, step) = gradients[point];
        inner.contains(&(point % size))
            && inner.contains(&(point / size))
            && here > THRESHOLD
            && here >= gradients[point - step].0
            && here > gradients[point + step].0
    };
    (0..size * size)
        .map(|point| if is_edge(point) { 255 } else { 0 })
        .collect()
}
