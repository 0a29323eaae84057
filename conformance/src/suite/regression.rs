//! Programs that some compiler once got wrong.

use crate::case::Case;

/// The cases of this category.
pub const CASES: &[Case] = &[];
