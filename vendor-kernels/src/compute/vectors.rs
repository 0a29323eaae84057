//! Kernels of level 1: vectors.

use super::inner_loops::{add_multiple, dot};
use crate::call::ComputeError;
use crate::operands::Operands;
use crate::parallel::in_pieces;
use crate::real::Real;
use std::borrow::Cow;

type Outcome = Result<(), ComputeError>;

/// The places of a vector's elements in its array: with a negative increment from the end.
pub fn places(count: usize, increment: i64) -> impl ExactSizeIterator<Item = usize> + Clone {
    let step = increment.unsigned_abs() as usize;
    let last = count.saturating_sub(1);
    (0..count).map(move |number| match increment < 0 {
        true => (last - number) * step,
        false => number * step,
    })
}

/// The elements of a vector, one behind the other.
pub fn dense<T: Real>(array: &[T], count: usize, increment: i64) -> Cow<'_, [T]> {
    match increment {
        1 => Cow::Borrowed(&array[..count]),
        _ => Cow::Owned(places(count, increment).map(|place| array[place]).collect()),
    }
}

/// Calls `body` with the elements of a vector one behind the other, and puts them back.
pub fn with_dense<T: Real>(
    array: &mut [T],
    count: usize,
    increment: i64,
    body: impl FnOnce(&mut [T]),
) {
    if increment == 1 {
        body(&mut array[..count]);
        return;
    }
    let mut elements = dense(array, count, increment).into_owned();
    body(&mut elements);
    for (place, element) in places(count, increment).zip(elements) {
        array[place] = element;
    }
}

/// `n, x, incx, y, incy`
pub fn swap<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    pairs(o, |x, y| (y, x));
    Ok(())
}

/// Replaces the elements of x and y by others.
fn pairs<T: Real>(o: &mut Operands<'_, T>, next: impl Fn(T, T) -> (T, T)) {
    let n = o.size("n");
    let (x_places, y_places) = (places(n, o.signed("incx")), places(n, o.signed("incy")));
    let (x, y) = (o.written("x"), o.written("y"));
    for (i, j) in x_places.zip(y_places) {
        (x[i], y[j]) = next(x[i], y[j]);
    }
}

/// `n, alpha, x, incx`
pub fn scal<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, alpha, incx, x) = (
        o.size("n"),
        o.number("alpha"),
        o.signed("incx"),
        o.written("x"),
    );
    with_dense(x, n, incx, |x| {
        in_pieces(x, 1, 1, &|_, x| x.iter_mut().for_each(|x| *x *= alpha));
    });
    Ok(())
}

/// `n, x, incx, y, incy`
pub fn copy<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx, incy) = (o.size("n"), o.signed("incx"), o.signed("incy"));
    let x = dense(o.read("x"), n, incx);
    with_dense(o.written("y"), n, incy, |y| {
        in_pieces(y, 1, 1, &|first, y| {
            y.copy_from_slice(&x[first..first + y.len()]);
        });
    });
    Ok(())
}

/// `n, alpha, x, incx, y, incy`
pub fn axpy<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx, incy) = (o.size("n"), o.signed("incx"), o.signed("incy"));
    let alpha = o.number("alpha");
    let x = dense(o.read("x"), n, incx);
    if alpha == T::zero() {
        return Ok(());
    }
    with_dense(o.written("y"), n, incy, |y| {
        in_pieces(y, 1, 1, &|first, y| add_multiple(alpha, &x[first..], y));
    });
    Ok(())
}

/// `n, x, incx, y, incy, r`
pub fn dot_product<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx, incy) = (o.size("n"), o.signed("incx"), o.signed("incy"));
    let (x, y) = (dense(o.read("x"), n, incx), dense(o.read("y"), n, incy));
    o.written("r")[0] = sum_of_parts(n, &|part| dot(&x[part.clone()], &y[part]));
    Ok(())
}

/// The sum over all elements, by parts of a fixed size: it does not depend on the number of threads.
fn sum_of_parts<T: Real>(n: usize, sum: &(dyn Fn(std::ops::Range<usize>) -> T + Sync)) -> T {
    const PART: usize = 1 << 14;
    let mut sums = vec![T::zero(); n.div_ceil(PART)];
    in_pieces(&mut sums, 1, PART, &|first, sums| {
        for (number, one) in (first..).zip(sums) {
            *one = sum(number * PART..n.min((number + 1) * PART));
        }
    });
    sums.into_iter().sum()
}

/// `n, x, incx, r`
pub fn nrm2<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx) = (o.size("n"), o.signed("incx"));
    let x = dense(o.read("x"), n, incx);
    let squares = sum_of_parts(n, &|part| dot(&x[part.clone()], &x[part]));
    let is_exact = squares.is_normal() && squares.sqrt() > T::min_positive_value().sqrt();
    o.written("r")[0] = match is_exact || squares.is_nan() {
        true => squares.sqrt(),
        // Squares that overflow or underflow are those of scaled elements.
        false => {
            let largest = x.iter().fold(T::zero(), |most, x| most.max(x.abs()));
            match largest > T::zero() && largest.is_finite() {
                false => largest,
                true => {
                    let scaled = x.iter().map(|x| (*x / largest) * (*x / largest));
                    largest * scaled.sum::<T>().sqrt()
                }
            }
        }
    };
    Ok(())
}

/// `n, x, incx, r`
pub fn asum<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx) = (o.size("n"), o.signed("incx"));
    let x = dense(o.read("x"), n, incx);
    o.written("r")[0] = sum_of_parts(n, &|part| x[part].iter().map(|x| x.abs()).sum());
    Ok(())
}

/// `n, x, incx, r`
pub fn amax<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (n, incx) = (o.size("n"), o.signed("incx"));
    let x = dense(o.read("x"), n, incx);
    let mut found = (0, T::neg_infinity());
    for (number, x) in x.iter().enumerate() {
        if x.abs() > found.1 {
            found = (number, x.abs());
        }
    }
    o.written_integers("r")[0] = found.0 as i32;
    Ok(())
}

/// `n, x, incx, y, incy, c, s`
pub fn rot<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let (c, s) = (o.number("c"), o.number("s"));
    pairs(o, |x, y| (c * x + s * y, c * y - s * x));
    Ok(())
}

/// `n, x, incx, y, incy, param`
pub fn rotm<T: Real>(o: &mut Operands<'_, T>) -> Outcome {
    let param = o.read("param");
    let (one, zero) = (T::one(), T::zero());
    let [flag, h11, h21, h12, h22] = std::array::from_fn(|place| param[place]);
    let [h11, h21, h12, h22] = match () {
        _ if flag == -one => [h11, h21, h12, h22],
        _ if flag == zero => [one, h21, h12, one],
        _ if flag == one => [h11, -one, one, h22],
        _ => return Ok(()),
    };
    pairs(o, |x, y| (h11 * x + h12 * y, h21 * x + h22 * y));
    Ok(())
}
