//! Comparison of results with the expected ones.

use anyhow::{Result, bail};
use std::fmt::Debug;

/// Compares all elements exactly.
///
/// # Errors
/// Elements differ; the error names the first one and the number of all.
pub fn equal<T: PartialEq + Debug>(what: &str, got: &[T], expected: &[T]) -> Result<()> {
    differing(what, got, expected, |got, expected| got == expected)
}

/// The tolerance of a floating-point result: the larger of the relative and the absolute part.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Part relative to the expected value.
    pub relative: f64,
    /// Part in units of the result.
    pub absolute: f64,
}

impl Tolerance {
    /// A tolerance without a relative part.
    pub fn absolute(absolute: f64) -> Self {
        Self {
            relative: 0.0,
            absolute,
        }
    }
}

/// Compares all elements within a tolerance. A NaN is outside of any tolerance.
///
/// # Errors
/// Elements differ by more than that; the error names the first one and the number of all.
pub fn close<T>(what: &str, got: &[T], expected: &[f64], tolerance: Tolerance) -> Result<()>
where
    T: Copy + Into<f64>,
{
    let got: Vec<f64> = got.iter().map(|&element| element.into()).collect();
    differing(what, &got, expected, |got, expected| {
        let limit = tolerance.absolute.max(tolerance.relative * expected.abs());
        (got - expected).abs() <= limit
    })
}

fn differing<T: Debug, U: Debug>(
    what: &str,
    got: &[T],
    expected: &[U],
    same: impl Fn(&T, &U) -> bool,
) -> Result<()> {
    if got.len() != expected.len() {
        bail!(
            "{what}: {} elements, expected {}",
            got.len(),
            expected.len()
        );
    }
    let mut wrong = (0..got.len()).filter(|&index| !same(&got[index], &expected[index]));
    if let Some(first) = wrong.next() {
        bail!(
            "{what}: {} of {} elements are wrong, first [{first}]: {:?}, expected {:?}",
            1 + wrong.count(),
            got.len(),
            got[first],
            expected[first]
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Tolerance, close, equal};

    #[test]
    fn one_wrong_element_is_found() {
        assert!(equal("", &[1, 2, 3], &[1, 2, 3]).is_ok());
        let error = equal("sum", &[1, 9, 3], &[1, 2, 3]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "sum: 1 of 3 elements are wrong, first [1]: 9, expected 2"
        );
        assert!(equal("", &[1, 2], &[1, 2, 3]).is_err());
    }

    #[test]
    fn tolerances_are_limits() {
        let within = Tolerance {
            relative: 1e-3,
            absolute: 0.0,
        };
        assert!(close("", &[1000.9], &[1000.0], within).is_ok());
        assert!(close("", &[1001.1], &[1000.0], within).is_err());
        assert!(close("", &[0.5], &[0.0], Tolerance::absolute(0.5)).is_ok());
        assert!(close("", &[f64::NAN], &[1.0], Tolerance::absolute(1e9)).is_err());
    }
}
