//! Geometric functions (OpenCL 1.2, section 6.12.5).

use super::answer::{Expected, FUSED, PRECISION, SUM, any, number, value};
use crate::case::Case;
use crate::format::Format;
use rug::Float;

fn largest_magnitude(case: &Case<'_>) -> f64 {
    case.values().into_iter().map(f64::abs).fold(0.0, f64::max)
}

fn epsilon(format: Format) -> f64 {
    2f64.powi(1 - format.precision() as i32)
}

/// Whether products and their sums are normal values of the type.
fn products_fit(case: &Case<'_>) -> bool {
    let format = case.format;
    let exponent = f64::from(format.largest_exponent() / 2 - 2);
    let (least, most) = ((-exponent).exp2(), exponent.exp2());
    let values = case.values();
    values
        .iter()
        .all(|x| *x == 0.0 || (least..most).contains(&x.abs()))
}

pub fn dot_tolerance(case: &Case<'_>) -> f64 {
    let components = case.types.len() as f64 / 2.0;
    largest_magnitude(case).powi(2) * (2.0 * components - 1.0) * epsilon(case.format)
}

pub fn cross_tolerance(case: &Case<'_>) -> f64 {
    largest_magnitude(case).powi(2) * 3.0 * epsilon(case.format)
}

pub fn dot(case: &Case<'_>) -> Expected {
    if !products_fit(case) {
        return any();
    }
    let width = case.types.len() / 2;
    let products = (0..width).map(|i| case.float(i, SUM) * case.float(i + width, SUM));
    value(products.fold(Float::with_val(SUM, 0), |sum, product| sum + product))
}

pub fn cross(case: &Case<'_>) -> Expected {
    if !products_fit(case) {
        return any();
    }
    let width = case.types.len() / 2;
    let a = |i| case.float(i, SUM);
    let b = |i| case.float(i + width, SUM);
    value(a(1) * b(2) - a(2) * b(1))
}

fn length_of(components: impl Iterator<Item = Float>) -> Float {
    let squares = components.map(|x| x.square());
    let sum = squares.fold(Float::with_val(FUSED, 0), |sum, square| sum + square);
    Float::with_val(PRECISION, sum.sqrt())
}

pub fn length(case: &Case<'_>) -> Expected {
    let width = case.types.len();
    value(length_of((0..width).map(|i| case.float(i, FUSED))))
}

pub fn distance(case: &Case<'_>) -> Expected {
    let width = case.types.len() / 2;
    let differences = (0..width).map(|i| case.float(i, FUSED) - case.float(i + width, FUSED));
    value(length_of(differences))
}

pub fn normalize(case: &Case<'_>) -> Expected {
    let mut values = case.values();
    if values.iter().any(|x| x.is_nan()) {
        return number(f64::NAN);
    }
    if values.iter().all(|x| *x == 0.0) {
        return number(values[0]);
    }
    if values.iter().any(|x| x.is_infinite()) {
        for x in &mut values {
            *x = if x.is_infinite() {
                x.signum()
            } else {
                0.0 * *x
            };
        }
    }
    let length = length_of(values.iter().map(|x| Float::with_val(FUSED, *x)));
    value(Float::with_val(PRECISION, values[0]) / length)
}

/// The result is undefined if the sum of squares leaves the range of normal values.
fn with_ordinary_square(
    case: &Case<'_>,
    components: impl Iterator<Item = f64>,
    reference: fn(&Case<'_>) -> Expected,
) -> Expected {
    let square: f64 = components.map(|x| x * x).sum();
    let normal = f64::from(f32::MIN_POSITIVE)..f64::from(f32::MAX) / 2.0;
    if normal.contains(&square) {
        reference(case)
    } else {
        any()
    }
}

pub fn fast_length(case: &Case<'_>) -> Expected {
    with_ordinary_square(case, case.values().into_iter(), length)
}

pub fn fast_distance(case: &Case<'_>) -> Expected {
    let values = case.values();
    let (a, b) = values.split_at(values.len() / 2);
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    with_ordinary_square(case, differences.into_iter(), distance)
}

pub fn fast_normalize(case: &Case<'_>) -> Expected {
    with_ordinary_square(case, case.values().into_iter(), normalize)
}
