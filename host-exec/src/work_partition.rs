//! Divides the groups of a launch among host threads. Each thread has a range of adjacent groups,
//! the same in repeated launches, so that their data are still in its caches; a thread that has
//! finished its own range takes groups of the others' (work stealing).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Maximum expected duration of a chunk of groups; chunks are smaller at the end of a range.
const MAX_CHUNK: Duration = Duration::from_micros(200);

/// Minimum expected duration of a chunk: smaller ones cost more than the better balance gains.
const MIN_CHUNK: Duration = Duration::from_nanos(1500);

/// A chunk is at most the rest of the range divided by this.
const CHUNK_DIVISOR: u64 = 4;

/// The groups that have not been taken yet.
pub(crate) struct GroupRanges {
    ranges: Vec<ThreadRange>,
    /// Whether a thread has found all groups taken. The others then need not look at all ranges.
    exhausted: AtomicBool,
    min_groups: u64,
    max_groups: u64,
}

/// The range of a thread, aligned against false sharing: each is mainly changed by its thread.
#[repr(align(128))]
struct ThreadRange {
    next: AtomicU64,
    end: u64,
}

impl GroupRanges {
    /// Divides `groups` among `threads`, which is not 0. `group` is the expected duration of one
    /// group; zero if unknown.
    pub fn new(groups: Range<u64>, threads: usize, group: Duration) -> Self {
        let count = groups.end - groups.start;
        let threads = threads as u64;
        let start = |thread: u64| {
            let before = u128::from(count) * u128::from(thread) / u128::from(threads);
            groups.start + before as u64
        };
        let within = |duration: Duration| {
            let groups = duration.as_nanos() / group.as_nanos().max(1);
            (groups as u64).max(1)
        };
        Self {
            ranges: (0..threads)
                .map(|thread| ThreadRange {
                    next: AtomicU64::new(start(thread)),
                    end: start(thread + 1),
                })
                .collect(),
            exhausted: AtomicBool::new(false),
            min_groups: within(MIN_CHUNK),
            max_groups: within(MAX_CHUNK),
        }
    }

    /// Takes groups for a thread, from its own range first; None if all are taken.
    pub fn take(&self, thread: usize) -> Option<Range<u64>> {
        if self.exhausted.load(Ordering::Relaxed) {
            return None;
        }
        let count = self.ranges.len();
        let taken =
            (0..count).find_map(|further| self.take_from(&self.ranges[(thread + further) % count]));
        if taken.is_none() {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        taken
    }

    fn take_from(&self, range: &ThreadRange) -> Option<Range<u64>> {
        let end_of_chunk = |next: u64| {
            let left = range.end - next;
            next + (left / CHUNK_DIVISOR)
                .clamp(self.min_groups, self.max_groups)
                .min(left)
        };
        // No data are passed along with the groups; joining the job orders what they use.
        let order = Ordering::Relaxed;
        let take = |next: u64| (next < range.end).then(|| end_of_chunk(next));
        // Most ranges that a thread comes to after its own are empty: reading leaves the cache line
        // shared.
        if range.next.load(order) >= range.end {
            return None;
        }
        let next = range.next.fetch_update(order, order, take).ok()?;
        Some(next..end_of_chunk(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn taken(ranges: &GroupRanges, thread: usize) -> Vec<Range<u64>> {
        std::iter::from_fn(|| ranges.take(thread)).collect()
    }

    #[test]
    fn each_group_is_taken_once() {
        for (groups, threads, nanoseconds) in [
            (0..1, 4, 0),
            (5..12, 3, 0),
            (0..1000, 4, 10),
            (3..100_003, 7, 700),
            (0..64, 64, 1_000_000),
            (u64::MAX - 9..u64::MAX, 3, 5),
        ] {
            let ranges =
                GroupRanges::new(groups.clone(), threads, Duration::from_nanos(nanoseconds));
            let all = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for thread in 0..threads {
                    let (ranges, all) = (&ranges, &all);
                    scope.spawn(move || all.lock().unwrap().extend(taken(ranges, thread)));
                }
            });
            let mut all = all.into_inner().unwrap();
            all.sort_by_key(|range| range.start);
            let mut next = groups.start;
            for range in all {
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, groups.end);
        }
    }

    #[test]
    fn own_groups_come_first_and_in_smaller_and_smaller_parts() {
        let ranges = GroupRanges::new(0..4000, 4, Duration::from_micros(1));
        let parts = taken(&ranges, 2);
        assert_eq!(parts[0], 2000..2200, "what lasts as long as a part may");
        let own = parts
            .iter()
            .take_while(|part| part.start >= 2000 && part.end <= 3000);
        let sizes: Vec<u64> = own.map(|part| part.end - part.start).collect();
        assert_eq!(sizes.iter().sum::<u64>(), 1000);
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        assert_eq!(sizes.last(), Some(&1));
    }
}
