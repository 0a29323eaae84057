//! Sparse matrices.

use super::{Case, Category, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode};
use anyhow::{Result, ensure};

pub const CASES: &[Case] = &[Case {
    name: "spmv",
    what: "CSR, float, 256 Ki rows of 8 to 56 elements near the diagonal",
    category: Category::Kernel,
    measure: spmv,
}];

fn spmv(mode: Mode) -> Result<Measurement> {
    const BAND: usize = 8192;
    let rows = mode.size(256 << 10, 1 << 10);
    let session = Session::open()?;
    let kernel = session.kernel(source!("spmv.cl"), "spmv")?;
    let mut random = fastrand::Rng::with_seed(1);
    let (mut starts, mut columns) = (vec![0i32], Vec::new());
    for row in 0..rows {
        for _ in 0..random.usize(8..=56) {
            columns.push(((row + random.usize(..BAND)) % rows) as i32);
        }
        starts.push(columns.len() as i32);
    }
    // Small integers, so that the sums are exact in any order.
    let elements: Vec<f32> = (0..columns.len()).map(|i| (i % 17) as f32 - 8.0).collect();
    let x: Vec<f32> = (0..rows).map(|i| (i % 13) as f32).collect();
    let (of_starts, of_columns) = (session.buffer(&starts)?, session.buffer(&columns)?);
    let (of_elements, of_x) = (session.buffer(&elements)?, session.buffer(&x)?);
    let y = session.unwritten::<f32>(rows)?;
    kernel.set(&[&of_starts, &of_columns, &of_elements, &of_x, &y])?;
    let time = mode.time(|| session.run(&kernel, &[rows], Some(&[64])))?;
    for (row, result) in session.read(&y)?.into_iter().enumerate() {
        let of_row = starts[row] as usize..starts[row + 1] as usize;
        let sum: f32 = of_row.map(|i| elements[i] * x[columns[i] as usize]).sum();
        ensure!(result == sum, "wrong sum of row {row}");
    }
    Ok(time)
}
