//! Linear algebra and statistics on matrices, row after row.

mod covariance;
mod rank_updates;

pub use covariance::CASES as COVARIANCE;
pub use rank_updates::CASES as RANK_UPDATES;

use super::{Case, Category, ensure_each, ensure_each_close, floats, integers, source};
