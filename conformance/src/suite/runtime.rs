//! The API on the host's side.

use crate::case::Case;

/// The cases of this category.
pub const CASES: &[Case] = &[];
