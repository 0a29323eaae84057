//! Kernels of level 3: products of matrices, and what is made of them.

use super::inner_loops::add_multiple;
use super::matrix::scale;
use crate::call::ComputeError;
use crate::operands::Operands;
use crate::parallel::in_pieces;
use crate::real::{Real, Strided};
use std::ops::Range;

type Outcome = Result<(), ComputeError>;

/// Columns of the blocks that triangles are divided into.
const BLOCK: usize = 64;

/// Most equations that are solved without products of matrices.
const SOLVED: usize = 16;

/// A matrix that is read: its elements, and the distances of rows and of columns.
#[derive(Clone, Copy)]
struct Matrix<'a, T> {
    elements: &'a [T],
    rows: usize,
    columns: usize,
}

impl<'a, T: Real> Matrix<'a, T> {
    /// A matrix by columns, or its transpose.
    fn new(elements: &'a [T], stride: usize, transposed: bool) -> Self {
        let (rows, columns) = if transposed { (stride, 1) } else { (1, stride) };
        Self {
            elements,
            rows,
            columns,
        }
    }

    fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            ..self
        }
    }

    /// The matrix without its first rows and columns.
    fn from(self, row: usize, column: usize) -> Self {
        let start = row * self.rows + column * self.columns;
        Self {
            elements: self.elements.get(start..).unwrap_or_default(),
            ..self
        }
    }

    fn at(self, row: usize, column: usize) -> T {
        self.elements[row * self.rows + column * self.columns]
    }

    fn strided(self) -> Strided<*const T> {
        Strided {
            start: self.elements.as_ptr(),
            rows: self.rows as isize,
            columns: self.columns as isize,
        }
    }
}

/// C = alpha A B + beta C on this thread, for columns of C of `stride` elements.
fn multiply<T: Real>(
    [m, k, n]: [usize; 3],
    alpha: T,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    beta: T,
    c: &mut [T],
    stride: usize,
) {
    if m == 0 || n == 0 {
        return;
    }
    if k == 0 || alpha == T::zero() {
        c.chunks_mut(stride)
            .take(n)
            .for_each(|column| scale(beta, &mut column[..m]));
        return;
    }
    let last = |matrix: Matrix<'_, T>, rows: usize, columns: usize| {
        (rows - 1) * matrix.rows + (columns - 1) * matrix.columns
    };
    assert!(last(a, m, k) < a.elements.len() && last(b, k, n) < b.elements.len());
    assert!(m <= stride && (n - 1) * stride + m <= c.len());
    let c = Strided {
        start: c.as_mut_ptr(),
        rows: 1,
        columns: stride as isize,
    };
    // SAFETY: the last elements are in the slices, of which C's is exclusive.
    unsafe { T::multiply([m, k, n], alpha, a.strided(), b.strided(), beta, c) };
}

/// The same on all threads: each has some columns of C, or some rows if C has few columns.
fn multiply_parallel<T: Real>(
    [m, k, n]: [usize; 3],
    alpha: T,
    a: Matrix<'_, T>,
    b: Matrix<'_, T>,
    beta: T,
    c: &mut [T],
    stride: usize,
) {
    if n < 16 && m >= 256 {
        // The transpose of the product, in columns of its own.
        let mut product = vec![T::zero(); n * m];
        in_pieces(&mut product, n, k, &|first, part| {
            let rows = part.len() / n;
            let size = [n, k, rows];
            let (b, a) = (b.transposed(), a.from(first / n, 0).transposed());
            multiply(size, alpha, b, a, T::zero(), part, n);
        });
        for (column, c) in c.chunks_mut(stride).take(n).enumerate() {
            scale(beta, &mut c[..m]);
            for (c, row) in c.iter_mut().zip(product.chunks_exact(n)) {
                *c += row[column];
            }
        }
        return;
    }
    let used = match n {
        0 => 0,
        _ => (n - 1) * stride + m,
    };
    let weight = k.saturating_mul(m) / stride.max(1);
    in_pieces(&mut c[..used], stride, weight, &|first, part| {
        let columns = part.len().div_ceil(stride);
        let b = b.from(0, first / stride);
        multiply([m, k, columns], alpha, a, b, beta, part, stride);
    });
}

