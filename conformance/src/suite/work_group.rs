//! Barriers, loops, and sizes of work-groups.

use crate::case::Case;

/// The cases of this category.
pub const CASES: &[Case] = &[];
