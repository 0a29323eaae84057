//! Elements at constant strides other than one.

use super::{Case, Category, ensure_each, integers, source};
use crate::opencl::{Argument, Session};
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "reverse",
        what: "8 Mi floats in reverse order",
        category: Category::Kernel,
        measure: reverse,
    },
    Case {
        name: "stride-2-deinterleave",
        what: "4 Mi complex floats to two arrays",
        category: Category::Kernel,
        measure: |mode| deinterleave(mode, "deinterleave_2", 2),
    },
    Case {
        name: "stride-3-deinterleave",
        what: "4 Mi points of three floats to three arrays",
        category: Category::Kernel,
        measure: |mode| deinterleave(mode, "deinterleave_3", 3),
    },
    Case {
        name: "stride-3-interleave",
        what: "three arrays to 4 Mi points of three floats",
        category: Category::Kernel,
        measure: interleave,
    },
];

const SOURCE: &str = source!("memory/strides.cl");
const GROUP: usize = 256;

fn reverse(mode: Mode) -> Result<Measurement> {
    let count = mode.size(8 << 20, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "reverse")?;
    let input = integers(1, count);
    let (buffer, output) = (session.buffer(&input)?, session.unwritten::<f32>(count)?);
    kernel.set(&[&buffer, &output, &(count as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[GROUP])))?;
    ensure_each(&session.read(&output)?, 1, |i| input[count - 1 - i])?;
    Ok(time.with_work(Work::Bytes((2 * count * size_of::<f32>()) as f64)))
}

fn deinterleave(mode: Mode, name: &str, parts: usize) -> Result<Measurement> {
    let count = mode.size(4 << 20, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, name)?;
    let input = integers(1, parts * count);
    let buffer = session.buffer(&input)?;
    let outputs = (0..parts)
        .map(|_| session.unwritten::<f32>(count))
        .collect::<Result<Vec<_>>>()?;
    let mut arguments: Vec<&dyn Argument> = vec![&buffer];
    arguments.extend(outputs.iter().map(|output| output as &dyn Argument));
    kernel.set(&arguments)?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[GROUP])))?;
    for (part, output) in outputs.iter().enumerate() {
        ensure_each(&session.read(output)?, 1, |i| input[parts * i + part])?;
    }
    Ok(time.with_work(Work::Bytes((2 * parts * count * size_of::<f32>()) as f64)))
}

fn interleave(mode: Mode) -> Result<Measurement> {
    let count = mode.size(4 << 20, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "interleave_3")?;
    let inputs = [1, 2, 3].map(|seed| integers(seed, count));
    let [x, y, z] = &inputs;
    let (x, y, z) = (session.buffer(x)?, session.buffer(y)?, session.buffer(z)?);
    let points = session.unwritten::<f32>(3 * count)?;
    kernel.set(&[&x, &y, &z, &points])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[GROUP])))?;
    ensure_each(&session.read(&points)?, 1, |i| inputs[i % 3][i / 3])?;
    Ok(time.with_work(Work::Bytes((6 * count * size_of::<f32>()) as f64)))
}
