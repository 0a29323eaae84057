//! The kernels of the vendor's mathematical library, which MT-3000 devices have built in: BLAS, products with
//! sparse matrices, Fourier transforms and functions of each element. `kernels.toml` declares them, `compute`
//! has their results, and `schedule` what the arrays of a cluster do meanwhile.

mod call;
mod compute;
mod kernel;
mod operands;
mod parallel;
mod precision;
mod real;
pub mod schedule;
mod table;
#[cfg(test)]
mod tests;

pub use call::{ComputeError, RawOperand};
pub use kernel::VendorKernel;
pub use precision::Precision;
pub use table::{all, find};
