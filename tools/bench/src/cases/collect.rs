//! Reductions and histograms.

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
    Case {
        name: "dot-product",
        what: "16 Mi ints, all of a group to one local atomic",
        category: Category::Kernel,
        measure: dot_product,
    },
    Case {
        name: "compaction",
        what: "4 Mi ints, half of them kept, places by atomic_inc",
        category: Category::Kernel,
        measure: compaction,
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
    kernel.set(&[&buffer, &sums, &Local::new::<f32>(GROUP)])?;
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

fn dot_product(mode: Mode) -> Result<Measurement> {
    let count = mode.size(16 << 20, 1 << 14);
    let session = Session::open()?;
    let kernel = session.kernel(source!("dot_product.cl"), "dot_product")?;
    let mut random = fastrand::Rng::with_seed(2);
    let [a, b] = [(); 2].map(|()| -> Vec<i32> { (0..count).map(|_| random.i32(..)).collect() });
    let buffers = [session.buffer(&a)?, session.buffer(&b)?];
    let result = session.unwritten::<i32>(1)?;
    kernel.set(&[&buffers[0], &buffers[1], &result])?;
    let time = mode.time_after(
        || session.write(&result, &[0]),
        || session.run(&kernel, &[count], Some(&[GROUP])),
    )?;
    let expected = a
        .iter()
        .zip(&b)
        .fold(0i32, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
    ensure!(session.read(&result)? == [expected], "wrong product");
    Ok(time)
}

fn compaction(mode: Mode) -> Result<Measurement> {
    let count = mode.size(4 << 20, 1 << 14);
    let session = Session::open()?;
    let kernel = session.kernel(source!("compaction.cl"), "compaction")?;
    let mut random = fastrand::Rng::with_seed(3);
    let values: Vec<i32> = (0..count).map(|_| random.i32(..)).collect();
    let buffer = session.buffer(&values)?;
    let kept = session.unwritten::<i32>(count)?;
    let number = session.unwritten::<i32>(1)?;
    kernel.set(&[&buffer, &kept, &number, &0i32])?;
    let time = mode.time_after(
        || session.write(&number, &[0]),
        || session.run(&kernel, &[count], Some(&[GROUP])),
    )?;
    let mut expected: Vec<i32> = values.into_iter().filter(|value| *value > 0).collect();
    ensure!(
        session.read(&number)? == [expected.len() as i32],
        "wrong number"
    );
    let mut kept = session.read(&kept)?;
    kept.truncate(expected.len());
    kept.sort_unstable();
    expected.sort_unstable();
    ensure!(kept == expected, "wrong values");
    Ok(time)
}
