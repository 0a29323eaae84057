//! How the groups of a launch are divided among host threads: each has a share of
//! neighbouring groups, the same in launch after launch, so that what they read and write is
//! still in its caches; who has finished helps others.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A thread takes groups that last about this long, or fewer at the end of a share.
const MOST: Duration = Duration::from_micros(200);

/// Taking fewer groups than last this long would cost more than it balances.
const LEAST: Duration = Duration::from_nanos(1500);

/// Of what is left of a share, a thread takes this part at a time.
const PART: u64 = 4;

/// Which groups are still to be taken.
pub(crate) struct GroupRanges {
    shares: Vec<Share>,
    least: u64,
    most: u64,
}

/// Apart from others in memory: each is changed by another thread.
#[repr(align(128))]
struct Share {
    next: AtomicU64,
    end: u64,
}

impl GroupRanges {
    /// The groups, for so many threads (not 0). A group lasts `group`; zero if that is not
    /// known.
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
            shares: (0..threads)
                .map(|thread| Share {
                    next: AtomicU64::new(start(thread)),
                    end: start(thread + 1),
                })
                .collect(),
            least: within(LEAST),
            most: within(MOST),
        }
    }

    /// Groups that nobody else takes, those of the thread's own share first. None if all
    /// are taken.
    pub fn take(&self, thread: usize) -> Option<Range<u64>> {
        let count = self.shares.len();
        (0..count).find_map(|further| self.take_of(&self.shares[(thread + further) % count]))
    }

    fn take_of(&self, share: &Share) -> Option<Range<u64>> {
        let wanted = |next: u64| {
            let left = share.end - next;
            next + (left / PART).clamp(self.least, self.most).min(left)
        };
        // Groups are handed over by nobody: what they use is ordered by the invitation.
        let order = Ordering::Relaxed;
        let take = |next: u64| (next < share.end).then(|| wanted(next));
        let next = share.next.fetch_update(order, order, take).ok()?;
        Some(next..wanted(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn taken(shares: &GroupRanges, thread: usize) -> Vec<Range<u64>> {
        std::iter::from_fn(|| shares.take(thread)).collect()
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
            let shares =
                GroupRanges::new(groups.clone(), threads, Duration::from_nanos(nanoseconds));
            let all = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for thread in 0..threads {
                    let (shares, all) = (&shares, &all);
                    scope.spawn(move || all.lock().unwrap().extend(taken(shares, thread)));
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
        let shares = GroupRanges::new(0..4000, 4, Duration::from_micros(1));
        let parts = taken(&shares, 2);
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
