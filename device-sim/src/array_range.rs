//! Ranges of a cluster's arrays, which launches and sub-devices run on.

use std::ops::Range;

/// Adjacent arrays of a cluster; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayRange {
    first: u64,
    count: u64,
    /// Arrays of the cluster.
    cluster: u64,
}

impl ArrayRange {
    /// All arrays of a cluster that has `cluster` of them, which is not 0.
    pub fn all(cluster: u64) -> Self {
        Self {
            first: 0,
            count: cluster,
            cluster,
        }
    }

    /// `count` of these arrays, from index `offset`. None if they are not within the range, or
    /// `count` is 0.
    pub fn part(self, offset: u64, count: u64) -> Option<Self> {
        let end = offset.checked_add(count)?;
        (count > 0 && end <= self.count).then_some(Self {
            first: self.first + offset,
            count,
            cluster: self.cluster,
        })
    }

    /// Splits the range at the multiples of `length`, which is not 0, of the cluster's array numbers.
    pub fn split_at_multiples(self, length: u64) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut offset = 0;
        while offset < self.count {
            let to_boundary = length - (self.first + offset) % length;
            let rest = self.count - offset;
            parts.extend(self.part(offset, to_boundary.min(rest)));
            offset += to_boundary.min(rest);
        }
        parts
    }

    /// Number of arrays.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether these are all arrays of the cluster.
    pub fn is_whole_cluster(self) -> bool {
        self.count == self.cluster
    }

    /// Their numbers in the cluster.
    pub fn numbers(self) -> Range<u64> {
        self.first..self.first + self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_within() {
        let part = ArrayRange::all(24).part(6, 12).unwrap();
        assert_eq!(part.numbers(), 6..18);
        assert_eq!(part.part(2, 3).unwrap().numbers(), 8..11);
        assert_eq!(part.part(0, 12), Some(part));
        for (offset, count) in [(0, 13), (12, 1), (3, 0), (1, u64::MAX)] {
            assert_eq!(part.part(offset, count), None);
        }
    }

    #[test]
    fn ranges_split_at_boundaries_of_the_cluster() {
        let numbers = |arrays: ArrayRange, length| -> Vec<_> {
            arrays
                .split_at_multiples(length)
                .into_iter()
                .map(ArrayRange::numbers)
                .collect()
        };
        let all = ArrayRange::all(24);
        assert_eq!(all.split_at_multiples(24), [all]);
        assert_eq!(numbers(all, 10), [0..10, 10..20, 20..24]);
        assert_eq!(numbers(all, 1).len(), 24);
        let part = all.part(3, 6).unwrap();
        assert_eq!(numbers(part, 4), [3..4, 4..8, 8..9]);
        assert_eq!(part.split_at_multiples(12), [part]);
    }
}