/// `transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc`
pub fn gemm<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let size = [o.size("m"), o.size("k"), o.size("n")];
    let a = Matrix::new(o.read("a"), o.size("lda"), o.flag("transa"));
    let b = Matrix::new(o.read("b"), o.size("ldb"), o.flag("transb"));
    let (alpha, beta, stride) = (o.number("alpha"), o.number("beta"), o.size("ldc"));
    multiply_parallel(size, alpha, a, b, beta, o.written("c"), stride);
    Ok(())
}

/// All elements of a matrix that is given by one of its triangles, by columns.
fn whole<T: Real>(
    order: usize,
    stored: Matrix<'_, T>,
    upper: bool,
    other: impl Fn(T) -> T,
    diagonal: impl Fn(T) -> T,
) -> Vec<T> {
    let mut whole = vec![T::zero(); order * order];
    for column in 0..order {
        let rows = if upper { 0..column } else { column + 1..order };
        for row in rows {
            let element = stored.at(row, column);
            whole[column * order + row] = element;
            whole[row * order + column] = other(element);
        }
        whole[column * order + column] = diagonal(stored.at(column, column));
    }
    whole
}

/// `right, upper, m, n, alpha, a, lda, b, ldb, beta, c, ldc`
pub fn symm<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (m, n, right) = (o.size("m"), o.size("n"), o.flag("right"));
    let order = if right { n } else { m };
    let stored = Matrix::new(o.read("a"), o.size("lda"), false);
    let symmetric = whole(order, stored, o.flag("upper"), |x| x, |x| x);
    let symmetric = Matrix::new(&symmetric, order, false);
    let b = Matrix::new(o.read("b"), o.size("ldb"), false);
    let (a, b) = if right {
        (b, symmetric)
    } else {
        (symmetric, b)
    };
    let (alpha, beta, stride) = (o.number("alpha"), o.number("beta"), o.size("ldc"));
    multiply_parallel([m, order, n], alpha, a, b, beta, o.written("c"), stride);
    Ok(())
}

/// Adds the products to a triangle of beta C.
fn update_triangle<T: Real>(o: &mut Operands<'_, T>, products: &[(Matrix<'_, T>, Matrix<'_, T>)]) {
    let (n, k, upper) = (o.size("n"), o.size("k"), o.flag("upper"));
    let (alpha, beta, stride) = (o.number("alpha"), o.number("beta"), o.size("ldc"));
    let c = o.written("c");
    if n == 0 {
        return;
    }
    in_pieces(c, stride * BLOCK, k, &|first, c| {
        for (number, c) in c.chunks_mut(stride * BLOCK).enumerate() {
            let begin = first / stride + number * BLOCK;
            let block = begin..n.min(begin + BLOCK);
            if block.is_empty() {
                return;
            }
            for (column, c) in block.clone().zip(c.chunks_mut(stride)) {
                let rows = if upper { 0..column + 1 } else { column..n };
                scale(beta, &mut c[rows]);
            }
            for (a, b) in products {
                let b = b.from(0, block.start);
                update_block(c, stride, &block, n, upper, k, alpha, (*a, b));
            }
        }
    });
}

