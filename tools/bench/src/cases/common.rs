//! Sources, inputs and comparisons of the cases.

use anyhow::{Result, ensure};
use std::ops::Range;

/// A source of `tools/bench/kernels`.
macro_rules! source {
    ($file:literal) => {
        include_str!(concat!("../../kernels/", $file))
    };
}
pub(crate) use source;

/// Random numbers, the same for the same seed.
pub fn floats(seed: u64, count: usize, range: Range<f32>) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let width = range.end - range.start;
    (0..count)
        .map(|_| range.start + width * random.f32())
        .collect()
}

/// Compares a result: the tolerance is relative to it, or to `scale` where it is smaller.
///
/// # Errors
/// The result is off.
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
