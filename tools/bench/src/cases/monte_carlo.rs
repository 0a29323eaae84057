//! Random numbers.

use super::{Case, Category, ensure_close, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;

pub const CASES: &[Case] = &[Case {
    name: "monte-carlo",
    what: "16 Mi paths of a price, xorshift and Box-Muller, 64 Ki work-items",
    category: Category::Kernel,
    measure: monte_carlo,
}];

const PRICE: f32 = 100.0;
const STRIKE: f32 = 105.0;
const DRIFT: f32 = -0.025;
const DEVIATION: f32 = 0.3;

fn monte_carlo(mode: Mode) -> Result<Measurement> {
    let (items, pairs) = mode.size((64 << 10, 128), (1 << 10, 16));
    let session = Session::open()?;
    let kernel = session.kernel(source!("monte_carlo.cl"), "monte_carlo")?;
    let mut random = fastrand::Rng::with_seed(1);
    let states: Vec<[u32; 4]> = (0..items)
        .map(|_| std::array::from_fn(|_| random.u32(1..)))
        .collect();
    let seeds = session.buffer(&states)?;
    let sums = session.unwritten::<f32>(items)?;
    kernel.set(&[&seeds, &sums, &PRICE, &STRIKE, &DRIFT, &DEVIATION, &pairs])?;
    let time = mode.time(|| session.run(&kernel, &[items], Some(&[64])))?;
    let sums = session.read(&sums)?;
    for i in (0..items).step_by(items / 200 + 1) {
        ensure_close(sums[i], paid(states[i], pairs), 1.0, 1e-4)?;
    }
    Ok(time)
}

/// The sum of one work-item.
fn paid(mut state: [u32; 4], pairs: i32) -> f64 {
    let mut uniform = || {
        let t = state[0] ^ (state[0] << 11);
        state.rotate_left(1);
        state[3] = state[2] ^ (state[2] >> 19) ^ t ^ (t >> 8);
        f64::from((state[3] >> 8) + 1) / f64::from(1 << 24)
    };
    let at_end = |normal: f64| {
        let growth = f64::from(DRIFT) + f64::from(DEVIATION) * normal;
        (f64::from(PRICE) * growth.exp() - f64::from(STRIKE)).max(0.0)
    };
    (0..pairs)
        .map(|_| {
            let radius = (-2.0 * uniform().ln()).sqrt();
            let angle = std::f64::consts::TAU * uniform();
            at_end(radius * angle.cos()) + at_end(radius * angle.sin())
        })
        .sum()
}
