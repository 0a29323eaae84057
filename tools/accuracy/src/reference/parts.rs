//! Functions that split numbers, and remainders.

use super::answer::{Answer, Expected, PRECISION, SUM, number, value};
use crate::case::Case;
use crate::format::Rounding;
use rug::{Float, Integer};

/// The fraction is below 1 even if that requires rounding down.
pub fn fract(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    if x.is_nan() {
        return [number(f64::NAN), number(f64::NAN)]
            .into_iter()
            .flatten()
            .collect();
    }
    let whole = x.floor();
    let part = if x.is_infinite() || is_integer(x) {
        0f64.copysign(x)
    } else {
        let exact = case.float(0, SUM) - Float::with_val(SUM, whole);
        let rounded = case.format.round(&exact, Rounding::Nearest);
        rounded.min(case.format.step(1.0, -1))
    };
    // For a negative integer the fraction is +0.
    let part = if x < 0.0 && x.is_finite() && part == 0.0 {
        0.0
    } else {
        part
    };
    [number(part), number(whole)]
        .into_iter()
        .flatten()
        .collect()
}

pub fn frexp(case: &Case<'_>) -> Expected {
    let x = case.float(0, PRECISION);
    let (fraction, exponent) = match x.get_exp() {
        Some(exponent) => (x >> exponent, exponent),
        None => (x, 0),
    };
    vec![
        Answer::Value(fraction),
        Answer::Integer(vec![i128::from(exponent)]),
    ]
}

pub fn modf(case: &Case<'_>) -> Expected {
    let x = case.value(0);
    let part = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    let part = if x.is_nan() { x } else { part.copysign(x) };
    [number(part), number(x.trunc())]
        .into_iter()
        .flatten()
        .collect()
}

pub fn remainder(case: &Case<'_>) -> Expected {
    let (x, y) = (case.float(0, PRECISION), case.float(1, PRECISION));
    value(x.remainder(&y))
}

/// The quotient's lower seven bits with its sign; zero if the quotient is undefined.
pub fn remquo(case: &Case<'_>) -> Expected {
    let (x, y) = (case.value(0), case.value(1));
    let mut expected = remainder(case);
    let undefined = x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0;
    let quotient = if undefined || y.is_infinite() {
        0
    } else {
        let Answer::Value(remainder) = &expected[0] else {
            unreachable!("a remainder is a value");
        };
        let whole = (case.float(0, SUM) - remainder) / case.float(1, SUM);
        let whole = whole.to_integer().unwrap_or_default();
        let low: Integer = Integer::from(whole.abs_ref()) & 127;
        let low = i128::from(low.to_u32_wrapping());
        if whole < 0 { -low } else { low }
    };
    expected.push(Answer::Integer(vec![quotient]));
    expected
}

/// Whether a number is an integer.
pub fn is_integer(x: f64) -> bool {
    x.is_finite() && x == x.trunc()
}
