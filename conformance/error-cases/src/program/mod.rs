//! Programs.

mod build;
mod compile;
mod creation;
mod info;
mod link;
mod sources;

use crate::table::{ErrorCase, entries};

/// The cases.
pub fn cases() -> Vec<ErrorCase> {
    [
        entries(creation::CASES),
        entries(build::CASES),
        entries(compile::CASES),
        entries(link::CASES),
        entries(info::CASES),
    ]
    .concat()
}
