//! Where accesses may overlap a pending transfer, as compiled code reads it.

use std::ops::Range;

/// Ranges of each list. Two leave out the tiles between those of a double buffer that are pending.
pub const RANGES: usize = 2;

/// The lists of a group's watched memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedList {
    /// Local memory that transfers write: reads of it conflict.
    WrittenLocal,
    /// Local memory that transfers read or write: writes of it conflict.
    AccessedLocal,
    /// Other memory that transfers write.
    WrittenGlobal,
    /// Other memory that transfers read or write.
    AccessedGlobal,
}

/// Number of lists.
pub const LISTS: usize = 4;

impl WatchedList {
    /// That of an access.
    pub fn select(is_local: bool, writes: bool) -> Self {
        match (is_local, writes) {
            (true, false) => Self::WrittenLocal,
            (true, true) => Self::AccessedLocal,
            (false, false) => Self::WrittenGlobal,
            (false, true) => Self::AccessedGlobal,
        }
    }
}

/// A range of addresses.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedRange {
    /// The first address.
    pub start: u64,
    /// Its length.
    pub bytes: u64,
}

impl WatchedRange {
    /// No access is within a distance of its size from here.
    pub const NONE: Self = Self {
        start: 1 << 62,
        bytes: 0,
    };
}

/// The ranges that hold the pending transfers of a group, and more.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedMemory {
    /// The ranges of each `WatchedList`.
    pub lists: [[WatchedRange; RANGES]; LISTS],
}

impl Default for WatchedMemory {
    fn default() -> Self {
        let lists = [[WatchedRange::NONE; RANGES]; LISTS];
        Self { lists }
    }
}

impl WatchedMemory {
    /// Sets the ranges of a list to hold these addresses; the largest gap separates the two.
    pub fn watch(&mut self, list: WatchedList, addresses: &Intervals) {
        let all = &addresses.0;
        let gap = |at: &usize| all[*at].start - all[*at - 1].end;
        let split = (1..all.len()).max_by_key(gap).unwrap_or(all.len());
        let (first, second) = all.split_at(split);
        let watched = [first, second].map(|part| match part {
            [] => WatchedRange::NONE,
            [first, ..] => WatchedRange {
                start: first.start as u64,
                bytes: (part[part.len() - 1].end - first.start) as u64,
            },
        });
        self.lists[list as usize] = watched;
    }
}

/// Disjoint ranges of addresses in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intervals(Vec<Range<usize>>);

impl Intervals {
    /// Whether a range overlaps one of them.
    pub fn overlap(&self, range: &Range<usize>) -> bool {
        let next = self.0.partition_point(|known| known.end <= range.start);
        self.0
            .get(next)
            .is_some_and(|known| known.start < range.end)
    }

    /// Adds the addresses of a range.
    pub fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.partition_point(|known| known.end < range.start);
        let end = self.0.partition_point(|known| known.start <= range.end);
        let touching = &self.0[first..end];
        let merged = match touching {
            [] => range,
            [one, ..] => {
                let last = &touching[touching.len() - 1];
                one.start.min(range.start)..last.end.max(range.end)
            }
        };
        self.0.splice(first..end, [merged]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_gap_is_not_watched() {
        let mut memory = WatchedMemory::default();
        let list = WatchedList::select(true, false);
        let mut watched = |addresses: &[Range<usize>]| {
            let mut intervals = Intervals::default();
            addresses
                .iter()
                .for_each(|range| intervals.add(range.clone()));
            memory.watch(list, &intervals);
            memory.lists[0].map(|range| (range.start, range.bytes))
        };
        let none = (1 << 62, 0);
        let one = |range: Range<usize>| vec![range];
        assert_eq!(watched(&one(64..64)), [none, none]);
        assert_eq!(watched(&one(64..128)), [(64, 64), none]);
        let tiles = [256..320, 64..128, 330..400, 100..140, 140..150, 320..330];
        assert_eq!(watched(&tiles), [(64, 86), (256, 144)]);
    }
}
