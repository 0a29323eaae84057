//! Linear algebra and statistics on matrices, row after row.

mod covariance;
mod elimination;
mod rank_updates;
mod vectors;

pub use covariance::CASES as COVARIANCE;
pub use elimination::CASES as ELIMINATION;
pub use rank_updates::CASES as RANK_UPDATES;
pub use vectors::CASES as VECTORS;

use super::{Case, Category, ensure_each, ensure_each_close, floats, integers, source};
