//! Loops of a fixed number of work-items over all elements.

use super::{Case, Category, ensure_each, integers, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "grid-stride-saxpy",
        what: "y = a x + y, 2 x 32 MB, 64 groups of 256",
        category: Category::Kernel,
        measure: saxpy,
    },
    Case {
        name: "grid-stride-reduction",
        what: "16 Mi floats, 64 groups of 256, tree in local memory",
        category: Category::Kernel,
        measure: reduction,
    },
    Case {
        name: "grid-stride-histogram",
        what: "16 MiB in 256 bins of local memory, 64 groups of 256",
        category: Category::Kernel,
        measure: histogram,
    },
    Case {
        name: "grid-stride-dot-int",
        what: "8 Mi pairs of ints, 64 groups of 256, one atomic sum",
        category: Category::Kernel,
        measure: dot_int,
    },
];

const SOURCE: &str = source!("memory/grid_stride.cl");
const GROUPS: usize = 64;
const GROUP: usize = 256;

fn saxpy(mode: Mode) -> Result<Measurement> {
    // Not a multiple of the work-items.
    let count = mode.size((8 << 20) + 100, (1 << 15) + 100);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "saxpy")?;
    let (x, y) = (integers(1, count), integers(2, count));
    let (buffer_x, buffer_y) = (session.buffer(&x)?, session.buffer(&y)?);
    kernel.set(&[&3.0f32, &buffer_x, &buffer_y, &(count as i32)])?;
    let time = mode.time_after(
        || session.write(&buffer_y, &y),
        || session.run(&kernel, &[GROUPS * GROUP], Some(&[GROUP])),
    )?;
    ensure_each(&session.read(&buffer_y)?, 1, |i| 3.0 * x[i] + y[i])?;
    Ok(time.with_work(Work::Bytes((3 * count * size_of::<f32>()) as f64)))
}

fn reduction(mode: Mode) -> Result<Measurement> {
    let count = mode.size(16 << 20, (1 << 15) + 100);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "reduction")?;
    let values = integers(1, count);
    let buffer = session.buffer(&values)?;
    let sums = session.unwritten::<f32>(GROUPS)?;
    kernel.set(&[&buffer, &sums, &(count as u32)])?;
    let time = mode.time(|| session.run(&kernel, &[GROUPS * GROUP], Some(&[GROUP])))?;
    let mut expected = vec![0.0f32; GROUPS];
    for (chunk, group) in values.chunks(GROUP).zip((0..GROUPS).cycle()) {
        expected[group] += chunk.iter().sum::<f32>();
    }
    ensure!(session.read(&sums)? == expected, "wrong sums");
    Ok(time.with_work(Work::Bytes((count * size_of::<f32>()) as f64)))
}

fn histogram(mode: Mode) -> Result<Measurement> {
    let count = mode.size(16 << 20, (1 << 15) + 100);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "histogram")?;
    let mut bytes = vec![0u8; count];
    fastrand::Rng::with_seed(1).fill(&mut bytes);
    let buffer = session.buffer(&bytes)?;
    let counts = session.unwritten::<u32>(256)?;
    kernel.set(&[&buffer, &counts, &(count as u32)])?;
    let time = mode.time_after(
        || session.write(&counts, &[0; 256]),
        || session.run(&kernel, &[GROUPS * GROUP], Some(&[GROUP])),
    )?;
    let mut expected = vec![0u32; 256];
    for byte in bytes {
        expected[usize::from(byte)] += 1;
    }
    ensure!(session.read(&counts)? == expected, "wrong counts");
    Ok(time)
}

fn dot_int(mode: Mode) -> Result<Measurement> {
    let count = mode.size(8 << 20, (1 << 15) + 100);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "dot_int")?;
    let mut random = fastrand::Rng::with_seed(1);
    let [a, b] = [(); 2].map(|()| -> Vec<i32> { (0..count).map(|_| random.i32(..)).collect() });
    let (buffer_a, buffer_b) = (session.buffer(&a)?, session.buffer(&b)?);
    let product = session.unwritten::<i32>(1)?;
    kernel.set(&[&buffer_a, &buffer_b, &product, &(count as i32)])?;
    let time = mode.time_after(
        || session.write(&product, &[0]),
        || session.run(&kernel, &[GROUPS * GROUP], Some(&[GROUP])),
    )?;
    let expected = a
        .iter()
        .zip(&b)
        .fold(0i32, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
    ensure!(session.read(&product)? == [expected], "wrong product");
    Ok(time.with_work(Work::Bytes((2 * count * size_of::<i32>()) as f64)))
}
