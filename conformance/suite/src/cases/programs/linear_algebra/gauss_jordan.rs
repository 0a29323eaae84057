//! Matrix inversion, checked by multiplying.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const N: usize = 72;
const GROUP: usize = 16;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(17);
    // Rows are shuffled, so that the large elements are not on the diagonal: without
    // pivoting it would fail.
    let matrix: Vec<f64> = (0..N * N)
        .map(|place| {
            let large = (place / N * 29 + 5) % N == place % N;
            random.double(-1.0, 1.0) + if large { 12.0 } else { 0.0 }
        })
        .collect();
    let mut extended = vec![0.0; 2 * N * N];
    for row in 0..N {
        extended[row * 2 * N..][..N].copy_from_slice(&matrix[row * N..][..N]);
        extended[row * 2 * N + N + row] = 1.0;
    }
    let options = format!("-D N={N} -D GROUP={GROUP}");
    let program = session.program(include_str!("gauss_jordan.cl"), &options)?;
    let (find, swap) = (program.kernel("find_pivot")?, program.kernel("swap_rows")?);
    let (take, eliminate) = (
        program.kernel("take_factors")?,
        program.kernel("eliminate")?,
    );
    let a = session.buffer(&extended)?;
    let (row, factors) = (session.zeros::<u32>(1)?, session.zeros::<f64>(N)?);
    let pivot_row = session.zeros::<f64>(2 * N)?;
    for column in 0..N as u32 {
        session.run(&find, &[GROUP], &[GROUP], &[&a, &column, &row])?;
        session.run(&swap, &[2 * N], &[], &[&a, &column, &row, &pivot_row])?;
        session.run(&take, &[N], &[], &[&a, &column, &factors])?;
        let arguments: [&dyn Argument; 4] = [&a, &column, &factors, &pivot_row];
        session.run(&eliminate, &[2 * N, N], &[16, 4], &arguments)?;
    }
    let result = session.read(&a)?;
    let mut product = vec![0.0; N * N];
    for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
        product[i * N + j] = (0..N)
            .map(|k| matrix[i * N + k] * result[k * 2 * N + N + j])
            .sum();
    }
    let unit: Vec<f64> = (0..N * N)
        .map(|place| f64::from(u8::from(place / N == place % N)))
        .collect();
    // Elements up to 13, a condition number of some tens, N eliminations:
    // 13 * 50 * 72 * 2^-53 = 5e-12.
    close(
        "product with the inverse",
        &product,
        &unit,
        Tolerance::absolute(5e-12),
    )
}
