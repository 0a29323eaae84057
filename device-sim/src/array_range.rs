//! Which arrays of a cluster a thread group runs on.

use std::ops::Range;

/// Some of a cluster's arrays, next to each other; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayRange {
    first: u64,
    count: u64,
    /// ArrayRange of the cluster.
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

    /// `count` of these, from number `offset` of them on. None if there are no such, or
    /// `count` is 0.
    pub fn part(self, offset: u64, count: u64) -> Option<Self> {
        let end = offset.checked_add(count)?;
        (count > 0 && end <= self.count).then_some(Self {
            first: self.first + offset,
            count,
            cluster: self.cluster,
        })
    }

    /// These, cut wherever the cluster's arrays are cut into runs of `length`, which is
    /// not 0.
    pub fn cut(self, length: u64) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut offset = 0;
        while offset < self.count {
            let to_the_cut = length - (self.first + offset) % length;
            let rest = self.count - offset;
            parts.extend(self.part(offset, to_the_cut.min(rest)));
            offset += to_the_cut.min(rest);
        }
        parts
    }

    /// How many there are.
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
    fn cuts_are_those_of_the_cluster() {
        let numbers = |arrays: ArrayRange, length| -> Vec<_> {
            arrays
                .cut(length)
                .into_iter()
                .map(ArrayRange::numbers)
                .collect()
        };
        let all = ArrayRange::all(24);
        assert_eq!(all.cut(24), [all]);
        assert_eq!(numbers(all, 10), [0..10, 10..20, 20..24]);
        assert_eq!(numbers(all, 1).len(), 24);
        let part = all.part(3, 6).unwrap();
        assert_eq!(numbers(part, 4), [3..4, 4..8, 8..9]);
        assert_eq!(part.cut(12), [part]);
    }
}
