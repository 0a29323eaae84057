//! Products of matrices with vectors.

use super::{Case, Category, ensure_each, integers, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;

pub const CASES: &[Case] = &[
    Case {
        name: "atax",
        what: "A^T (A x), 2048 x 4096 floats, a row, then a column per work-item",
        category: Category::Kernel,
        measure: atax,
    },
    Case {
        name: "bicg",
        what: "A^T r and A p, 2048 x 4096 floats, summed in global memory",
        category: Category::Kernel,
        measure: bicg,
    },
    Case {
        name: "mvt",
        what: "A y and A^T z in one loop, 2048 x 2048 floats",
        category: Category::Kernel,
        measure: mvt,
    },
    Case {
        name: "gesummv",
        what: "a A x + b B x in one loop, 2 of 2048 x 2048 floats",
        category: Category::Kernel,
        measure: gesummv,
    },
    Case {
        name: "gemv-float4",
        what: "4096 x 4096 floats, a group of 64 per row",
        category: Category::Kernel,
        measure: gemv,
    },
];

const SOURCE: &str = source!("algebra/vectors.cl");
const GROUP: usize = 64;

/// A matrix of integers, row after row, that multiplies vectors exactly.
struct Matrix {
    elements: Vec<f32>,
    columns: usize,
}

impl Matrix {
    fn new(seed: u64, rows: usize, columns: usize) -> Self {
        let elements = integers(seed, rows * columns);
        Self { elements, columns }
    }

    fn times(&self, x: &[f32]) -> Vec<f32> {
        let rows = self.elements.chunks_exact(self.columns);
        rows.map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
            .collect()
    }

    fn transposed_times(&self, x: &[f32]) -> Vec<f32> {
        let mut result = vec![0.0; self.columns];
        for (row, x) in self.elements.chunks_exact(self.columns).zip(x) {
            for (sum, a) in result.iter_mut().zip(row) {
                *sum += a * x;
            }
        }
        result
    }

    /// Memory that as many sweeps over the matrix read.
    fn bytes(&self, sweeps: usize) -> Work {
        Work::Bytes((sweeps * size_of_val(&*self.elements)) as f64)
    }
}

/// Small, so that the product of the product is exact, too.
fn bits(count: usize) -> Vec<f32> {
    (0..count).map(|i| f32::from(i % 61 == 0)).collect()
}

fn atax(mode: Mode) -> Result<Measurement> {
    let (n, m) = (mode.size(2048, 64), mode.size(4096, 128));
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (rows, columns) = (program.kernel("rows")?, program.kernel("columns")?);
    let (a, x) = (Matrix::new(1, n, m), bits(m));
    let (buffer_a, buffer_x) = (session.buffer(&a.elements)?, session.buffer(&x)?);
    let product = session.unwritten::<f32>(n)?;
    let result = session.unwritten::<f32>(m)?;
    rows.set(&[&buffer_a, &buffer_x, &product, &(n as i32), &(m as i32)])?;
    columns.set(&[&buffer_a, &product, &result, &(n as i32), &(m as i32)])?;
    let time = mode.time(|| {
        session.enqueue(&rows, &[n], Some(&[GROUP]))?;
        session.run(&columns, &[m], Some(&[GROUP]))
    })?;
    let expected = a.transposed_times(&a.times(&x));
    ensure_each(&session.read(&result)?, 1, |j| expected[j])?;
    Ok(time.with_work(a.bytes(2)))
}

fn bicg(mode: Mode) -> Result<Measurement> {
    let (n, m) = (mode.size(2048, 64), mode.size(4096, 128));
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let rows = program.kernel("rows_in_memory")?;
    let columns = program.kernel("columns_in_memory")?;
    let (a, r, p) = (Matrix::new(1, n, m), integers(2, n), integers(3, m));
    let buffer_a = session.buffer(&a.elements)?;
    let (buffer_r, buffer_p) = (session.buffer(&r)?, session.buffer(&p)?);
    let (s, q) = (session.unwritten::<f32>(m)?, session.unwritten::<f32>(n)?);
    columns.set(&[&buffer_a, &buffer_r, &s, &(n as i32), &(m as i32)])?;
    rows.set(&[&buffer_a, &buffer_p, &q, &(n as i32), &(m as i32)])?;
    let time = mode.time(|| {
        session.enqueue(&columns, &[m], Some(&[GROUP]))?;
        session.run(&rows, &[n], Some(&[GROUP]))
    })?;
    let (expected_s, expected_q) = (a.transposed_times(&r), a.times(&p));
    ensure_each(&session.read(&s)?, 1, |j| expected_s[j])?;
    ensure_each(&session.read(&q)?, 1, |i| expected_q[i])?;
    Ok(time.with_work(a.bytes(2)))
}

fn mvt(mode: Mode) -> Result<Measurement> {
    let n = mode.size(2048, 128);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "rows_and_columns")?;
    let a = Matrix::new(1, n, n);
    let [y1, y2, x1, x2] = [2, 3, 4, 5].map(|seed| integers(seed, n));
    let buffer_a = session.buffer(&a.elements)?;
    let (buffer_y1, buffer_y2) = (session.buffer(&y1)?, session.buffer(&y2)?);
    let (out1, out2) = (session.buffer(&x1)?, session.buffer(&x2)?);
    kernel.set(&[&buffer_a, &buffer_y1, &buffer_y2, &out1, &out2, &(n as i32)])?;
    let time = mode.time_after(
        || {
            session.write(&out1, &x1)?;
            session.write(&out2, &x2)
        },
        || session.run(&kernel, &[n], Some(&[GROUP])),
    )?;
    let (product1, product2) = (a.times(&y1), a.transposed_times(&y2));
    ensure_each(&session.read(&out1)?, 1, |i| x1[i] + product1[i])?;
    ensure_each(&session.read(&out2)?, 1, |i| x2[i] + product2[i])?;
    Ok(time.with_work(a.bytes(1)))
}