/// Adds a product to the columns `block` of a triangle, which begin at `c`.
#[expect(
    clippy::too_many_arguments,
    reason = "a block, its place, and a product"
)]
fn update_block<T: Real>(
    c: &mut [T],
    stride: usize,
    block: &Range<usize>,
    n: usize,
    upper: bool,
    k: usize,
    alpha: T,
    (a, b): (Matrix<'_, T>, Matrix<'_, T>),
) {
    let width = block.len();
    // The rows that all columns of the block have.
    let common = if upper { 0..block.start } else { block.end..n };
    if !common.is_empty() {
        let size = [common.len(), k, width];
        let c = &mut c[common.start..];
        multiply(size, alpha, a.from(common.start, 0), b, T::one(), c, stride);
    }
    let mut square = vec![T::zero(); width * width];
    multiply(
        [width, k, width],
        alpha,
        a.from(block.start, 0),
        b,
        T::zero(),
        &mut square,
        width,
    );
    for (column, product) in square.chunks_exact(width).enumerate() {
        let rows = if upper { 0..column + 1 } else { column..width };
        let start = column * stride + block.start;
        add_multiple(
            T::one(),
            &product[rows.clone()],
            &mut c[start + rows.start..start + rows.end],
        );
    }
}

/// `upper, trans, n, k, alpha, a, lda, beta, c, ldc`
pub fn syrk<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let a = Matrix::new(o.read("a"), o.size("lda"), o.flag("trans"));
    update_triangle(o, &[(a, a.transposed())]);
    Ok(())
}

/// `upper, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc`
pub fn syr2k<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let a = Matrix::new(o.read("a"), o.size("lda"), o.flag("trans"));
    let b = Matrix::new(o.read("b"), o.size("ldb"), o.flag("trans"));
    update_triangle(o, &[(a, b.transposed()), (b, a.transposed())]);
    Ok(())
}

/// op(A) of a triangular matrix with zeros in its other triangle, its order, and whether it is upper.
fn triangular<T: Real>(o: &mut Operands<'_, T>) -> (Vec<T>, usize, bool) {
    let (right, upper, is_unit) = (o.flag("right"), o.flag("upper"), o.flag("unit"));
    let order = if right { o.size("n") } else { o.size("m") };
    let transposed = o.flag("transa");
    let stored = Matrix::new(o.read("a"), o.size("lda"), transposed);
    let diagonal = |element| if is_unit { T::one() } else { element };
    let upper = upper != transposed;
    (
        whole(order, stored, upper, |_| T::zero(), diagonal),
        order,
        upper,
    )
}

/// The blocks of a triangle from the first or from the last one.
fn blocks(count: usize, is_ascending: bool) -> impl Iterator<Item = Range<usize>> {
    let number = count.div_ceil(BLOCK);
    (0..number).map(move |block| {
        let block = if is_ascending {
            block
        } else {
            number - 1 - block
        };
        block * BLOCK..count.min((block + 1) * BLOCK)
    })
}

/// `right, upper, transa, unit, m, n, alpha, a, lda, b, ldb`
pub fn trmm<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (m, n, right, alpha) = (o.size("m"), o.size("n"), o.flag("right"), o.number("alpha"));
    let (triangle, order, upper) = triangular(o);
    let a = Matrix::new(&triangle, order, false);
    let (stride, b) = (o.size("ldb"), o.written("b"));
    if m == 0 || n == 0 {
        return Ok(());
    }
    let old = b.to_vec();
    let old = Matrix::new(&old, stride, false);
    if right {
        in_pieces(b, stride * BLOCK, m, &|first, b| {
            for (number, b) in b.chunks_mut(stride * BLOCK).enumerate() {
                let begin = first / stride + number * BLOCK;
                let block = begin..n.min(begin + BLOCK);
                let used = if upper { 0..block.end } else { block.start..n };
                let a = a.from(used.start, block.start);
                let size = [m, used.len(), block.len()];
                multiply(
                    size,
                    alpha,
                    old.from(0, used.start),
                    a,
                    T::zero(),
                    b,
                    stride,
                );
            }
        });
        return Ok(());
    }
    in_pieces(b, stride, m, &|first, b| {
        let columns = b.len().div_ceil(stride);
        for block in blocks(m, true) {
            let used = if upper { block.start..m } else { 0..block.end };
            let size = [block.len(), used.len(), columns];
            let (a, old) = (
                a.from(block.start, used.start),
                old.from(used.start, first / stride),
            );
            multiply(
                size,
                alpha,
                a,
                old,
                T::zero(),
                &mut b[block.start..],
                stride,
            );
        }
    });
    Ok(())
}

