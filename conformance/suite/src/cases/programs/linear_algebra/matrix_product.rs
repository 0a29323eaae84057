//! A matrix product by tiles and registers, against the definition in doubles.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const M: usize = 96;
const N: usize = 160;
const K: usize = 72;
const ALPHA: f32 = 1.5;
const BETA: f32 = -0.75;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(54);
    let mut matrix = |elements: usize| random.floats(elements, -1.0, 1.0);
    let (a, b, c) = (matrix(M * K), matrix(K * N), matrix(M * N));
    let program = session.program(include_str!("matrix_product.cl"), "")?;
    let (a_there, b_there) = (session.buffer(&a)?, session.buffer(&b)?);
    let c_there = session.buffer(&c)?;
    let (n, k) = (N as i32, K as i32);
    let arguments: [&dyn Argument; 7] = [&n, &k, &ALPHA, &BETA, &a_there, &b_there, &c_there];
    let items = [N / 4, M / 4];
    session.run(
        &program.kernel("matrix_product")?,
        &items,
        &[8, 8],
        &arguments,
    )?;
    let expected: Vec<f64> = (0..M * N)
        .map(|place| {
            let (row, column) = (place / N, place % N);
            let product = |i: usize| f64::from(a[row * K + i]) * f64::from(b[i * N + column]);
            let sum: f64 = (0..K).map(product).sum();
            f64::from(ALPHA) * sum + f64::from(BETA) * f64::from(c[place])
        })
        .collect();
    // 72 sums and products that stay below 32, and 1.5 times that:
    // 2 * 72 * 32 * 2^-24 * 1.5 at the very most; errors have both signs.
    close(
        "product",
        &session.read(&c_there)?,
        &expected,
        Tolerance::absolute(1e-4),
    )
}
