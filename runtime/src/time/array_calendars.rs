//! The calendars of a cluster's arrays. Arrays that have always been reserved together share one, since
//! most launches reserve all arrays of a cluster.

use crate::time::resource_calendar::{self, ResourceCalendar};
use device_sim::units::Nanoseconds;
use std::ops::Range;

/// The reserved times of all arrays of a cluster.
pub(crate) struct ArrayCalendars {
    /// The first array of each calendar, in order.
    first: Vec<usize>,
    /// The calendars, each up to the first array of the next.
    calendars: Vec<ResourceCalendar>,
}

impl Default for ArrayCalendars {
    fn default() -> Self {
        Self {
            first: vec![0],
            calendars: vec![ResourceCalendar::default()],
        }
    }
}

impl ArrayCalendars {
    /// As `resource_calendar::reserve`, for these arrays.
    pub fn reserve(
        &mut self,
        arrays: Range<usize>,
        ready: Nanoseconds,
        duration: Nanoseconds,
    ) -> Nanoseconds {
        let begin = self.split(arrays.start);
        let end = self.split(arrays.end);
        resource_calendar::reserve(&mut self.calendars[begin..end], ready, duration)
    }

    /// Lets a calendar begin at this array; returns its index.
    fn split(&mut self, array: usize) -> usize {
        let index = self.first.partition_point(|first| *first < array);
        if self.first.get(index) != Some(&array) {
            self.first.insert(index, array);
            let shared = self.calendars[index - 1].clone();
            self.calendars.insert(index, shared);
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with a calendar for each array.
    #[test]
    fn arrays_are_reserved_as_with_calendars_of_their_own() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut shared = ArrayCalendars::default();
        let mut own = vec![ResourceCalendar::default(); 24];
        for number in 0..3000 {
            // All arrays at first, then parts of them too.
            let arrays = match number {
                0..100 => 0..24,
                _ => [0..24, 0..12, 12..24, 3..7, 23..24][random.usize(..5)].clone(),
            };
            let ready = Nanoseconds(random.u64(..300) + number * 10);
            let duration = Nanoseconds(random.u64(..15));
            let expected = resource_calendar::reserve(&mut own[arrays.clone()], ready, duration);
            assert_eq!(shared.reserve(arrays, ready, duration), expected);
            if number < 100 {
                assert_eq!(shared.first, [0, 24]);
            }
        }
        assert_eq!(shared.first, [0, 3, 7, 12, 23, 24]);
    }
}
