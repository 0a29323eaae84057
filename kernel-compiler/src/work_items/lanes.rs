//! Which work-items share a vector.

use crate::kernel::specialisation::Specialisation;

/// Fewest work-items along a dimension that are worth vectorising.
const MIN_WORK_ITEMS: u64 = 4;

/// The lanes of the vectors that consecutive work-items share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Lanes of a vector, a work-item each.
    pub count: u32,
    /// The dimension along which these work-items are consecutive: 0 to 2.
    pub dimension: usize,
}

/// The dimension that the innermost loop over work-items runs along: the first along which
/// groups are wide enough.
pub fn innermost_dimension(specialisation: &Specialisation) -> usize {
    let Some(size) = specialisation.local_size else {
        return 0;
    };
    let is_wide = |&size: &u64| size >= MIN_WORK_ITEMS;
    size.iter().position(is_wide).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_lie_along_the_first_dimension_that_is_wide_enough() {
        for (local_size, expected) in [
            (None, 0),
            (Some([64, 1, 1]), 0),
            (Some([1, 64, 1]), 1),
            (Some([2, 2, 16]), 2),
            (Some([4, 64, 1]), 0),
            (Some([1, 1, 1]), 0),
        ] {
            let specialisation = Specialisation {
                local_size,
                ..Specialisation::default()
            };
            assert_eq!(
                innermost_dimension(&specialisation),
                expected,
                "{local_size:?}"
            );
        }
    }
}
