//! An array's time in pieces, not too many of them.

use crate::timing::launch_timing::{Activity, ActivitySlice, CyclesByActivity};

/// About so many slices the arrays of a launch have together.
const SLICES: usize = 1 << 13;

/// Most slices of one array of so many.
pub fn limit(arrays: usize) -> usize {
    (SLICES / arrays.max(1)).max(64)
}

/// A slice; none if it has no time.
pub fn slice(array: u64, activity: Activity, begin: u64, end: u64) -> Option<ActivitySlice> {
    (begin < end).then_some(ActivitySlice {
        array,
        activity,
        begin,
        end,
    })
}

/// An array's time since it began. Pieces that do mostly the same are one; if there are too
/// many, shorter ones become part of those before them.
#[derive(Debug)]
pub struct ActivityTimeline {
    limit: usize,
    shortest: u64,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
struct Piece {
    begin: u64,
    end: u64,
    shares: CyclesByActivity,
    mostly: Activity,
}

impl ActivityTimeline {
    /// An empty one of at most so many pieces.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            shortest: 0,
            pieces: Vec::new(),
        }
    }

    /// Adds a piece at the end.
    pub fn add(&mut self, begin: u64, end: u64, shares: &CyclesByActivity) {
        if begin == end {
            return;
        }
        let (shares, mostly) = (*shares, mostly(shares));
        self.push(Piece {
            begin,
            end,
            shares,
            mostly,
        });
        while self.pieces.len() > self.limit {
            self.shortest = (self.shortest * 2).max(16);
            for piece in std::mem::take(&mut self.pieces) {
                self.push(piece);
            }
        }
    }

    fn push(&mut self, piece: Piece) {
        match self.pieces.last_mut() {
            Some(last) if last.mostly == piece.mostly || last.end - last.begin < self.shortest => {
                last.end = piece.end;
                for (sum, cycles) in last.shares.iter_mut().zip(piece.shares) {
                    *sum += cycles;
                }
                last.mostly = mostly(&last.shares);
            }
            _ => self.pieces.push(piece),
        }
    }

    /// The slices, in order and without gaps.
    pub fn slices(self, array: u64) -> impl Iterator<Item = ActivitySlice> {
        let pieces = self.pieces.into_iter();
        pieces.flat_map(move |piece| slice(array, piece.mostly, piece.begin, piece.end))
    }
}

/// What takes most cycles; the first of several.
fn mostly(shares: &CyclesByActivity) -> Activity {
    let mut most = 0;
    for (number, cycles) in shares.iter().enumerate() {
        if *cycles > shares[most] {
            most = number;
        }
    }
    Activity::ALL[most]
}

#[cfg(test)]
mod tests {
    use super::super::cycle_account::spent;
    use super::*;

    #[test]
    fn there_are_never_too_many_and_no_gaps() {
        let mut timeline = ActivityTimeline::new(64);
        let mut now = 0;
        for turn in 0..10_000u64 {
            let activity = Activity::ALL[turn as usize % 2];
            let length = turn % 7 + 1;
            timeline.add(now, now + length, &spent(activity, length));
            now += length;
            assert!(timeline.pieces.len() <= 64);
        }
        let slices: Vec<ActivitySlice> = timeline.slices(3).collect();
        assert!(slices.len() >= 16, "{} slices", slices.len());
        let mut end = 0;
        for slice in &slices {
            assert_eq!(slice.begin, end);
            end = slice.end;
        }
        assert_eq!(end, now);
    }

    #[test]
    fn few_are_left_as_they_are() {
        let mut timeline = ActivityTimeline::new(64);
        timeline.add(5, 8, &spent(Activity::Compute, 3));
        timeline.add(8, 8, &spent(Activity::Memory, 0));
        timeline.add(8, 9, &spent(Activity::Compute, 1));
        timeline.add(9, 10, &spent(Activity::LockWait, 1));
        let of = |activity, begin, end| slice(0, activity, begin, end).unwrap();
        let expected = [of(Activity::Compute, 5, 9), of(Activity::LockWait, 9, 10)];
        assert_eq!(timeline.slices(0).collect::<Vec<_>>(), expected);
    }
}
