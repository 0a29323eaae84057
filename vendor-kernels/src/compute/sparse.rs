//! Products of sparse matrices and vectors.

use crate::call::ComputeError;
use crate::operands::Operands;
use crate::parallel::in_pieces;
use crate::real::Real;

type Outcome = Result<(), ComputeError>;

/// The result of a row: alpha times its product, and beta times the old result, which a beta of 0 does not
/// read.
fn combined<T: Real>(alpha: T, product: T, beta: T, old: T) -> T {
    match beta == T::zero() {
        true => alpha * product,
        false => alpha * product + beta * old,
    }
}

/// `rows, columns, entries, alpha, values, places, starts, x, beta, y`
pub fn csrmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (rows, columns, entries) = (o.size("rows"), o.size("columns"), o.size("entries"));
    let (alpha, beta) = (o.number("alpha"), o.number("beta"));
    let (values, places) = (o.read("values"), o.integers("places"));
    let (starts, x) = (o.integers("starts"), o.read("x"));
    let mut last = 0;
    for (row, start) in starts.iter().enumerate() {
        if *start < last || *start as usize > entries {
            let start = *start;
            return Err(ComputeError::Start {
                row,
                start,
                entries,
            });
        }
        last = *start;
    }
    check_places(&places[..entries], columns, false)?;
    let weight = entries / rows.max(1) + 1;
    in_pieces(o.written("y"), 1, weight, &|first, y| {
        for (row, y) in (first..).zip(y) {
            let range = starts[row] as usize..starts[row + 1] as usize;
            let entries = values[range.clone()].iter().zip(&places[range]);
            let product = entries
                .map(|(value, place)| *value * x[*place as usize])
                .sum();
            *y = combined(alpha, product, beta, *y);
        }
    });
    Ok(())
}

/// `rows, columns, width, alpha, values, places, x, beta, y`
pub fn ellmv<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (rows, columns, width) = (o.size("rows"), o.size("columns"), o.size("width"));
    let (alpha, beta) = (o.number("alpha"), o.number("beta"));
    let (values, places, x) = (o.read("values"), o.integers("places"), o.read("x"));
    check_places(places, columns, true)?;
    in_pieces(o.written("y"), 1, width + 1, &|first, y| {
        for (row, y) in (first..).zip(y) {
            let entries = (0..width).map(|entry| entry * rows + row);
            let entries = entries.filter(|entry| places[*entry] >= 0);
            let product = entries
                .map(|entry| values[entry] * x[places[entry] as usize])
                .sum();
            *y = combined(alpha, product, beta, *y);
        }
    });
    Ok(())
}

/// # Errors
/// `Place`: one that is no column, nor -1 if that is permitted.
fn check_places(places: &[i32], columns: usize, permits_none: bool) -> Outcome {
    let is_wrong = |place: i32| match place < 0 {
        true => !(permits_none && place == -1),
        false => place as usize >= columns,
    };
    match places.iter().position(|place| is_wrong(*place)) {
        None => Ok(()),
        Some(entry) => Err(ComputeError::Place {
            entry,
            place: places[entry],
            columns,
        }),
    }
}
