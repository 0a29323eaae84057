//! The right results of a function.

use rug::Float;

/// The right values of one result.
pub enum Answer {
    /// This value within the function's error limit; NaNs, infinities and zeros exactly.
    Value(Float),
    /// One of these values, zeros with their signs.
    OneOf(Vec<f64>),
    /// One of these integers.
    Integer(Vec<i128>),
    /// Any value: the specification leaves it open.
    Any,
}

/// The right values of each result.
pub type Expected = Vec<Answer>;

/// Significant bits of references: more than twice those of a double.
pub const PRECISION: u32 = 160;
/// Significant bits that hold every sum of two doubles.
pub const SUM: u32 = 2200;
/// Significant bits that hold every sum of a double and a product of two doubles.
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
