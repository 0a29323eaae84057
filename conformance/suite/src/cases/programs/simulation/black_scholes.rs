//! Prices of European options in floats, and in doubles where the device has them.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use bytemuck::Pod;
use harness::random::Random;
use harness::session::{Argument, Session};

const OPTIONS: usize = 4000;
const RATE: f64 = 0.03125;
const VOLATILITY: f64 = 0.25;

pub fn run(session: &Session) -> Result<()> {
    // Multiples of 1/64: the same numbers in floats and doubles.
    let mut random = Random::new(31);
    let mut sixty_fourths = |low: u32, high: u32| -> Vec<f64> {
        (0..OPTIONS)
            .map(|_| f64::from(low + random.below(high - low)) / 64.0)
            .collect()
    };
    let spots = sixty_fourths(5 * 64, 100 * 64);
    let strikes = sixty_fourths(5 * 64, 100 * 64);
    let years = sixty_fourths(16, 10 * 64);
    let inputs = [&spots[..], &strikes[..], &years[..]];
    let (mut calls, mut puts) = (Vec::new(), Vec::new());
    for i in 0..OPTIONS {
        let (call, put) = prices(spots[i], strikes[i], years[i]);
        calls.push(call);
        puts.push(put);
    }
    let expected = [&calls[..], &puts[..]];
    // The difference of two prices below 100; erfc's 16 ulp weigh most: 100 * 24 ulp.
    price(
        session,
        "",
        inputs,
        expected,
        |value| value as f32,
        2400.0 * 2f64.powi(-24),
    )?;
    if session.device.double_fp_config()? != 0 {
        let doubles = |value| value;
        price(
            session,
            "-DDOUBLES",
            inputs,
            expected,
            doubles,
            2400.0 * 2f64.powi(-53),
        )?;
    }
    Ok(())
}

fn price<T: Pod + Into<f64>>(
    session: &Session,
    options: &str,
    inputs: [&[f64]; 3],
    expected: [&[f64]; 2],
    real: impl Fn(f64) -> T,
    tolerance: f64,
) -> Result<()> {
    let options = format!("{options} -cl-mad-enable -Werror");
    let program = session.program(include_str!("black_scholes.cl"), &options)?;
    let buffer = |values: &[f64]| {
        let values: Vec<T> = values.iter().map(|&value| real(value)).collect();
        session.buffer(&values)
    };
    let (spots, strikes) = (buffer(inputs[0])?, buffer(inputs[1])?);
    let years = buffer(inputs[2])?;
    let (calls, puts) = (session.zeros::<T>(OPTIONS)?, session.zeros::<T>(OPTIONS)?);
    let (rate, volatility) = (real(RATE), real(VOLATILITY));
    let arguments: [&dyn Argument; 7] =
        [&spots, &strikes, &years, &rate, &volatility, &calls, &puts];
    session.run(
        &program.kernel("black_scholes")?,
        &[OPTIONS / 4],
        &[],
        &arguments,
    )?;
    close(
        "calls",
        &session.read(&calls)?,
        expected[0],
        Tolerance::absolute(tolerance),
    )?;
    close(
        "puts",
        &session.read(&puts)?,
        expected[1],
        Tolerance::absolute(tolerance),
    )
}

fn prices(spot: f64, strike: f64, years: f64) -> (f64, f64) {
    let spread = VOLATILITY * years.sqrt();
    let middle = ((spot / strike).ln() + RATE * years) / spread;
    let (d1, d2) = (middle + spread / 2.0, middle - spread / 2.0);
    let discounted = strike * (-RATE * years).exp();
    let call = spot * tail(-d1) - discounted * tail(-d2);
    let put = discounted * tail(d2) - spot * tail(d1);
    (call, put)
}

/// The probability that a normal number is above `x`: the series of the density's
/// integral near 0, Laplace's continued fraction far away.
fn tail(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if x.abs() < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..80 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let mut fraction = x.abs();
    for n in (1..200).rev() {
        fraction = x.abs() + f64::from(n) / fraction;
    }
    let beyond = density / fraction;
    if x > 0.0 { beyond } else { 1.0 - beyond }
}
