//! Kernels with much arithmetic per work-item and no communication.

use super::{Case, Category, ensure_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[
    Case {
        name: "black-scholes",
        what: "4 Mi options, float",
        category: Category::Kernel,
        measure: black_scholes,
    },
    Case {
        name: "mandelbrot",
        what: "1024 x 1024, at most 1000 steps",
        category: Category::Kernel,
        measure: mandelbrot,
    },
];

fn black_scholes(mode: Mode) -> Result<Measurement> {
    const RATE: f32 = 0.02;
    const VOLATILITY: f32 = 0.3;
    let count = mode.size(4 << 20, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(source!("black_scholes.cl"), "black_scholes")?;
    let prices = floats(1, count, 5.0..30.0);
    let strikes = floats(2, count, 1.0..100.0);
    let years = floats(3, count, 0.25..10.0);
    let inputs = [
        session.buffer(&prices)?,
        session.buffer(&strikes)?,
        session.buffer(&years)?,
    ];
    let calls = session.unwritten::<f32>(count)?;
    let puts = session.unwritten::<f32>(count)?;
    kernel.set(&[
        &inputs[0],
        &inputs[1],
        &inputs[2],
        &calls,
        &puts,
        &RATE,
        &VOLATILITY,
    ])?;
    let time = mode.time(|| session.run(&kernel, &[count], None))?;
    let (calls, puts) = (session.read(&calls)?, session.read(&puts)?);
    let (rate, volatility) = (f64::from(RATE), f64::from(VOLATILITY));
    for i in (0..count).step_by(count / 4000 + 1) {
        let [price, strike, t] = [prices[i], strikes[i], years[i]].map(f64::from);
        let root = volatility * t.sqrt();
        let d1 = ((price / strike).ln() + (rate + 0.5 * volatility * volatility) * t) / root;
        let discounted = strike * (-rate * t).exp();
        let call = price * distribution(d1) - discounted * distribution(d1 - root);
        ensure_close(calls[i], call, strike, 2e-6)?;
        // Put-call parity.
        ensure_close(puts[i], call - price + discounted, strike, 2e-6)?;
    }
    Ok(time)
}

/// The normal distribution function, by Simpson's rule.
fn distribution(d: f64) -> f64 {
    const STEPS: usize = 200;
    let h = d / STEPS as f64;
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let sum: f64 = (0..=STEPS)
        .map(|i| match i {
            0 | STEPS => density(i as f64 * h),
            i if i % 2 == 1 => 4.0 * density(i as f64 * h),
            _ => 2.0 * density(i as f64 * h),
        })
        .sum();
    0.5 + sum * h / 3.0
}

fn mandelbrot(mode: Mode) -> Result<Measurement> {
    const LIMIT: i32 = 1000;
    let size = mode.size(1024, 64);
    let (left, top, pixel) = (-2.0f32, -1.25f32, 2.5 / size as f32);
    let session = Session::open()?;
    let kernel = session.kernel(source!("mandelbrot.cl"), "mandelbrot")?;
    let steps = session.unwritten::<i32>(size * size)?;
    kernel.set(&[&steps, &left, &top, &pixel, &LIMIT])?;
    let time = mode.time(|| session.run(&kernel, &[size, size], None))?;
    let steps = session.read(&steps)?;
    let (mut compared, mut equal) = (0, 0);
    for row in (0..size).step_by(19) {
        for column in (0..size).step_by(3) {
            let c = [(left, column), (top, row)]
                .map(|(start, i)| f64::from(start) + i as f64 * f64::from(pixel));
            compared += 1;
            equal += i32::from(steps[row * size + column] == escape(c, LIMIT));
        }
    }
    // Near the set's border, rounding decides: floats and doubles may differ.
    ensure!(
        equal * 100 >= compared * 98,
        "{equal} points of {compared} are right"
    );
    Ok(time)
}

fn escape(c: [f64; 2], limit: i32) -> i32 {
    let (mut x, mut y, mut n) = (0.0f64, 0.0f64, 0);
    while n < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + c[0], 2.0 * x * y + c[1]);
        n += 1;
    }
    n
}
