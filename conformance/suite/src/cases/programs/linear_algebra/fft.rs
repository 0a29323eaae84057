//! FFT against the sum that defines the discrete Fourier transform.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Float2, Session};
use std::f64::consts::TAU;

const N: usize = 1024;
const LINES: usize = 8;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(1);
    let input: Vec<Float2> = (0..N * LINES)
        .map(|_| Float2([random.float(-1.0, 1.0), random.float(-1.0, 1.0)]))
        .collect();
    let program = session.program(include_str!("fft.cl"), &format!("-DN={N}"))?;
    let from = session.buffer(&input)?;
    let to = session.zeros::<Float2>(input.len())?;
    let kernel = program.kernel("fft")?;
    session.run(&kernel, &[N / 4 * LINES], &[N / 4], &[&from, &to])?;

    let roots: Vec<(f64, f64)> = (0..N)
        .map(|k| (TAU * k as f64 / N as f64).sin_cos())
        .collect();
    let mut expected = Vec::with_capacity(2 * input.len());
    for line in input.chunks(N) {
        for k in 0..N {
            let (mut real, mut imaginary) = (0.0, 0.0);
            for (j, Float2([x, y])) in line.iter().enumerate() {
                let (sine, cosine) = roots[j * k % N];
                real += f64::from(*x) * cosine + f64::from(*y) * sine;
                imaginary += f64::from(*y) * cosine - f64::from(*x) * sine;
            }
            expected.extend([real, imaginary]);
        }
    }
    let got: Vec<f32> = session
        .read(&to)?
        .iter()
        .flat_map(|value| value.0)
        .collect();
    // Components are sums of 1024 products, root mean square 26. Each of five passes may
    // add the 4 ulp of sine and cosine and its own rounding, some 4e-7 of that; a factor
    // of 4 for the largest of 16384.
    close("spectrum", &got, &expected, Tolerance::absolute(2e-4))
}
