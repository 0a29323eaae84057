//! Decompositions of matrices: series of launches that depend on each other.

use super::{Case, Category, ensure_each_close, floats, source};
use crate::opencl::Session;
use crate::timing::{Measurement, Mode, Work};
use anyhow::Result;
use std::cell::Cell;

pub const CASES: &[Case] = &[
    Case {
        name: "gaussian",
        what: "elimination of 384 x 384 floats, 766 launches, 16 x 16",
        category: Category::Kernel,
        measure: gaussian,
    },
    Case {
        name: "gaussian-sizes",
        what: "the same of 384 rows, 383, 382, ...: no launch is like another",
        category: Category::Kernel,
        measure: gaussian_sizes,
    },
    Case {
        name: "gramschmidt",
        what: "256 x 256 floats, 768 launches",
        category: Category::Kernel,
        measure: gramschmidt,
    },
    Case {
        name: "lud",
        what: "768 x 768 floats, blocks of 16 x 16 in local memory, 142 launches",
        category: Category::Kernel,
        measure: lud,
    },
];

const SOURCE: &str = source!("algebra/elimination.cl");

/// Random, with a diagonal that makes pivots unnecessary.
fn matrix(size: usize) -> Vec<f32> {
    let mut elements = floats(1, size * size, -1.0..1.0);
    for i in 0..size {
        elements[i * size + i] += size as f32 / 4.0;
    }
    elements
}

fn gaussian(mode: Mode) -> Result<Measurement> {
    let n = mode.size(384, 32);
    eliminations(mode, n, || n)
}

/// 64 sizes, so that no matrix is much smaller than the first.
fn gaussian_sizes(mode: Mode) -> Result<Measurement> {
    let n = mode.size(384, 32);
    let mut sizes = (0..64).cycle().map(|less| n - less % (n / 2));
    eliminations(mode, n, || sizes.next().unwrap_or(n))
}

/// Times eliminations of matrices of `size()` rows, at most `n`.
fn eliminations(mode: Mode, n: usize, mut size: impl FnMut() -> usize) -> Result<Measurement> {
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (factors, eliminate) = (program.kernel("factors")?, program.kernel("eliminate")?);
    let b = floats(2, n, -1.0..1.0);
    let buffer_f = session.buffer(&vec![0.0f32; n * n])?;
    let (buffer_a, buffer_b) = (session.buffer(&matrix(n))?, session.buffer(&b)?);
    let current = Cell::new(n);
    let time = mode.time_after(
        || {
            current.set(size());
            session.write(&buffer_a, &matrix(current.get()))?;
            session.write(&buffer_b, &b)
        },
        || {
            let n = current.get();
            for t in 0..n as i32 - 1 {
                factors.set(&[&buffer_f, &buffer_a, &(n as i32), &t])?;
                session.enqueue(&factors, &[n.next_multiple_of(32)], Some(&[32]))?;
                let global = n.next_multiple_of(16);
                eliminate.set(&[&buffer_f, &buffer_a, &buffer_b, &(n as i32), &t])?;
                session.enqueue(&eliminate, &[global, global], Some(&[16, 16]))?;
            }
            session.finish()
        },
    )?;
    let n = current.get();
    let (lower, upper) = decomposed(&matrix(n), n);
    // The right side with each row's factors applied.
    let mut side: Vec<f64> = b.iter().take(n).map(|b| f64::from(*b)).collect();
    for i in 0..n {
        let before = (0..i).map(|t| lower[i * n + t] * side[t]).sum::<f64>();
        side[i] -= before;
    }
    let accuracy = (1.0, 1e-4);
    ensure_each_close(&session.read(&buffer_a)?[..n * n], 1, accuracy, |i| {
        upper[i]
    })?;
    ensure_each_close(&session.read(&buffer_b)?[..n], 1, accuracy, |i| side[i])?;
    Ok(time)
}

