//! From source to the end of the first launch.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use std::time::{Instant, SystemTime};

pub const CASES: &[Case] = &[
    Case {
        name: "build",
        what: "cold: clBuildProgram to the end of the first launch",
        category: Category::ColdBuild,
        measure: |_| {
            // A source that no cache has seen.
            let time = SystemTime::now();
            build(&format!("// {time:?}\n{SMALL}"))
        },
    },
    Case {
        name: "build-again",
        what: "the same in a second process, caches on",
        category: Category::CachedBuild,
        measure: |_: Mode| build(SMALL),
    },
];

const SMALL: &str = source!("small.cl");

fn build(source: &str) -> Result<Measurement> {
    const COUNT: usize = 1024;
    let session = Session::open()?;
    let ones = session.buffer(&[1.0f32; COUNT])?;
    let sums = session.buffer(&[0.0f32; COUNT])?;
    let start = Instant::now();
    let kernel = session.kernel(source, "add")?;
    kernel.set(&[&ones, &ones, &sums])?;
    session.run(&kernel, &[COUNT], Some(&[64]))?;
    let time = start.elapsed().as_nanos() as f64;
    let sums = session.read(&sums)?;
    ensure!(sums.iter().all(|sum| *sum == 2.0), "wrong sums");
    Ok(Measurement::time(time))
}
