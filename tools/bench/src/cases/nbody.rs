//! Gravity among all pairs of bodies.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::{Argument, Local, Session};
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "nbody-global",
        what: "16384 bodies in float4",
        category: Category::Kernel,
        measure: |mode| nbody(mode, "nbody_global", false),
    },
    Case {
        name: "nbody-local",
        what: "16384 bodies in float4, tiles of 256 in local memory",
        category: Category::Kernel,
        measure: |mode| nbody(mode, "nbody_local", true),
    },
];

/// Floating-point operations per pair, by the usual count.
const OPERATIONS: f64 = 20.0;

fn nbody(mode: Mode, name: &str, with_tile: bool) -> Result<Measurement> {
    const GROUP: usize = 256;
    let count = mode.size(16384, 1024);
    let session = Session::open()?;
    let kernel = session.kernel(source!("nbody.cl"), name)?;
    let bodies: Vec<[f32; 4]> = floats(1, 4 * count, -1.0..1.0)
        .chunks_exact(4)
        .map(|c| [c[0], c[1], c[2], c[3].abs()])
        .collect();
    let buffer = session.buffer(&bodies)?;
    let accelerations = session.unwritten::<[f32; 4]>(count)?;
    let number = count as i32;
    let tile = Local::new::<[f32; 4]>(GROUP);
    let mut arguments: Vec<&dyn Argument> = vec![&buffer, &accelerations, &number];
    if with_tile {
        arguments.push(&tile);
    }
    kernel.set(&arguments)?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[GROUP])))?;
    let accelerations = session.read(&accelerations)?;
    for i in (0..count).step_by(count / 64 + 1) {
        let mut sums = [0.0f64; 3];
        for other in &bodies {
            let r = [0, 1, 2].map(|c| f64::from(other[c]) - f64::from(bodies[i][c]));
            let d2 = r.iter().map(|r| r * r).sum::<f64>() + 0.01;
            for (sum, r) in sums.iter_mut().zip(r) {
                *sum += r * f64::from(other[3]) / (d2 * d2.sqrt());
            }
        }
        for (c, sum) in sums.into_iter().enumerate() {
            // Sums of thousands of terms of both signs and of magnitude 1.
            ensure_close(accelerations[i][c], sum, 1.0, 1e-3)?;
        }
    }
    Ok(time.with_work(Work::Float(OPERATIONS * (count * count) as f64)))
}
