//! Eigenvalues and vectors of symmetric matrices, checked by what defines them.

use crate::compare::{Tolerance, close};
use anyhow::Result;
use harness::random::Random;
use harness::session::{Argument, Session};

const N: usize = 20;
const MATRICES: usize = 6;
const SWEEPS: u32 = 8;

pub fn run(session: &Session) -> Result<()> {
    let mut random = Random::new(56);
    let mut matrices = vec![0.0; MATRICES * N * N];
    for matrix in matrices.chunks_mut(N * N) {
        for (i, j) in (0..N).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            let value = random.double(-1.0, 1.0);
            (matrix[i * N + j], matrix[j * N + i]) = (value, value);
        }
    }
    let program = session.program(include_str!("eigenvalues.cl"), &format!("-DN={N}"))?;
    let there = session.buffer(&matrices)?;
    let values = session.zeros::<f64>(MATRICES * N)?;
    let vectors = session.zeros::<f64>(matrices.len())?;
    let arguments: [&dyn Argument; 4] = [&there, &values, &vectors, &SWEEPS];
    let kernel = program.kernel("eigenvalues")?;
    session.run(&kernel, &[MATRICES * N / 2], &[N / 2], &arguments)?;
    let (values, vectors) = (session.read(&values)?, session.read(&vectors)?);
    // 8 * 190 rotations of numbers up to 20, each with some five roundings, of which an
    // element sees one in ten: 8 * 19 * 5 * 20 * 2^-53 = 2e-12.
    let tolerance = Tolerance::absolute(2e-12);
    for number in 0..MATRICES {
        let a = &matrices[number * N * N..][..N * N];
        let v = &vectors[number * N * N..][..N * N];
        let (mut image, mut scaled, mut products) = (Vec::new(), Vec::new(), Vec::new());
        for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
            let sum = |term: &dyn Fn(usize) -> f64| -> f64 { (0..N).map(term).sum() };
            image.push(sum(&|k| a[i * N + k] * v[k * N + j]));
            scaled.push(values[number * N + j] * v[i * N + j]);
            products.push(sum(&|k| v[k * N + i] * v[k * N + j]));
        }
        close("matrix times vectors", &image, &scaled, tolerance)?;
        let unit: Vec<f64> = (0..N * N)
            .map(|place| f64::from(u8::from(place / N == place % N)))
            .collect();
        close("products of vectors", &products, &unit, tolerance)?;
    }
    Ok(())
}
