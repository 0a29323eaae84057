//! Many values into few.

use super::{Case, Category, source};
use crate::opencl::{Local, Session};
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "reduction",
        what: "16 Mi floats, trees with barriers in groups of 256",
        category: Category::Kernel,
        measure: reduction,
    },
    Case {
        name: "histogram",
        what: "16 Mi bytes, local atomics",
        category: Category::Kernel,
        measure: histogram,
    },
];

const GROUP: usize = 256;

fn reduction(mode: Mode) -> Result<Measurement> {
    let count = mode.size(16 << 20, 1 << 14);
    let session = Session::open()?;
    let kernel = session.kernel(source!("reduction.cl"), "reduction")?;
    // Integers, so that the sums are exact in any order.
    let values: Vec<f32> = (0..count).map(|i| ((i * i) % 1013) as f32).collect();
    let buffer = session.buffer(&values)?;
    let sums = session.unwritten::<f32>(count / (2 * GROUP))?;
    kernel.set(&[&buffer, &sums, &Local::of::<f32>(GROUP)])?;
    let time = mode.time(|| session.run(&kernel, &[count / 2], Some(&[GROUP])))?;
    let sums = session.read(&sums)?;
    let mut parts = values.chunks(2 * GROUP).zip(sums);
    ensure!(
        parts.all(|(values, sum)| values.iter().sum::<f32>() == sum),
        "wrong sums"
    );
    Ok(time)
}

fn histogram(mode: Mode) -> Result<Measurement> {
    const PER_ITEM: usize = 64;
    let count = mode.size(16 << 20, 1 << 16);
    let session = Session::open()?;
    let kernel = session.kernel(source!("histogram.cl"), "histogram")?;
    let mut values = vec![0u8; count];
    fastrand::Rng::with_seed(1).fill(&mut values);
    let buffer = session.buffer(&values)?;
    let counts = session.unwritten::<u32>(256)?;
    kernel.set(&[&buffer, &counts, &(PER_ITEM as u32)])?;
    let time = mode.time_after(
        || session.write(&counts, &[0; 256]),
        || session.run(&kernel, &[count / PER_ITEM], Some(&[GROUP])),
    )?;
    let mut expected = vec![0u32; 256];
    for value in values {
        expected[usize::from(value)] += 1;
    }
    ensure!(session.read(&counts)? == expected, "wrong counts");
    Ok(time)
}
