//! What launches cost by themselves.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::table::median;
use crate::timing::{Measurement, Mode};
use anyhow::Result;
use std::time::Instant;

pub const CASES: &[Case] = &[Case {
    name: "launch",
    what: "empty kernel, enqueue and finish",
    category: Category::Launch,
    measure: launch,
}];

fn launch(mode: Mode) -> Result<Measurement> {
    let session = Session::open()?;
    let kernel = session.kernel(source!("empty.cl"), "empty")?;
    let buffer = session.buffer(&[0.0f32])?;
    kernel.set(&[&buffer])?;
    let mut samples = Vec::new();
    for _ in 0..mode.size(5000, 10) {
        let start = Instant::now();
        session.run(&kernel, &[1], Some(&[1]))?;
        samples.push(start.elapsed().as_nanos() as f64);
    }
    Ok(Measurement::time(median(&samples).unwrap_or(f64::NAN)))
}
