//! The fixed functions of accelerators that the platform can compute: their arguments (`functions.toml`)
//! and their results. Machine files say which accelerators a machine has, and how long they take.
//!
//! Sums of single precision are computed in double precision and rounded once, so that results do not
//! depend on an order of additions.

mod compute;
mod function;
mod table;
#[cfg(test)]
mod tests;

pub use function::{Function, Operand};
pub use table::{all, find};
