//! When something that serves one command at a time (an array, a cluster's link to the host) is
//! taken.

use crate::time::host_clock::Nanoseconds;
use std::collections::VecDeque;
use std::ops::Range;

/// So many gaps are remembered; older ones are not filled any more.
const MOST: usize = 64;

/// When one of them is taken.
#[derive(Default)]
pub(crate) struct ResourceCalendar {
    /// Nothing is put before that.
    closed_until: Nanoseconds,
    /// In order, without gaps that are empty.
    taken: VecDeque<Range<Nanoseconds>>,
}

impl ResourceCalendar {
    /// The first moment from `ready` on from which it is free for so long.
    fn free_from(&self, ready: Nanoseconds, duration: Nanoseconds) -> Nanoseconds {
        let mut moment = ready.max(self.closed_until);
        if self.taken.back().is_none_or(|last| last.end <= moment) {
            return moment;
        }
        for taken in &self.taken {
            if moment.saturating_add(duration) <= taken.start {
                break;
            }
            moment = moment.max(taken.end);
        }
        moment
    }

    /// It is taken then; it was free.
    fn take(&mut self, span: Range<Nanoseconds>) {
        let place = self.taken.partition_point(|taken| taken.end <= span.start);
        let joins_before = place > 0 && self.taken[place - 1].end == span.start;
        let joins_after = self
            .taken
            .get(place)
            .is_some_and(|taken| taken.start == span.end);
        match (joins_before, joins_after) {
            (true, true) => {
                self.taken[place - 1].end = self.taken[place].end;
                self.taken.remove(place);
            }
            (true, false) => self.taken[place - 1].end = span.end,
            (false, true) => self.taken[place].start = span.start,
            (false, false) => self.taken.insert(place, span),
        }
        if self.taken.len() > MOST
            && let Some(oldest) = self.taken.pop_front()
        {
            self.closed_until = oldest.end;
        }
    }
}

/// Takes all of these together for so long, as soon as they are free from `ready` on: from when.
pub(crate) fn reserve(
    all: &mut [ResourceCalendar],
    ready: Nanoseconds,
    duration: Nanoseconds,
) -> Nanoseconds {
    if duration == 0 {
        return ready;
    }
    let mut moment = ready;
    loop {
        let later = all
            .iter()
            .map(|one| one.free_from(moment, duration))
            .max()
            .unwrap_or(moment);
        if later == moment {
            break;
        }
        moment = later;
    }
    for one in all {
        one.take(moment..moment.saturating_add(duration));
    }
    moment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_that_are_long_enough() {
        let mut one = [ResourceCalendar::default()];
        assert_eq!(reserve(&mut one, 10, 5), 10);
        assert_eq!(reserve(&mut one, 40, 10), 40);
        assert_eq!(reserve(&mut one, 0, 11), 15, "longer than what is before");
        assert_eq!(reserve(&mut one, 0, 10), 0);
        assert_eq!(reserve(&mut one, 12, 20), 50);
        assert_eq!(reserve(&mut one, 12, 14), 26);
        assert_eq!(one[0].taken.len(), 1, "neighbours are joined");
        assert_eq!(one[0].taken[0], 0..70);
        assert_eq!(reserve(&mut one, 30, 0), 30, "nothing takes no place");
    }

    #[test]
    fn several_are_taken_at_once() {
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

    /// Against a calendar of single nanoseconds, and the memory is bounded.
    #[test]
    fn nothing_is_taken_twice() {
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
            assert!(all.iter().all(|one| one.taken.len() <= MOST));
        }
    }
}
