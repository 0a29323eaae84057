//! The static map of work-groups onto the arrays of a thread group: a cluster's, or a
//! sub-device's. It decides which array runs a group on the machine; on the host any
//! thread may run it.

use crate::array_range::ArrayRange;

/// How work-groups are dealt out, decided before the launch (MOCL3 paper, runtime:
/// an NDRange is split statically over the arrays).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkGroupMap {
    /// Group `i` runs on the array that is `i` modulo their number. The default: groups
    /// next to each other run at the same time, so that the arrays read the same
    /// pages of DDR, and work that grows along the index space stays balanced.
    #[default]
    Cyclic,
    /// Each array runs one contiguous part.
    Blocked,
}

impl WorkGroupMap {
    /// The array, by its number in the cluster, that runs group number `group` of
    /// `groups` (x fastest).
    pub fn array_of(self, group: u64, groups: u64, arrays: ArrayRange) -> u64 {
        arrays.numbers().start
            + match self {
                Self::Cyclic => group % arrays.count(),
                Self::Blocked => group / self.most_groups(groups, arrays),
            }
    }

    /// How many groups its array runs before group number `group`.
    pub fn position_of(self, group: u64, groups: u64, arrays: ArrayRange) -> u64 {
        match self {
            Self::Cyclic => group / arrays.count(),
            Self::Blocked => group % self.most_groups(groups, arrays),
        }
    }

    /// Most groups of an array; at least one.
    pub fn most_groups(self, groups: u64, arrays: ArrayRange) -> u64 {
        groups.div_ceil(arrays.count()).max(1)
    }

    /// ArrayRange that have anything to run.
    pub fn arrays_used(self, groups: u64, arrays: ArrayRange) -> u64 {
        match self {
            Self::Cyclic => groups.min(arrays.count()),
            Self::Blocked => groups.div_ceil(self.most_groups(groups, arrays)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WorkGroupMap;
    use crate::array_range::ArrayRange;
    use std::collections::HashSet;

    #[test]
    fn groups_are_spread_as_evenly_as_their_number_allows() {
        let all = ArrayRange::all(24);
        for map in [WorkGroupMap::Cyclic, WorkGroupMap::Blocked] {
            for groups in [1u64, 5, 24, 25, 47, 48, 1000] {
                for arrays in [Some(all), all.part(6, 6), all.part(23, 1)] {
                    let arrays = arrays.unwrap();
                    let mut load = [0u64; 24];
                    for group in 0..groups {
                        load[map.array_of(group, groups, arrays) as usize] += 1;
                    }
                    let most = load.iter().copied().max();
                    assert_eq!(most, Some(groups.div_ceil(arrays.count())));
                    let mut places: Vec<_> = (0..groups)
                        .map(|group| {
                            (
                                map.array_of(group, groups, arrays),
                                map.position_of(group, groups, arrays),
                            )
                        })
                        .collect();
                    assert!(
                        places
                            .iter()
                            .all(|place| place.1 < map.most_groups(groups, arrays))
                    );
                    places.sort_unstable();
                    places.dedup();
                    assert_eq!(places.len() as u64, groups);
                    let used: HashSet<_> = (0..groups)
                        .map(|group| map.array_of(group, groups, arrays))
                        .collect();
                    assert_eq!(used.len() as u64, map.arrays_used(groups, arrays));
                    assert!(used.iter().all(|array| arrays.numbers().contains(array)));
                }
            }
        }
    }
}
