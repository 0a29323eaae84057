//! Tone mapping of a picture of halves.

use crate::compare::{Tolerance, close, equal};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const PIXELS: usize = 6000;
const LINE: usize = 240;
const EXPOSURE: f32 = 0.75;

pub fn run(session: &Session) -> Result<()> {
    // Positive halves from the smallest subnormal to 2^11: any bits below those of 2^11.
    let mut random = Random::new(35);
    let picture: Vec<u16> = (0..4 * PIXELS)
        .map(|_| random.below(0x6800) as u16)
        .collect();
    let program = session.program(include_str!("tone_mapping.cl"), "")?;
    let there = session.buffer(&picture)?;
    let mapped = session.zeros::<u16>(picture.len())?;
    let display = session.zeros::<u8>(picture.len())?;
    let arguments: [&dyn Argument; 4] = [&there, &mapped, &display, &EXPOSURE];
    session.run(&program.kernel("map")?, &[PIXELS], &[], &arguments)?;
    let most = session.zeros::<u16>(picture.len() / LINE)?;
    let arguments: [&dyn Argument; 3] = [&there, &most, &(LINE as u32)];
    session.run(
        &program.kernel("brightest")?,
        &[most.len()],
        &[],
        &arguments,
    )?;

    let mut exact = Vec::new();
    for pixel in picture.chunks(4) {
        let [r, g, b, a] = [0, 1, 2, 3].map(|i| value(pixel[i]));
        let exposure = f64::from(EXPOSURE);
        let factor = exposure / (1.0 + exposure * (0.25 * r + 0.625 * g + 0.125 * b));
        exact.extend([r * factor, g * factor, b * factor, a]);
    }
    // Half a unit in the last of 11 bits, which is a fixed amount for subnormals, and the
    // floats' own rounding of some 8 units of 2^-24.
    let half_unit = Tolerance {
        relative: 2f64.powi(-11) + 2f64.powi(-21),
        absolute: 2f64.powi(-25) * 1.01,
    };
    let got: Vec<f64> = session.read(&mapped)?.into_iter().map(value).collect();
    close("mapped", &got, &exact, half_unit)?;
    let bytes: Vec<f64> = exact.iter().map(|&x| (255.0 * x).min(255.0)).collect();
    // To the nearest; 255 times the floats' rounding decides ties.
    close(
        "display",
        &session.read(&display)?,
        &bytes,
        Tolerance::absolute(0.5 + 255.0 * 5e-7),
    )?;
    // Positive halves are in the order of their bits.
    let largest: Vec<u16> = picture
        .chunks(LINE)
        .map(|line| line.iter().copied().max().unwrap_or(0))
        .collect();
    equal("brightest", &session.read(&most)?, &largest)
}

/// The value of a finite half (IEEE 754 binary16).
fn value(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 31, bits & 1023);
    let magnitude = if exponent == 0 {
        f64::from(fraction) * 2f64.powi(-24)
    } else {
        f64::from(fraction + 1024) * 2f64.powi(i32::from(exponent) - 25)
    };
    if sign == 1 { -magnitude } else { magnitude }
}
