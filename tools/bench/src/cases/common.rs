//! Sources, inputs and comparisons of the cases.

use anyhow::{Context, Result, ensure};
use std::fmt::Debug;
use std::ops::Range;

/// The text of a source file in `tools/bench/kernels`.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/", $file))
    };
}
pub(crate) use source;

/// Random numbers that depend on the seed alone.
pub fn floats(seed: u64, count: usize, range: Range<f32>) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let width = range.end - range.start;
    (0..count)
        .map(|_| range.start + width * random.f32())
        .collect()
}

/// Integers from -8 to 8 as floats, whose products and sums are exact in any order.
pub fn integers(seed: u64, count: usize) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| f32::from(random.i8(-8..=8))).collect()
}

/// Compares every `step`th result with the expected value of its index.
///
/// # Errors
/// One differs.
pub fn ensure_each<T: PartialEq + Debug>(
    results: &[T],
    step: usize,
    expected: impl Fn(usize) -> T,
) -> Result<()> {
    for (index, result) in results.iter().enumerate().step_by(step) {
        let expected = expected(index);
        ensure!(
            *result == expected,
            "expected {expected:?} at {index}, got {result:?}"
        );
    }
    Ok(())
}

/// The same with the tolerance of [`ensure_close`].
///
/// # Errors
/// One is off.
pub fn ensure_each_close(
    results: &[f32],
    step: usize,
    (scale, tolerance): (f64, f64),
    expected: impl Fn(usize) -> f64,
) -> Result<()> {
    for (index, result) in results.iter().enumerate().step_by(step) {
        ensure_close(*result, expected(index), scale, tolerance)
            .with_context(|| format!("element {index}"))?;
    }
    Ok(())
}

/// Compares a result: the tolerance is relative to it, or to `scale` where it is smaller.
///
/// # Errors
/// The result is not within the tolerance.
pub fn ensure_close(
    result: f32,
    expected: f64,
    scale: impl Into<f64>,
    tolerance: f64,
) -> Result<()> {
    let off = (f64::from(result) - expected).abs();
    ensure!(
        off <= tolerance * expected.abs().max(scale.into()),
        "expected {expected}, got {result}"
    );
    Ok(())
}
