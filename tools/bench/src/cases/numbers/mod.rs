//! Arithmetic of work-items on their own.

mod escape_time;
mod fourier;
mod mersenne;
mod options;

pub use escape_time::CASES as ESCAPE_TIME;
pub use fourier::CASES as FOURIER;
pub use mersenne::CASES as MERSENNE;
pub use options::CASES as OPTIONS;

use super::{Case, Category, ensure_close, ensure_each_close, floats, source};
