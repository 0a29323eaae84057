//! The cost of launches themselves.

use super::{Case, Category, source};
use crate::opencl::{Buffer, Kernel, Session};
use crate::statistics::median;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};
use std::time::Instant;

pub const CASES: &[Case] = &[
    Case {
        name: "launch",
        what: "empty kernel, enqueue and finish",
        category: Category::Launch,
        measure: launch,
    },
    Case {
        name: "launches-one-by-one",
        what: "10,000 times an empty kernel and clFinish",
        category: Category::Launch,
        measure: |mode| empty(mode, one_by_one),
    },
    Case {
        name: "launches-chained",
        what: "10,000 times an empty kernel, in order, then clFinish",
        category: Category::Launch,
        measure: |mode| empty(mode, chained),
    },
    Case {
        name: "launches-by-events",
        what: "the same, each with the event of the one before in its wait list",
        category: Category::Launch,
        measure: |mode| empty(mode, chained_by_events),
    },
    Case {
        name: "saxpy-1024-one-by-one",
        what: "10,000 times 1,024 work-items and clFinish",
        category: Category::Series,
        measure: |mode| saxpy(mode, 1024, one_by_one),
    },
    Case {
        name: "saxpy-1024-chained",
        what: "10,000 times 1,024 work-items, then clFinish",
        category: Category::Series,
        measure: |mode| saxpy(mode, 1024, chained),
    },
    Case {
        name: "saxpy-65536-one-by-one",
        what: "10,000 times 65,536 work-items and clFinish",
        category: Category::Series,
        measure: |mode| saxpy(mode, 65536, one_by_one),
    },
    Case {
        name: "saxpy-65536-chained",
        what: "10,000 times 65,536 work-items, then clFinish",
        category: Category::Series,
        measure: |mode| saxpy(mode, 65536, chained),
    },
];

/// Number of launches in a series.
const LAUNCHES: usize = 10_000;

/// Work-items per work-group of saxpy.
const LOCAL: &[usize] = &[64];

/// Launches a kernel a number of times.
type Series = fn(&Session, &Kernel, usize, &[usize], &[usize]) -> Result<()>;

fn one_by_one(
    session: &Session,
    kernel: &Kernel,
    launches: usize,
    global: &[usize],
    local: &[usize],
) -> Result<()> {
    for _ in 0..launches {
        session.run(kernel, global, Some(local))?;
    }
    Ok(())
}

fn chained(
    session: &Session,
    kernel: &Kernel,
    launches: usize,
    global: &[usize],
    local: &[usize],
) -> Result<()> {
    for _ in 0..launches {
        session.enqueue(kernel, global, Some(local))?;
    }
    session.finish()
}

fn chained_by_events(
    session: &Session,
    kernel: &Kernel,
    launches: usize,
    global: &[usize],
    local: &[usize],
) -> Result<()> {
    let mut last = None;
    for _ in 0..launches {
        last = Some(session.enqueue_after(last.as_ref(), kernel, global, Some(local))?);
    }
    session.finish()
}

/// A kernel without statements, and its argument.
pub fn empty_kernel(session: &Session) -> Result<(Kernel, Buffer<f32>)> {
    let kernel = session.kernel(source!("empty.cl"), "empty")?;
    let buffer = session.buffer(&[0.0f32])?;
    kernel.set(&[&buffer])?;
    Ok((kernel, buffer))
}

fn launch(mode: Mode) -> Result<Measurement> {
    let session = Session::open()?;
    let (kernel, _buffer) = empty_kernel(&session)?;
    median_launch(mode, &session, &kernel)
}

/// The median duration of a launch and `clFinish`.
pub fn median_launch(mode: Mode, session: &Session, kernel: &Kernel) -> Result<Measurement> {
    let mut samples = Vec::new();
    for _ in 0..mode.size(5000, 10) {
        let start = Instant::now();
        session.run(kernel, &[1], Some(&[1]))?;
        samples.push(start.elapsed().as_nanos() as f64);
    }
    Ok(Measurement::time(median(&samples).unwrap_or(f64::NAN)))
}

fn empty(mode: Mode, series: Series) -> Result<Measurement> {
    let session = Session::open()?;
    let (kernel, _buffer) = empty_kernel(&session)?;
    let launches = mode.size(LAUNCHES, 100);
    mode.time(|| series(&session, &kernel, launches, &[1], &[1]))
}

fn saxpy(mode: Mode, work_items: usize, series: Series) -> Result<Measurement> {
    let session = Session::open()?;
    let kernel = session.kernel(source!("saxpy.cl"), "saxpy")?;
    let x = session.buffer(&vec![1.0f32; work_items])?;
    let y = session.buffer(&vec![0.0f32; work_items])?;
    kernel.set(&[&0.5f32, &x, &y])?;
    let launches = mode.size(LAUNCHES, 100);
    let mut all = 0;
    let time = mode.time(|| {
        all += launches;
        series(&session, &kernel, launches, &[work_items], LOCAL)
    })?;
    // Multiples of 1/2 are exact.
    let expected = all as f32 * 0.5;
    let y = session.read(&y)?;
    ensure!(y.iter().all(|y| *y == expected), "wrong sums");
    Ok(time)
}
