//! Long straight code with calls of functions.

use super::{Case, Category, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::Result;
use std::f64::consts::TAU;

pub const CASES: &[Case] = &[Case {
    name: "option-long",
    what: "256 Ki American options in closed form, 5 calls of a function with exp, log and pow",
    category: Category::Kernel,
    measure: options,
}];

const RATE: f32 = 0.08;
const CARRY: f32 = 0.04;
const VOLATILITY: f32 = 0.25;

fn options(mode: Mode) -> Result<Measurement> {
    let count = mode.size(256 << 10, 1 << 12);
    let session = Session::open()?;
    let kernel = session.kernel(source!("numbers/options.cl"), "american_call")?;
    let spots = floats(1, count, 60.0..160.0);
    let strikes = floats(2, count, 80.0..120.0);
    let years = floats(3, count, 0.25..4.0);
    let inputs = [
        session.buffer(&spots)?,
        session.buffer(&strikes)?,
        session.buffer(&years)?,
    ];
    let calls = session.unwritten::<f32>(count)?;
    let [spot, strike, year] = &inputs;
    kernel.set(&[spot, strike, year, &calls, &RATE, &CARRY, &VOLATILITY])?;
    let time = mode.time(|| session.run(&kernel, &[count], Some(&[64])))?;
    let check = |i: usize| call([spots[i], strikes[i], years[i]].map(f64::from));
    ensure_each_close(&session.read(&calls)?, 61, (100.0, 1e-5), check)?;
    Ok(time)
}

fn call([spot, strike, t]: [f64; 3]) -> f64 {
    let [rate, carry, volatility] = [RATE, CARRY, VOLATILITY].map(f64::from);
    let variance = volatility * volatility;
    let ratio = carry / variance - 0.5;
    let beta = -ratio + (ratio * ratio + 2.0 * rate / variance).sqrt();
    let endless = beta / (beta - 1.0) * strike;
    let least = strike.max(rate / (rate - carry) * strike);
    let h = -(carry * t + 2.0 * volatility * t.sqrt()) * least / (endless - least);
    let boundary = least + (endless - least) * (1.0 - h.exp());
    if spot >= boundary {
        return spot - strike;
    }
    let phi = |power: f64, limit: f64| {
        let root = volatility * t.sqrt();
        let drift = (power * carry - rate + 0.5 * power * (power - 1.0) * variance) * t;
        let d = -((spot / limit).ln() + (carry + (power - 0.5) * variance) * t) / root;
        let kappa = 2.0 * carry / variance + 2.0 * power - 1.0;
        let beyond = normal(d - 2.0 * (boundary / spot).ln() / root);
        let inside = normal(d) - (boundary / spot).powf(kappa) * beyond;
        drift.exp() * (spot / boundary).powf(power) * inside
    };
    let exercised = (spot / boundary).powf(beta) - phi(beta, boundary);
    let price = phi(1.0, boundary) - phi(1.0, strike);
    let paid = phi(0.0, boundary) - phi(0.0, strike);
    (boundary - strike) * exercised + boundary * price - strike * paid
}

/// The kernel's polynomial.
fn normal(x: f64) -> f64 {
    const FACTORS: [f64; 5] = [
        1.330274429,
        -1.821255978,
        1.781477937,
        -0.356563782,
        0.31938153,
    ];
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let polynomial = FACTORS.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-0.5 * x * x).exp() / TAU.sqrt() * polynomial;
    if x < 0.0 { tail } else { 1.0 - tail }
}
