//! Where a group runs: on which array, after how many others.

use crate::work_group_map::WorkGroupMap;

/// The place of a group. By default that of group 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupPlace {
    /// Its number.
    number: u64,
    /// Index of its array among those of the launch.
    pub array: usize,
    /// Number of groups that the array runs before it.
    pub position: u64,
}

impl GroupPlace {
    /// Becomes the place of group `number`. Without divisions for the group after this one: threads run
    /// groups in the order of their numbers.
    pub fn advance(&mut self, number: u64, map: WorkGroupMap) {
        let is_next = number == self.number + 1;
        self.number = number;
        if !is_next {
            self.array = map.index_of(number);
            self.position = map.position_of(number);
            return;
        }
        self.array += 1;
        if self.array as u64 == map.arrays().count() {
            self.array = 0;
            self.position += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array_range::ArrayRange;

    #[test]
    fn the_next_group_is_where_the_map_has_it() {
        for arrays in [1, 5, 24] {
            let map = WorkGroupMap::new(ArrayRange::all(arrays));
            let mut place = GroupPlace::default();
            for number in (0..60).chain(200..260).chain(3..9) {
                place.advance(number, map);
                let expected = (map.index_of(number), map.position_of(number));
                assert_eq!((place.array, place.position), expected, "{number}");
            }
        }
    }
}
