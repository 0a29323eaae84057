//! An array's activities over time, in a bounded number of slices.

use crate::timing::launch_timing::{Activity, ActivitySlice, CyclesByActivity};
use crate::units::Cycles;

/// Approximate number of slices of all arrays of a launch.
const SLICES: usize = 1 << 13;

/// Maximum number of slices of each of `arrays` arrays.
pub fn limit(arrays: usize) -> usize {
    (SLICES / arrays.max(1)).max(64)
}

/// A slice of one activity, unless it is empty.
pub fn slice(array: u64, activity: Activity, begin: Cycles, end: Cycles) -> Option<ActivitySlice> {
    (begin < end).then(|| ActivitySlice {
        array,
        begin,
        end,
        cycles: CyclesByActivity::single(activity, end - begin),
    })
}

/// An array's time since it began. Adjacent pieces with the same dominant activity are merged;
/// beyond the limit, short pieces are merged into the ones before them.
#[derive(Debug)]
pub struct ActivityTimeline {
    limit: usize,
    /// Pieces shorter than this are merged, cycles.
    min_length: Cycles,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    begin: Cycles,
    end: Cycles,
    cycles: CyclesByActivity,
    dominant: Activity,
}

impl ActivityTimeline {
    /// An empty timeline of at most `limit` pieces.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            min_length: Cycles::ZERO,
            pieces: Vec::new(),
        }
    }

    /// Appends the time from `begin` to `end`, spent as `cycles`.
    pub fn add(&mut self, begin: Cycles, end: Cycles, cycles: &CyclesByActivity) {
        if begin == end {
            return;
        }
        self.push(Piece {
            begin,
            end,
            cycles: *cycles,
            dominant: cycles.dominant(),
        });
        while self.pieces.len() > self.limit {
            self.min_length = Cycles((self.min_length.0 * 2).max(16));
            for piece in std::mem::take(&mut self.pieces) {
                self.push(piece);
            }
        }
    }

    fn push(&mut self, piece: Piece) {
        match self.pieces.last_mut() {
            Some(last)
                if last.dominant == piece.dominant || last.end - last.begin < self.min_length =>
            {
                last.end = piece.end;
                last.cycles += piece.cycles;
                last.dominant = last.cycles.dominant();
            }
            _ => self.pieces.push(piece),
        }
    }

    /// The same in cycles since `origin`, which it does not precede.
    pub fn since(mut self, origin: Cycles) -> Self {
        for piece in &mut self.pieces {
            piece.begin = piece.begin - origin;
            piece.end = piece.end - origin;
        }
        self
    }

    /// The slices, in order and without gaps.
    pub fn slices(self, array: u64) -> impl Iterator<Item = ActivitySlice> {
        self.pieces.into_iter().map(move |piece| ActivitySlice {
            array,
            begin: piece.begin,
            end: piece.end,
            cycles: piece.cycles,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(timeline: &mut ActivityTimeline, activity: Activity, begin: u64, end: u64) {
        let cycles = CyclesByActivity::single(activity, Cycles(end - begin));
        timeline.add(Cycles(begin), Cycles(end), &cycles);
    }

    #[test]
    fn the_limit_is_kept_without_gaps() {
        let mut timeline = ActivityTimeline::new(64);
        let mut now = 0;
        for turn in 0..10_000u64 {
            let activity = Activity::ALL[turn as usize % 2];
            let length = turn % 7 + 1;
            add(&mut timeline, activity, now, now + length);
            now += length;
            assert!(timeline.pieces.len() <= 64);
        }
        let slices: Vec<ActivitySlice> = timeline.slices(3).collect();
        assert!(slices.len() >= 16, "{} slices", slices.len());
        let mut end = Cycles::ZERO;
        for slice in &slices {
            assert_eq!(slice.begin, end);
            end = slice.end;
        }
        assert_eq!(end, Cycles(now));
    }

    #[test]
    fn pieces_below_the_limit_are_kept() {
        let mut timeline = ActivityTimeline::new(64);
        add(&mut timeline, Activity::Compute, 5, 8);
        add(&mut timeline, Activity::Memory, 8, 8);
        add(&mut timeline, Activity::Compute, 8, 9);
        add(&mut timeline, Activity::LockWait, 9, 10);
        let of = |activity, begin, end| slice(0, activity, Cycles(begin), Cycles(end)).unwrap();
        let expected = [of(Activity::Compute, 5, 9), of(Activity::LockWait, 9, 10)];
        assert_eq!(timeline.slices(0).collect::<Vec<_>>(), expected);
    }
}
