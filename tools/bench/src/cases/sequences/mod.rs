//! Sequences of elements that are moved, compared and searched.

mod alignment;
mod scatter;
mod search;

pub use alignment::CASES as ALIGNMENT;
pub use scatter::CASES as SCATTER;
pub use search::CASES as SEARCH;

use super::{Case, Category, ensure_each, source};
