//! Functions of floating-point numbers whose results the specification defines exactly, for all types
//! and widths.

mod common;
mod exponent;
mod extremes;
mod relational;
mod sign;

pub use exponent::{frexp_modf, ilogb, ldexp};
pub use extremes::{fmin_fmax_fma, min_max};
pub use relational::isnan;
pub use sign::{copysign_signbit, fabs};
