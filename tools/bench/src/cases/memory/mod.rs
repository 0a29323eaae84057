//! Patterns of access to memory with little arithmetic.

mod grid_stride;
mod strides;

pub use grid_stride::CASES as GRID_STRIDE;
pub use strides::CASES as STRIDES;

use super::{Case, Category, ensure_each, integers, source};
