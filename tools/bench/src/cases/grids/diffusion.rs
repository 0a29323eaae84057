//! Neighbours by arrays of indices.

use super::{Case, Category, ensure_each_close, floats, source};
use crate::opencl::{Argument, Kernel, Session};
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[Case {
    name: "srad",
    what: "1024 x 1024 floats, neighbours by index arrays, 2 steps of 2 launches",
    category: Category::Kernel,
    measure: srad,
}];

const STEPS: usize = 2;
const SPECKLE: f32 = 0.05;
const RATE: f32 = 0.5;

fn srad(mode: Mode) -> Result<Measurement> {
    let n = mode.size(1024, 64);
    let session = Session::open()?;
    let program = session.program(source!("grids/diffusion.cl"), "")?;
    let (coefficients, diffuse) = (program.kernel("coefficients")?, program.kernel("diffuse")?);
    let start = floats(1, n * n, 1.0..2.0);
    let image = session.buffer(&start)?;
    let before: Vec<i32> = (0..n as i32).map(|i| (i - 1).max(0)).collect();
    let after: Vec<i32> = (1..=n as i32).map(|i| i.min(n as i32 - 1)).collect();
    let [above, left] = [session.buffer(&before)?, session.buffer(&before)?];
    let [below, right] = [session.buffer(&after)?, session.buffer(&after)?];
    // The differences in four directions, and the coefficients.
    let between = (0..5)
        .map(|_| session.unwritten::<f32>(n * n))
        .collect::<Result<Vec<_>>>()?;
    let shared = |indices: &[&dyn Argument], last: &f32, kernel: &Kernel| {
        let (columns, points) = (n as i32, (n * n) as i32);
        let mut arguments: Vec<&dyn Argument> = vec![&image];
        arguments.extend(between.iter().map(|buffer| buffer as &dyn Argument));
        arguments.extend(indices);
        arguments.extend([&columns as &dyn Argument, &points, last]);
        kernel.set(&arguments)
    };
    shared(&[&above, &below, &left, &right], &SPECKLE, &coefficients)?;
    shared(&[&below, &right], &RATE, &diffuse)?;
    let time = mode.time_after(
        || session.write(&image, &start),
        || {
            for _ in 0..STEPS {
                session.enqueue(&coefficients, &[n * n], Some(&[256]))?;
                session.enqueue(&diffuse, &[n * n], Some(&[256]))?;
            }
            session.finish()
        },
    )?;
    let mut expected: Vec<f64> = start.iter().map(|x| f64::from(*x)).collect();
    for _ in 0..STEPS {
        expected = diffused(&expected, n);
    }
    ensure_each_close(&session.read(&image)?, 1, (1.0, 1e-4), |i| expected[i])?;
    Ok(time)
}

fn diffused(image: &[f64], n: usize) -> Vec<f64> {
    let (speckle, rate) = (f64::from(SPECKLE), f64::from(RATE));
    let neighbours = |point: usize| {
        let (row, column) = (point / n, point % n);
        [
            row.saturating_sub(1) * n + column,
            (row + 1).min(n - 1) * n + column,
            row * n + column.saturating_sub(1),
            row * n + (column + 1).min(n - 1),
        ]
    };
    let differences = |point: usize| neighbours(point).map(|other| image[other] - image[point]);
    let flow: Vec<f64> = (0..n * n)
        .map(|point| {
            let all = differences(point);
            let gradient = all.iter().map(|d| d * d).sum::<f64>() / image[point].powi(2);
            let laplacian = all.iter().sum::<f64>() / image[point];
            let variation =
                (0.5 * gradient - laplacian * laplacian / 16.0) / (1.0 + 0.25 * laplacian).powi(2);
            let excess = (variation - speckle) / (speckle * (1.0 + speckle));
            (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
        })
        .collect();
    (0..n * n)
        .map(|point| {
            let [_, south, _, east] = neighbours(point);
            let along = [point, south, point, east].map(|other| flow[other]);
            let flows = differences(point).into_iter().zip(along);
            image[point] + 0.25 * rate * flows.map(|(d, flow)| d * flow).sum::<f64>()
        })
        .collect()
}
