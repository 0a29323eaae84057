//! Bounded loops that some work-items leave early.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "escape-time",
    what: "a Julia set of 1024 x 1024, at most 256 steps, break inside the loop",
    category: Category::Kernel,
    measure: escape_time,
}];

const C: [f32; 2] = [-0.8, 0.156];
const LIMIT: i32 = 256;

fn escape_time(mode: Mode) -> Result<Measurement> {
    let size = mode.size(1024, 64);
    let (start, pixel) = (-1.5f32, 3.0 / size as f32);
    let session = Session::open()?;
    let kernel = session.kernel(source!("numbers/escape_time.cl"), "escape_time")?;
    let steps = session.unwritten::<i32>(size * size)?;
    kernel.set(&[&steps, &C[0], &C[1], &start, &pixel, &LIMIT])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], Some(&[16, 16])))?;
    let steps = session.read(&steps)?;
    let sampled = (0..size * size).step_by(7);
    let at = |i: usize| f64::from(start) + i as f64 * f64::from(pixel);
    let right = sampled
        .clone()
        .filter(|i| steps[*i] == escape(at(i % size), at(i / size)))
        .count();
    // Rounding changes the steps of points near the border: floats and doubles may differ.
    ensure!(
        right * 100 >= sampled.len() * 97,
        "{right} points of {} are right",
        sampled.len()
    );
    Ok(time)
}

fn escape(mut x: f64, mut y: f64) -> i32 {
    let [cx, cy] = C.map(f64::from);
    for n in 0..LIMIT {
        if x * x + y * y > 4.0 {
            return n;
        }
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
    }
    LIMIT
}
