//! Several steps of a grid in local memory, with overlapping groups.

use super::{Case, Category, ensure_each, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "hotspot",
        what: "1024 x 1024 floats, 8 steps, 2 a launch, 16 x 16 in local memory",
        category: Category::Kernel,
        measure: hotspot,
    },
    Case {
        name: "pathfinder",
        what: "100 rows of 128 Ki ints, 20 a launch, 256 in local memory",
        category: Category::Kernel,
        measure: pathfinder,
    },
];

const SOURCE: &str = source!("grids/pyramids.cl");

fn hotspot(mode: Mode) -> Result<Measurement> {
    const SIDE: usize = 16;
    const AT_ONCE: usize = 2;
    const LAUNCHES: usize = 4;
    const PARAMETERS: [f32; 5] = [0.1, 0.9, 0.7, 0.3, 80.0];
    let n = mode.size(1024, 60);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let kernels = [program.kernel("hotspot")?, program.kernel("hotspot")?];
    let (start, power) = (floats(1, n * n, 60.0..100.0), floats(2, n * n, 0.0..5.0));
    let buffers = [session.buffer(&start)?, session.unwritten(n * n)?];
    let of_power = session.buffer(&power)?;
    let [step, rx, ry, rz, ambient] = PARAMETERS;
    for (i, kernel) in kernels.iter().enumerate() {
        let (from, to) = (&buffers[i], &buffers[1 - i]);
        let (n, steps) = (n as i32, AT_ONCE as i32);
        kernel.set(&[
            &of_power, from, to, &n, &n, &steps, &step, &rx, &ry, &rz, &ambient,
        ])?;
    }
    let global = [n.div_ceil(SIDE - 2 * AT_ONCE) * SIDE; 2];
    let time = mode.time_after(
        || session.write(&buffers[0], &start),
        || {
            for launch in 0..LAUNCHES {
                session.enqueue(&kernels[launch % 2], &global, Some(&[SIDE, SIDE]))?;
            }
            session.finish()
        },
    )?;
    let [step, rx, ry, rz, ambient] = PARAMETERS.map(f64::from);
    let mut grid: Vec<f64> = start.iter().map(|x| f64::from(*x)).collect();
    for _ in 0..LAUNCHES * AT_ONCE {
        let from = grid.clone();
        for (point, (result, power)) in grid.iter_mut().zip(&power).enumerate() {
            let (x, y, t) = (point % n, point / n, from[point]);
            let vertical = from[y.saturating_sub(1) * n + x] + from[(y + 1).min(n - 1) * n + x];
            let level = from[y * n + x.saturating_sub(1)] + from[y * n + (x + 1).min(n - 1)];
            let flow = (vertical - 2.0 * t) * ry + (level - 2.0 * t) * rx + (ambient - t) * rz;
            *result = t + step * (f64::from(*power) + flow);
        }
    }
    ensure_each_close(&session.read(&buffers[0])?, 1, (1.0, 1e-5), |i| grid[i])?;
    Ok(time)
}

fn pathfinder(mode: Mode) -> Result<Measurement> {
    const WIDTH: usize = 256;
    const AT_ONCE: usize = 20;
    const LAUNCHES: usize = 5;
    let columns = mode.size(128 << 10, 1000);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let mut random = fastrand::Rng::with_seed(1);
    let costs: Vec<i32> = (0..LAUNCHES * AT_ONCE * columns)
        .map(|_| random.i32(0..10))
        .collect();
    let of_costs = session.buffer(&costs)?;
    let start = vec![0i32; columns];
    let buffers = [session.buffer(&start)?, session.unwritten(columns)?];
    let kernels = (0..LAUNCHES)
        .map(|launch| {
            let kernel = program.kernel("pathfinder")?;
            let (from, to) = (&buffers[launch % 2], &buffers[1 - launch % 2]);
            let first = (launch * AT_ONCE) as i32;
            kernel.set(&[
                &of_costs,
                from,
                to,
                &(columns as i32),
                &first,
                &(AT_ONCE as i32),
            ])?;
            Ok(kernel)
        })
        .collect::<Result<Vec<_>>>()?;
    let global = columns.div_ceil(WIDTH - 2 * AT_ONCE) * WIDTH;
    let time = mode.time_after(
        || session.write(&buffers[0], &start),
        || {
            for kernel in &kernels {
                session.enqueue(kernel, &[global], Some(&[WIDTH]))?;
            }
            session.finish()
        },
    )?;
    let mut paths = start;
    for row in costs.chunks_exact(columns) {
        let from = paths.clone();
        for (x, path) in paths.iter_mut().enumerate() {
            let at_sides = from[x.saturating_sub(1)].min(from[(x + 1).min(columns - 1)]);
            *path = row[x] + from[x].min(at_sides);
        }
    }
    ensure_each(&session.read(&buffers[LAUNCHES % 2])?, 1, |x| paths[x])?;
    Ok(time)
}