fn gesummv(mode: Mode) -> Result<Measurement> {
    let n = mode.size(2048, 128);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "two_matrices")?;
    let (a, b, x) = (Matrix::new(1, n, n), Matrix::new(2, n, n), integers(3, n));
    let buffer_a = session.buffer(&a.elements)?;
    let buffer_b = session.buffer(&b.elements)?;
    let (buffer_x, y) = (session.buffer(&x)?, session.unwritten::<f32>(n)?);
    let (alpha, beta) = (2.0f32, 3.0f32);
    kernel.set(&[
        &buffer_a,
        &buffer_b,
        &buffer_x,
        &y,
        &alpha,
        &beta,
        &(n as i32),
    ])?;
    let time = mode.time(|| session.run(&kernel, &[n], Some(&[GROUP])))?;
    let (of_a, of_b) = (a.times(&x), b.times(&x));
    ensure_each(&session.read(&y)?, 1, |i| alpha * of_a[i] + beta * of_b[i])?;
    Ok(time.with_work(a.bytes(2)))
}

fn gemv(mode: Mode) -> Result<Measurement> {
    let n = mode.size(4096, 128);
    let session = Session::open()?;
    let kernel = session.kernel(SOURCE, "rows_by_groups")?;
    let (a, x) = (Matrix::new(1, n, n), integers(2, n));
    let (buffer_a, buffer_x) = (session.buffer(&a.elements)?, session.buffer(&x)?);
    let y = session.unwritten::<f32>(n)?;
    kernel.set(&[&buffer_a, &buffer_x, &y, &((n / 4) as i32)])?;
    let time = mode.time(|| session.run(&kernel, &[n * GROUP], Some(&[GROUP])))?;
    let expected = a.times(&x);
    ensure_each(&session.read(&y)?, 1, |i| expected[i])?;
    Ok(time.with_work(a.bytes(1)))
}
