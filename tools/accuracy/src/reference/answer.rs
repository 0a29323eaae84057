//! The results that are right.

use rug::Float;

/// What one result should be.
pub enum Answer {
    /// This value within the function's limit; NaNs, infinities and zeros exactly.
    Value(Float),
    /// One of these values, zeros with their signs.
    OneOf(Vec<f64>),
    /// One of these integers.
    Integer(Vec<i128>),
    /// The specification leaves it open.
    Any,
}

/// What each result should be.
pub type Expected = Vec<Answer>;

/// Bits of the exact value: twice a double's and some more.
pub const PRECISION: u32 = 160;
/// Holds every sum of two doubles.
pub const SUM: u32 = 2200;
/// Holds every sum of a double and a product of two.
pub const FUSED: u32 = 4400;

/// One value.
pub fn value(exact: Float) -> Expected {
    vec![Answer::Value(exact)]
}

/// One value that a double holds.
pub fn number(exact: f64) -> Expected {
    value(Float::with_val(PRECISION, exact))
}

/// Any value.
pub fn any() -> Expected {
    vec![Answer::Any]
}
