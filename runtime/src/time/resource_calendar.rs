//! Reservations of a resource that serves one command at a time: an array, or the processor that
//! serves a cluster.

use device_sim::units::Nanoseconds;
use std::collections::VecDeque;
use std::ops::Range;

/// Most intervals remembered; gaps before older ones are no longer filled.
const MAX_INTERVALS: usize = 64;

/// The reserved times of one resource.
#[derive(Clone, Default)]
pub(crate) struct ResourceCalendar {
    /// No reservation begins before this time.
    closed_until: Nanoseconds,
    /// Reserved intervals in order; adjacent ones are joined.
    reserved: VecDeque<Range<Nanoseconds>>,
}

impl ResourceCalendar {
    /// The first time not before `ready` at which it is free for `duration`.
    fn free_from(&self, ready: Nanoseconds, duration: Nanoseconds) -> Nanoseconds {
        let mut moment = ready.max(self.closed_until);
        if self.reserved.back().is_none_or(|last| last.end <= moment) {
            return moment;
        }
        for reserved in &self.reserved {
            if moment.saturating_add(duration) <= reserved.start {
                break;
            }
            moment = moment.max(reserved.end);
        }
        moment
    }

    /// Reserves an interval that is free.
    fn insert(&mut self, interval: Range<Nanoseconds>) {
        let is_last = self
            .reserved
            .back()
            .is_none_or(|last| last.end <= interval.start);
        let index = match is_last {
            true => self.reserved.len(),
            false => self
                .reserved
                .partition_point(|reserved| reserved.end <= interval.start),
        };
        let joins_before = index > 0 && self.reserved[index - 1].end == interval.start;
        let joins_after = self
            .reserved
            .get(index)
            .is_some_and(|reserved| reserved.start == interval.end);
        match (joins_before, joins_after) {
            (true, true) => {
                self.reserved[index - 1].end = self.reserved[index].end;
                self.reserved.remove(index);
            }
            (true, false) => self.reserved[index - 1].end = interval.end,
            (false, true) => self.reserved[index].start = interval.start,
            (false, false) => self.reserved.insert(index, interval),
        }
        if self.reserved.len() > MAX_INTERVALS
            && let Some(oldest) = self.reserved.pop_front()
        {
            self.closed_until = oldest.end;
        }
    }
}

/// Reserves all resources for `duration` at the earliest common gap that does not begin before
/// `ready`; returns its start.
pub(crate) fn reserve(
    resources: &mut [ResourceCalendar],
    ready: Nanoseconds,
    duration: Nanoseconds,
) -> Nanoseconds {
    if duration == Nanoseconds::ZERO {
        return ready;
    }
    let mut moment = ready;
    loop {
        let later = resources
            .iter()
            .map(|one| one.free_from(moment, duration))
            .max()
            .unwrap_or(moment);
        if later == moment {
            break;
        }
        moment = later;
    }
    for one in resources {
        one.insert(moment..moment.saturating_add(duration));
    }
    moment
}

#[cfg(test)]
mod tests {
    use super::{MAX_INTERVALS, Nanoseconds, ResourceCalendar};

    /// `super::reserve` in plain nanoseconds.
    fn reserve(resources: &mut [ResourceCalendar], ready: u64, duration: u64) -> u64 {
        super::reserve(resources, Nanoseconds(ready), Nanoseconds(duration)).0
    }

    #[test]
    fn sufficient_gaps_are_filled() {
        let mut one = [ResourceCalendar::default()];
        assert_eq!(reserve(&mut one, 10, 5), 10);
        assert_eq!(reserve(&mut one, 40, 10), 40);
        assert_eq!(reserve(&mut one, 0, 11), 15, "longer than the gap before");
        assert_eq!(reserve(&mut one, 0, 10), 0);
        assert_eq!(reserve(&mut one, 12, 20), 50);
        assert_eq!(reserve(&mut one, 12, 14), 26);
        assert_eq!(one[0].reserved.len(), 1, "neighbours are joined");
        assert_eq!(one[0].reserved[0], Nanoseconds(0)..Nanoseconds(70));
        assert_eq!(
            reserve(&mut one, 30, 0),
            30,
            "an empty reservation takes no time"
        );
    }

    #[test]
    fn several_resources_are_reserved_together() {
        let mut all =
            [const { None }; 3].map(|none: Option<ResourceCalendar>| none.unwrap_or_default());
        assert_eq!(reserve(&mut all[..1], 0, 10), 0);
        assert_eq!(reserve(&mut all[1..2], 12, 10), 12);
        assert_eq!(
            reserve(&mut all, 0, 5),
            22,
            "between 10 and 12 is too little"
        );
        assert_eq!(reserve(&mut all[2..], 0, 22), 0);
    }

    /// Compared with a calendar of single nanoseconds; the memory is bounded.
    #[test]
    fn reservations_do_not_overlap() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut all = [ResourceCalendar::default(), ResourceCalendar::default()];
        let mut calendar = vec![[false; 2]; 40_000];
        for number in 0..2000 {
            let some = [0..1, 1..2, 0..2][random.usize(..3)].clone();
            let ready = random.u64(..300) + number * 10;
            let duration = random.u64(1..15);
            let begin = reserve(&mut all[some.clone()], ready, duration);
            assert!(begin >= ready);
            for moment in begin..begin + duration {
                for one in some.clone() {
                    let taken = &mut calendar[moment as usize][one];
                    assert!(!std::mem::replace(taken, true));
                }
            }
            assert!(all.iter().all(|one| one.reserved.len() <= MAX_INTERVALS));
        }
    }
}
