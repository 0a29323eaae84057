//! The map of work-groups onto the arrays of a launch: a cluster's, or a sub-device's. It decides
//! which array runs a group on the machine; on the host any thread may run it.

use crate::array_range::ArrayRange;

/// Cyclic distribution: group `i` (x fastest) runs on array `i` modulo their number. It is fixed
/// before the launch (MOCL3 paper, runtime: an NDRange is split statically over the arrays).
///
/// Adjacent groups run at the same time, so that the arrays read the same pages of DDR, and work
/// that grows along the index space stays balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkGroupMap {
    arrays: ArrayRange,
}

impl WorkGroupMap {
    /// The map onto `arrays`.
    pub fn new(arrays: ArrayRange) -> Self {
        Self { arrays }
    }

    /// The arrays of the launch.
    pub fn arrays(self) -> ArrayRange {
        self.arrays
    }

    /// Index, among the arrays of the launch, of the one that runs group number `group`.
    pub fn index_of(self, group: u64) -> usize {
        (group % self.arrays.count()) as usize
    }

    /// Number of groups that the same array runs before group number `group`.
    pub fn position_of(self, group: u64) -> u64 {
        group / self.arrays.count()
    }

    /// Maximum number of groups per array, of `groups` in all; at least one.
    pub fn max_groups_per_array(self, groups: u64) -> u64 {
        groups.div_ceil(self.arrays.count()).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_spread_as_evenly_as_their_number_allows() {
        let all = ArrayRange::all(24);
        for groups in [1u64, 5, 24, 25, 47, 48, 1000] {
            for arrays in [Some(all), all.part(6, 6), all.part(23, 1)] {
                let map = WorkGroupMap::new(arrays.unwrap());
                let mut load = vec![0u64; map.arrays().count() as usize];
                let mut slots: Vec<_> = (0..groups)
                    .map(|group| {
                        load[map.index_of(group)] += 1;
                        (map.index_of(group), map.position_of(group))
                    })
                    .collect();
                let max = map.max_groups_per_array(groups);
                assert_eq!(load.into_iter().max(), Some(max));
                assert!(slots.iter().all(|(_, position)| *position < max));
                slots.sort_unstable();
                slots.dedup();
                assert_eq!(slots.len() as u64, groups);
            }
        }
    }
}
