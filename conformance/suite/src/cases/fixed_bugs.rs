//! The cases of the crate `regress`: bugs of this project that were fixed.

use crate::case::Case;
use std::sync::LazyLock;

/// The cases of this category.
pub fn cases() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> =
        LazyLock::new(|| regress::case::all().iter().map(case).collect());
    &CASES
}

fn case(bug: &'static regress::case::Case) -> Case {
    // A malformed header fails when the case runs.
    let summary = bug.summary().unwrap_or_default();
    Case::fixed_bug(bug, summary.leak())
}
