//! Sweeps over grids in global memory.

use super::{Case, Category, ensure_each, ensure_each_close, floats, integers, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "jacobi-2d",
        what: "4096 x 4096 floats, 5 points, 2 steps of 2 launches, 32 x 8",
        category: Category::Kernel,
        measure: jacobi,
    },
    Case {
        name: "fdtd-2d",
        what: "2048 x 2048 floats, 3 fields, 4 steps of 3 launches, 32 x 8",
        category: Category::Kernel,
        measure: fdtd,
    },
    Case {
        name: "conv3d",
        what: "192 x 192 x 192 floats, 27 points, a line across the planes per work-item",
        category: Category::Kernel,
        measure: convolution,
    },
];

const SOURCE: &str = source!("grids/sweeps.cl");
const GROUP: [usize; 2] = [32, 8];

fn jacobi(mode: Mode) -> Result<Measurement> {
    const STEPS: usize = 2;
    let n = mode.size(4096, 64);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (sweep, back) = (program.kernel("jacobi")?, program.kernel("copy_back")?);
    let start = floats(1, n * n, 0.0..1.0);
    let (a, b) = (session.buffer(&start)?, session.unwritten::<f32>(n * n)?);
    sweep.set(&[&a, &b, &(n as i32)])?;
    back.set(&[&b, &a, &(n as i32)])?;
    let time = mode.time_after(
        || session.write(&a, &start),
        || {
            for _ in 0..STEPS {
                session.enqueue(&sweep, &[n, n], Some(&GROUP))?;
                session.enqueue(&back, &[n, n], Some(&GROUP))?;
            }
            session.finish()
        },
    )?;
    let mut grid: Vec<f64> = start.iter().map(|x| f64::from(*x)).collect();
    for _ in 0..STEPS {
        let from = grid.clone();
        for i in 1..n - 1 {
            for j in i * n + 1..i * n + n - 1 {
                grid[j] = 0.2 * (from[j] + from[j - 1] + from[j + 1] + from[j + n] + from[j - n]);
            }
        }
    }
    ensure_each_close(&session.read(&a)?, 1, (1.0, 1e-6), |i| grid[i])?;
    // Each launch reads one grid and writes the other.
    let bytes = 4 * STEPS * size_of_val(&*start);
    Ok(time.with_work(Work::Bytes(bytes as f64)))
}

fn fdtd(mode: Mode) -> Result<Measurement> {
    const STEPS: usize = 4;
    let n = mode.size(2048, 64);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (y, x) = (program.kernel("electric_y")?, program.kernel("electric_x")?);
    let magnetic = program.kernel("magnetic")?;
    let source = floats(1, STEPS, 0.0..1.0);
    let fields = [2, 3, 4].map(|seed| floats(seed, n * n, 0.0..1.0));
    let of_source = session.buffer(&source)?;
    let buffers = fields
        .iter()
        .map(|field| session.buffer(field))
        .collect::<Result<Vec<_>>>()?;
    let side = n as i32;
    x.set(&[&buffers[0], &buffers[2], &side])?;
    magnetic.set(&[&buffers[0], &buffers[1], &buffers[2], &side])?;
    let time = mode.time_after(
        || {
            let mut pairs = buffers.iter().zip(&fields);
            pairs.try_for_each(|(buffer, field)| session.write(buffer, field))
        },
        || {
            for step in 0..STEPS as i32 {
                y.set(&[&of_source, &buffers[1], &buffers[2], &side, &step])?;
                for kernel in [&y, &x, &magnetic] {
                    session.enqueue(kernel, &[n, n], Some(&GROUP))?;
                }
            }
            session.finish()
        },
    )?;
    let mut expected = fields.map(|field| field.into_iter().map(f64::from).collect::<Vec<_>>());
    for source in source {
        step_fields(&mut expected, f64::from(source), n);
    }
    for (buffer, expected) in buffers.iter().zip(expected) {
        ensure_each_close(&session.read(buffer)?, 1, (1.0, 1e-5), |i| expected[i])?;
    }
    Ok(time)
}

fn step_fields([ex, ey, hz]: &mut [Vec<f64>; 3], source: f64, n: usize) {
    for point in 0..n * n {
        let (i, j) = (point / n, point % n);
        match i {
            0 => ey[point] = source,
            _ => ey[point] -= 0.5 * (hz[point] - hz[point - n]),
        }
        if j > 0 {
            ex[point] -= 0.5 * (hz[point] - hz[point - 1]);
        }
    }
    for i in 0..n - 1 {
        for point in i * n..i * n + n - 1 {
            hz[point] -= 0.7 * (ex[point + 1] - ex[point] + ey[point + n] - ey[point]);
        }
    }
}

fn convolution(mode: Mode) -> Result<Measurement> {
    let n = mode.size(192, 32);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "convolution_3d")?;
    let (input, weights) = (integers(1, n * n * n), integers(2, 27));
    let zeros = vec![0.0f32; input.len()];
    let (buffer, output) = (session.buffer(&input)?, session.buffer(&zeros)?);
    let filter = session.buffer(&weights)?;
    kernel.set(&[&buffer, &output, &filter, &(n as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[n, n], Some(&GROUP)))?;
    let inner = 1..n - 1;
    ensure_each(&session.read(&output)?, mode.size(11, 1), |point| {
        let (i, j, k) = (point / n / n, point / n % n, point % n);
        if ![i, j, k].iter().all(|place| inner.contains(place)) {
            return 0.0;
        }
        let terms = weights.iter().enumerate().map(|(w, weight)| {
            let row = (i + w / 9 - 1) * n + j + w / 3 % 3 - 1;
            weight * input[row * n + k + w % 3 - 1]
        });
        terms.sum()
    })?;
    Ok(time.with_work(Work::Float(54.0 * (n as f64 - 2.0).powi(3))))
}
