//! Sums over pairs of particles, or of particles and points.

mod lists;
mod sums;

pub use lists::CASES as LISTS;
pub use sums::CASES as SUMS;

use super::{Case, Category, ensure_close, ensure_each_close, floats, source};