/// `right, upper, transa, unit, m, n, alpha, a, lda, b, ldb`
pub fn trsm<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (m, n, right, alpha) = (o.size("m"), o.size("n"), o.flag("right"), o.number("alpha"));
    let (triangle, _, upper) = triangular(o);
    let (stride, b) = (o.size("ldb"), o.written("b"));
    if m == 0 || n == 0 {
        return Ok(());
    }
    if alpha == T::zero() {
        // A is not read.
        b.chunks_mut(stride)
            .take(n)
            .for_each(|column| column[..m].fill(alpha));
        return Ok(());
    }
    if !right {
        in_pieces(b, stride, m, &|_, b| {
            solve_columns(&triangle, m, upper, alpha, b, stride)
        });
        return Ok(());
    }
    // X op(A) = alpha B is op(A)ᵀ Xᵀ = alpha Bᵀ.
    let mut transposed = vec![T::zero(); n * n];
    transpose::transpose(&triangle, &mut transposed, n, n);
    let mut across = vec![T::zero(); m * n];
    for (column, b) in b.chunks(stride).take(n).enumerate() {
        for (row, b) in b[..m].iter().enumerate() {
            across[row * n + column] = *b;
        }
    }
    in_pieces(&mut across, n, n, &|_, across| {
        solve_columns(&transposed, n, !upper, alpha, across, n);
    });
    for (column, b) in b.chunks_mut(stride).take(n).enumerate() {
        for (row, b) in b[..m].iter_mut().enumerate() {
            *b = across[row * n + column];
        }
    }
    Ok(())
}

/// Solves A X = alpha B for columns of B, where A is stored by columns.
fn solve_columns<T: Real>(
    a: &[T],
    order: usize,
    upper: bool,
    alpha: T,
    b: &mut [T],
    stride: usize,
) {
    for column in b.chunks_mut(stride) {
        scale(alpha, &mut column[..order]);
    }
    solve_rows(a, order, 0..order, upper, b, stride);
}

/// Solves the equations of some rows, in which the other rows have no part. Those of half of the rows are
/// solved first; they are a part of the others, by a product of matrices.
fn solve_rows<T: Real>(
    a: &[T],
    order: usize,
    rows: Range<usize>,
    upper: bool,
    b: &mut [T],
    stride: usize,
) {
    if rows.len() <= SOLVED {
        for x in b.chunks_mut(stride) {
            solve_column(a, order, rows.clone(), upper, x);
        }
        return;
    }
    let middle = rows.start + rows.len() / 2;
    let (low, high) = (rows.start..middle, middle..rows.end);
    let (first, second) = if upper { (high, low) } else { (low, high) };
    solve_rows(a, order, first.clone(), upper, b, stride);
    let columns = b.len().div_ceil(stride);
    let solved = b.chunks(stride).flat_map(|x| &x[first.clone()]);
    let solved: Vec<T> = solved.copied().collect();
    let x = Matrix::new(&solved, first.len(), false);
    let part = Matrix::new(a, order, false).from(second.start, first.start);
    let size = [second.len(), first.len(), columns];
    let others = &mut b[second.start..];
    multiply(size, -T::one(), part, x, T::one(), others, stride);
    solve_rows(a, order, second, upper, b, stride);
}

/// The same for one column of B.
fn solve_column<T: Real>(a: &[T], order: usize, rows: Range<usize>, upper: bool, x: &mut [T]) {
    for number in 0..rows.len() {
        let row = match upper {
            true => rows.end - 1 - number,
            false => rows.start + number,
        };
        let column = &a[row * order..(row + 1) * order];
        x[row] /= column[row];
        let others = if upper {
            rows.start..row
        } else {
            row + 1..rows.end
        };
        add_multiple(-x[row], &column[others.clone()], &mut x[others]);
    }
}
