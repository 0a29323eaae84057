//! Kernels of level 2 with triangular matrices: products and solutions, in place.

use super::inner_loops::{add_multiple, dot};
use super::matrix::{Storage, packed, triangle, triangular_band};
use super::vectors::with_dense;
use crate::call::ComputeError;
use crate::operands::Operands;
use crate::real::Real;
use std::ops::Range;

type Outcome = Result<(), ComputeError>;

/// The diagonal element of a column, and the others with their rows.
struct Column<'a, T> {
    diagonal: T,
    others: &'a [T],
    rows: Range<usize>,
}

fn column<T: Real>(storage: Storage, a: &[T], number: usize, is_unit: bool) -> Column<'_, T> {
    let (rows, elements) = storage.elements(a, number);
    let (diagonal, others, rows) = match rows.start == number {
        true => (elements[0], &elements[1..], number + 1..rows.end),
        false => {
            let last = elements.len() - 1;
            (elements[last], &elements[..last], rows.start..number)
        }
    };
    Column {
        diagonal: if is_unit { T::one() } else { diagonal },
        others,
        rows,
    }
}

/// The columns from the first or from the last one.
fn in_order(count: usize, is_ascending: bool) -> impl Iterator<Item = usize> {
    (0..count).map(move |number| match is_ascending {
        true => number,
        false => count - 1 - number,
    })
}

/// Computes x = op(A) x.
fn product<T: Real>(o: &mut Operands<'_, T>, storage: Storage) {
    let (n, incx, a) = (o.size("n"), o.signed("incx"), o.read("a"));
    let [upper, transposed, is_unit] = ["upper", "trans", "unit"].map(|name| o.flag(name));
    with_dense(o.written("x"), n, incx, |x| {
        // Elements that are still to be read are not overwritten yet.
        for number in in_order(n, upper != transposed) {
            let column = column(storage, a, number, is_unit);
            let own = x[number];
            if transposed {
                x[number] = column.diagonal * own + dot(column.others, &x[column.rows]);
            } else {
                add_multiple(own, column.others, &mut x[column.rows]);
                x[number] = column.diagonal * own;
            }
        }
    });
}

/// Computes x = op(A)⁻¹ x.
fn solution<T: Real>(o: &mut Operands<'_, T>, storage: Storage) {
    let (n, incx, a) = (o.size("n"), o.signed("incx"), o.read("a"));
    let [upper, transposed, is_unit] = ["upper", "trans", "unit"].map(|name| o.flag(name));
    with_dense(o.written("x"), n, incx, |x| {
        for number in in_order(n, upper == transposed) {
            let column = column(storage, a, number, is_unit);
            if transposed {
                let known = dot(column.others, &x[column.rows]);
                x[number] = (x[number] - known) / column.diagonal;
            } else {
                x[number] /= column.diagonal;
                let own = x[number];
                add_multiple(-own, column.others, &mut x[column.rows]);
            }
        }
    });
}

/// `upper, trans, unit, n, a, lda, x, incx`
pub fn trmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangle(o);
    product(o, storage);
    Ok(())
}

/// `upper, trans, unit, n, k, a, lda, x, incx`
pub fn tbmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangular_band(o);
    product(o, storage);
    Ok(())
}

/// `upper, trans, unit, n, a, x, incx`
pub fn tpmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = packed(o);
    product(o, storage);
    Ok(())
}

/// `upper, trans, unit, n, a, lda, x, incx`
pub fn trsv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangle(o);
    solution(o, storage);
    Ok(())
}

/// `upper, trans, unit, n, k, a, lda, x, incx`
pub fn tbsv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = triangular_band(o);
    solution(o, storage);
    Ok(())
}

/// `upper, trans, unit, n, a, x, incx`
pub fn tpsv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let storage = packed(o);
    solution(o, storage);
    Ok(())
}