/// The factors below the diagonal, and the rows from it on.
fn decomposed(a: &[f32], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut lower = vec![0.0; n * n];
    let mut upper: Vec<f64> = a.iter().map(|a| f64::from(*a)).collect();
    for t in 0..n {
        let (above, below) = upper.split_at_mut((t + 1) * n);
        let pivot = &above[t * n..];
        for (row, i) in below.chunks_exact_mut(n).zip(t + 1..) {
            let factor = row[t] / pivot[t];
            lower[i * n + t] = factor;
            for (x, pivot) in row.iter_mut().zip(pivot) {
                *x -= factor * pivot;
            }
            row[t] = 0.0;
        }
    }
    (lower, upper)
}

fn lud(mode: Mode) -> Result<Measurement> {
    const BLOCK: usize = 16;
    let n = mode.size(768, 64);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let diagonal = program.kernel("lu_diagonal")?;
    let perimeter = program.kernel("lu_perimeter")?;
    let inner = program.kernel("lu_inner")?;
    let a = matrix(n);
    let buffer = session.buffer(&a)?;
    let time = mode.time_after(
        || session.write(&buffer, &a),
        || {
            for start in (0..n).step_by(BLOCK) {
                let rest = n - start - BLOCK;
                for kernel in [&diagonal, &perimeter, &inner] {
                    kernel.set(&[&buffer, &(n as i32), &(start as i32)])?;
                }
                session.enqueue(&diagonal, &[BLOCK], Some(&[BLOCK]))?;
                if rest > 0 {
                    session.enqueue(&perimeter, &[2 * rest], Some(&[2 * BLOCK]))?;
                    session.enqueue(&inner, &[rest, rest], Some(&[BLOCK, BLOCK]))?;
                }
            }
            session.finish()
        },
    )?;
    let (lower, upper) = decomposed(&a, n);
    let expected = |i: usize| lower[i] + upper[i];
    ensure_each_close(&session.read(&buffer)?, 1, (1.0, 1e-4), expected)?;
    Ok(time.with_work(Work::Float(2.0 / 3.0 * (n as f64).powi(3))))
}

fn gramschmidt(mode: Mode) -> Result<Measurement> {
    let n = mode.size(256, 32);
    let session = Session::open()?;
    let program = session.program(SOURCE, "")?;
    let (norm, normalise) = (program.kernel("norm")?, program.kernel("normalise")?);
    let project = program.kernel("project")?;
    let a = matrix(n);
    let (buffer_a, r) = (session.buffer(&a)?, session.buffer(&vec![0.0f32; n * n])?);
    let q = session.unwritten::<f32>(n * n)?;
    let time = mode.time_after(
        || session.write(&buffer_a, &a),
        || {
            for k in 0..n as i32 {
                norm.set(&[&buffer_a, &r, &(n as i32), &k])?;
                session.enqueue(&norm, &[32], Some(&[32]))?;
                normalise.set(&[&buffer_a, &r, &q, &(n as i32), &k])?;
                session.enqueue(&normalise, &[n], Some(&[32]))?;
                project.set(&[&buffer_a, &r, &q, &(n as i32), &k])?;
                session.enqueue(&project, &[n], Some(&[32]))?;
            }
            session.finish()
        },
    )?;
    let (r, q) = (session.read(&r)?, session.read(&q)?);
    // Orthonormal columns, whose combinations by r are those of the matrix.
    let dot = |j: usize, k: usize| (0..n).map(|i| q[i * n + j] * q[i * n + k]).sum::<f32>();
    for j in 0..n {
        let products: Vec<f32> = (j..n).map(|k| dot(j, k)).collect();
        ensure_each_close(&products, 1, (1.0, 1e-4), |k| f64::from(k == 0))?;
    }
    let product = |i: usize| -> f64 {
        let (row, column) = (i / n, i % n);
        let pairs = (0..=column).map(|k| q[row * n + k] * r[k * n + column]);
        pairs.map(f64::from).sum()
    };
    ensure_each_close(&a, 1, (n as f64, 1e-5), product)?;
    Ok(time)
}
