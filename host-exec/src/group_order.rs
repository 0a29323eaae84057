//! The order in which the groups of a launch follow each other.

/// The dimensions of the index space, that in which neighbouring groups follow each other first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupOrder([usize; 3]);

impl GroupOrder {
    /// Groups that are neighbours in x follow each other, as on the simulated machine.
    pub const X_FIRST: Self = Self([0, 1, 2]);

    /// Groups that are neighbours in `dimension` follow each other, then those in the others.
    pub fn first_along(dimension: usize) -> Self {
        Self(match dimension {
            1 => [1, 0, 2],
            2 => [2, 0, 1],
            _ => [0, 1, 2],
        })
    }

    /// The group of that number, of `count` groups in each dimension.
    pub(crate) fn group(self, number: u64, count: &[u64; 3]) -> [u64; 3] {
        let mut id = [0; 3];
        let mut rest = number;
        for dimension in self.0 {
            id[dimension] = rest % count[dimension];
            rest /= count[dimension];
        }
        id
    }

    /// Advances to the next group.
    pub(crate) fn advance(self, id: &mut [u64; 3], count: &[u64; 3]) {
        for dimension in self.0 {
            id[dimension] += 1;
            if id[dimension] < count[dimension] {
                return;
            }
            id[dimension] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_groups_follow_each_other_along_the_first_dimension() {
        let count = [3, 4, 2];
        for (dimension, second) in [(0, [1, 0, 0]), (1, [0, 1, 0]), (2, [0, 0, 1])] {
            let order = GroupOrder::first_along(dimension);
            assert_eq!(order.group(1, &count), second);
            let mut id = [0; 3];
            let mut all = std::collections::BTreeSet::new();
            for number in 0..24 {
                assert_eq!(order.group(number, &count), id);
                all.insert(id);
                order.advance(&mut id, &count);
            }
            assert_eq!(all.len(), 24);
        }
    }
}
