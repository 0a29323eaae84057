//! Arithmetic of halves, rounded after each operation.

use crate::compare::equal;
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const SIGNALS: usize = 256;
const LENGTH: usize = 60;
/// 0.3 as a half.
const WEIGHT: u16 = 0x34CD;

pub fn run(session: &Session) -> Result<()> {
    // From -8 to 8 with any bits; each is halfway between others rather often.
    let mut random = Random::new(57);
    let signals: Vec<u16> = (0..SIGNALS * LENGTH)
        .map(|_| (random.below(0x4800) | random.below(2) << 15) as u16)
        .collect();
    let program = session.program(include_str!("half_smoothing.cl"), "")?;
    let there = session.buffer(&signals)?;
    let smoothed = session.zeros::<u16>(signals.len())?;
    let arguments: [&dyn Argument; 4] = [&there, &smoothed, &(LENGTH as u32), &WEIGHT];
    session.run(&program.kernel("smooth")?, &[SIGNALS / 4], &[], &arguments)?;
    let weight = value(WEIGHT);
    let mut expected = signals.clone();
    for place in SIGNALS..signals.len() {
        let next = rounded(value(signals[place]) * weight);
        let before = rounded(value(expected[place - SIGNALS]) * rounded(1.0 - weight).1);
        expected[place] = rounded(next.1 + before.1).0;
    }
    equal("smoothed", &session.read(&smoothed)?, &expected)
}

/// The value of a finite half (IEEE 754 binary16).
fn value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = if exponent == 0 {
        fraction * 2f64.powi(-24)
    } else {
        (fraction + 1024.0) * 2f64.powi(exponent - 25)
    };
    magnitude.copysign(if bits >> 15 == 1 { -1.0 } else { 1.0 })
}

/// The nearest half, to even: its bits and value. Products and sums of two halves are
/// exact in doubles, so this is the only rounding.
fn rounded(exact: f64) -> (u16, f64) {
    let magnitude = exact.abs();
    // The unit in the last place, that of subnormals at least.
    let exponent = (magnitude.log2().floor() as i32).max(-14);
    let units = (magnitude / 2f64.powi(exponent - 10)).round_ties_even() as u16;
    // A carry goes into the exponent by itself.
    let biased = (exponent + 14) as u16;
    let bits = (biased << 10) + units;
    let sign = u16::from(exact.is_sign_negative()) << 15;
    (sign | bits, value(sign | bits))
}
