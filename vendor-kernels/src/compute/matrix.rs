//! Kernels of level 2: matrices and vectors. Matrices are stored by columns, whose stored parts
//! `Storage` finds.

use super::inner_loops::{add_multiple, add_multiples, dot};
use super::vectors::{dense, with_dense};
use crate::call::ComputeError;
use crate::operands::Operands;
use crate::parallel::in_pieces;
use crate::real::Real;
use std::ops::Range;

type Outcome = Result<(), ComputeError>;

/// How the columns of a matrix are stored.
#[derive(Clone, Copy)]
pub enum Storage {
    /// All rows.
    Full { rows: usize, stride: usize },
    /// Some diagonals below and above the main one.
    Band {
        rows: usize,
        below: usize,
        above: usize,
        stride: usize,
    },
    /// A triangle.
    Triangle {
        order: usize,
        stride: usize,
        upper: bool,
    },
    /// A triangle without gaps between columns.
    Packed { order: usize, upper: bool },
}

impl Storage {
    /// The triangle of a band matrix.
    pub fn triangular_band(order: usize, diagonals: usize, stride: usize, upper: bool) -> Self {
        let (below, above) = if upper {
            (0, diagonals)
        } else {
            (diagonals, 0)
        };
        Self::Band {
            rows: order,
            below,
            above,
            stride,
        }
    }

    /// The rows of a column that are stored, and the place of the first of them.
    pub fn column(self, column: usize) -> (Range<usize>, usize) {
        match self {
            Self::Full { rows, stride } => (0..rows, column * stride),
            Self::Band {
                rows,
                below,
                above,
                stride,
            } => {
                let first = column.saturating_sub(above);
                let end = rows.min((column + 1).saturating_add(below));
                // Element (i, j) is in row above + i - j of the array.
                (
                    first..end.max(first),
                    column * stride + above + first - column,
                )
            }
            Self::Triangle {
                stride,
                upper: true,
                ..
            } => (0..column + 1, column * stride),
            Self::Triangle { order, stride, .. } => (column..order, column * (stride + 1)),
            Self::Packed { upper: true, .. } => (0..column + 1, column * (column + 1) / 2),
            Self::Packed { order, .. } => {
                // Columns before have order, order - 1, ... elements.
                (column..order, column * (2 * order + 1 - column) / 2)
            }
        }
    }

    /// The same, with the elements.
    pub fn elements<T>(self, array: &[T], column: usize) -> (Range<usize>, &[T]) {
        let (rows, start) = self.column(column);
        let elements = &array[start..start + rows.len()];
        (rows, elements)
    }
}

/// y = beta y; with a beta of 0, y is not read.
pub fn scale<T: Real>(beta: T, y: &mut [T]) {
    match () {
        _ if beta == T::zero() => y.fill(T::zero()),
        _ if beta != T::one() => y.iter_mut().for_each(|y| *y *= beta),
        _ => {}
    }
}

/// Computes y = alpha op(A) x + beta y.
fn product<T: Real>(
    o: &mut Operands<'_, T>,
    storage: Storage,
    (rows, columns): (usize, usize),
    transposed: bool,
) {
    let (alpha, beta) = (o.number("alpha"), o.number("beta"));
    let (incx, incy, a) = (o.signed("incx"), o.signed("incy"), o.read("a"));
    let (x_count, y_count) = if transposed {
        (rows, columns)
    } else {
        (columns, rows)
    };
    let x = dense(o.read("x"), x_count, incx);
    with_dense(o.written("y"), y_count, incy, |y| {
        if alpha == T::zero() {
            scale(beta, y);
            return;
        }
        // A piece of y has its own part of each column, or its own columns.
        let (weight, is_wanted) = (x_count, x_count > 0);
        in_pieces(y, 1, weight, &|first, y| {
            scale(beta, y);
            if !is_wanted {
                return;
            }
            if transposed {
                for (column, y) in (first..).zip(y) {
                    let (rows, elements) = storage.elements(a, column);
                    *y += alpha * dot(elements, &x[rows]);
                }
                return;
            }
            let own = first..first + y.len();
            let mut columns = 0..x_count;
            if let Storage::Full { stride, .. } = storage {
                let whole = x_count / 4 * 4;
                for column in (0..whole).step_by(4) {
                    let numbers: [usize; 4] = std::array::from_fn(|next| column + next);
                    let parts = numbers.map(|number| &a[number * stride..][own.clone()]);
                    add_multiples(numbers.map(|number| alpha * x[number]), parts, y);
                }
                columns.start = whole;
            }
            for column in columns {
                let (rows, elements) = storage.elements(a, column);
                let (from, to) = (rows.start.max(own.start), rows.end.min(own.end));
                if from < to {
                    let part = &elements[from - rows.start..to - rows.start];
                    let y = &mut y[from - own.start..to - own.start];
                    add_multiple(alpha * x[column], part, y);
                }
            }
        });
    });
}

/// `trans, m, n, alpha, a, lda, x, incx, beta, y, incy`
pub fn gemv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (rows, columns) = (o.size("m"), o.size("n"));
    let stride = o.size("lda");
    let transposed = o.flag("trans");
    product(
        o,
        Storage::Full { rows, stride },
        (rows, columns),
        transposed,
    );
    Ok(())
}

