//! Kernel compilation: the language and its builtins.

use crate::case::Case;

/// The cases of this category.
pub const CASES: &[Case] = &[];
