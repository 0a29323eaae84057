//! The static map of work-groups onto a cluster's arrays. It decides which array
//! runs a group on the machine; on the host any thread may run it.

/// How work-groups are dealt out, decided before the launch (MOCL3 paper, runtime:
/// an NDRange is split statically over the arrays).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaticMap {
    /// Group `i` runs on array `i` modulo the number of arrays. The default: groups
    /// next to each other run at the same time, so that the arrays read the same
    /// pages of DDR, and work that grows along the index space stays balanced.
    #[default]
    Cyclic,
    /// Each array runs one contiguous part.
    Blocked,
}

impl StaticMap {
    /// The array that runs group number `group` of `groups` (x fastest).
    pub fn array_of(self, group: u64, groups: u64, arrays: u64) -> u64 {
        match self {
            Self::Cyclic => group % arrays,
            Self::Blocked => group / groups.div_ceil(arrays).max(1),
        }
    }

    /// Arrays that have anything to run.
    pub fn arrays_used(self, groups: u64, arrays: u64) -> u64 {
        match self {
            Self::Cyclic => groups.min(arrays),
            Self::Blocked => groups.div_ceil(groups.div_ceil(arrays).max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StaticMap;
    use std::collections::HashSet;

    #[test]
    fn groups_are_spread_as_evenly_as_their_number_allows() {
        for map in [StaticMap::Cyclic, StaticMap::Blocked] {
            for groups in [1u64, 5, 24, 25, 47, 48, 1000] {
                let mut load = [0u64; 24];
                for group in 0..groups {
                    load[map.array_of(group, groups, 24) as usize] += 1;
                }
                assert_eq!(load.iter().copied().max(), Some(groups.div_ceil(24)));
                let used: HashSet<_> = (0..groups).map(|g| map.array_of(g, groups, 24)).collect();
                assert_eq!(used.len() as u64, map.arrays_used(groups, 24));
            }
        }
    }
}