/// `trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy`
pub fn gbmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (rows, columns) = (o.size("m"), o.size("n"));
    let storage = Storage::Band {
        rows,
        below: o.size("kl"),
        above: o.size("ku"),
        stride: o.size("lda"),
    };
    let transposed = o.flag("trans");
    product(o, storage, (rows, columns), transposed);
    Ok(())
}

/// Computes y = alpha A x + beta y, where A is symmetric.
fn symmetric_product<T: Real>(o: &mut Operands<'_, T>, storage: Storage) {
    let (n, alpha, beta) = (o.size("n"), o.number("alpha"), o.number("beta"));
    let (incx, incy, a) = (o.signed("incx"), o.signed("incy"), o.read("a"));
    let x = dense(o.read("x"), n, incx);
    with_dense(o.written("y"), n, incy, |y| {
        scale(beta, y);
        if alpha == T::zero() {
            return;
        }
        for column in 0..n {
            let (rows, elements) = storage.elements(a, column);
            // The diagonal is the first or the last element; the others count twice.
            let (diagonal, others, other_rows) = match rows.start == column {
                true => (elements[0], &elements[1..], column + 1..rows.end),
                false => (
                    elements[elements.len() - 1],
                    &elements[..elements.len() - 1],
                    rows.start..column,
                ),
            };
            let across = dot(others, &x[other_rows.clone()]);
            y[column] += alpha * (diagonal * x[column] + across);
            add_multiple(alpha * x[column], others, &mut y[other_rows]);
        }
    });
}

/// `upper, n, alpha, a, lda, x, incx, beta, y, incy`
pub fn symv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangle(o);
    symmetric_product(o, storage);
    Ok(())
}

/// `upper, n, k, alpha, a, lda, x, incx, beta, y, incy`
pub fn sbmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangular_band(o);
    symmetric_product(o, storage);
    Ok(())
}

/// `upper, n, alpha, a, x, incx, beta, y, incy`
pub fn spmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = packed(o);
    symmetric_product(o, storage);
    Ok(())
}

pub fn triangle<T: Real>(o: &mut Operands<'_, T>) -> Storage {
    Storage::Triangle {
        order: o.size("n"),
        stride: o.size("lda"),
        upper: o.flag("upper"),
    }
}

pub fn triangular_band<T: Real>(o: &mut Operands<'_, T>) -> Storage {
    Storage::triangular_band(o.size("n"), o.size("k"), o.size("lda"), o.flag("upper"))
}

pub fn packed<T: Real>(o: &mut Operands<'_, T>) -> Storage {
    Storage::Packed {
        order: o.size("n"),
        upper: o.flag("upper"),
    }
}

/// `m, n, alpha, x, incx, y, incy, a, lda`
pub fn ger<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (m, n, alpha, stride) = (o.size("m"), o.size("n"), o.number("alpha"), o.size("lda"));
    let (incx, incy) = (o.signed("incx"), o.signed("incy"));
    let (x, y) = (dense(o.read("x"), m, incx), dense(o.read("y"), n, incy));
    let a = o.written("a");
    if m == 0 || alpha == T::zero() {
        return Ok(());
    }
    in_pieces(a, stride, 1, &|first, a| {
        for (column, a) in (first / stride..).zip(a.chunks_mut(stride)) {
            add_multiple(alpha * y[column], &x, &mut a[..m]);
        }
    });
    Ok(())
}

/// Adds alpha x yᵀ to the stored columns of A, and alpha y xᵀ if there is a y; alpha x xᵀ if not.
fn symmetric_update<T: Real>(o: &mut Operands<'_, T>, storage: Storage, has_y: bool) {
    let (n, alpha, incx) = (o.size("n"), o.number("alpha"), o.signed("incx"));
    let x = dense(o.read("x"), n, incx);
    let y = has_y.then(|| {
        let incy = o.signed("incy");
        dense(o.read("y"), n, incy)
    });
    let a = o.written("a");
    if alpha == T::zero() {
        return;
    }
    for column in 0..n {
        let (rows, start) = storage.column(column);
        let elements = &mut a[start..start + rows.len()];
        match &y {
            None => add_multiple(alpha * x[column], &x[rows], elements),
            Some(y) => {
                add_multiple(alpha * y[column], &x[rows.clone()], elements);
                add_multiple(alpha * x[column], &y[rows], elements);
            }
        }
    }
}

/// `upper, n, alpha, x, incx, a, lda`
pub fn syr<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangle(o);
    symmetric_update(o, storage, false);
    Ok(())
}

/// `upper, n, alpha, x, incx, a`
pub fn spr<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = packed(o);
    symmetric_update(o, storage, false);
    Ok(())
}

/// `upper, n, alpha, x, incx, y, incy, a, lda`
pub fn syr2<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangle(o);
    symmetric_update(o, storage, true);
    Ok(())
}

/// `upper, n, alpha, x, incx, y, incy, a`
pub fn spr2<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = packed(o);
    symmetric_update(o, storage, true);
    Ok(())
}
