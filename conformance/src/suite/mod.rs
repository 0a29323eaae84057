//! The cases, by category. `cargo xtask conformance --list` prints them.

pub mod kernel;
mod launch;
pub mod regression;
pub mod runtime;
pub mod work_group;

use crate::case::Case;
use crate::programs;

/// All cases, in the order of the report.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [
        kernel::CASES,
        runtime::CASES,
        work_group::CASES,
        regression::CASES,
        programs::ALL,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::all;
    use std::collections::HashSet;

    #[test]
    fn each_case_has_a_name_of_its_own_of_one_word() {
        let mut names = HashSet::new();
        for case in all() {
            assert!(names.insert(case.name), "{} is there twice", case.name);
            assert!(!case.name.contains(char::is_whitespace), "{}", case.name);
        }
    }
}
