//! Pieces of an array's time, with what it was spent on.

use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::collections::BTreeMap;

/// A piece of an array's time. It is written as `[begin, end, activity, time, ...]`: times of
/// activities by their index in `ACTIVITIES`; the array is idle for the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its begin, ns.
    pub begin: u64,
    /// Its end, ns.
    pub end: u64,
    /// Nanoseconds by activity, in the order of `ACTIVITIES`. Their sum is the length.
    times: Times,
}

type Times = [u64; 8];

/// Index of `ACTIVITIES`.
const IDLE: usize = Activity::Idle as usize;

impl Piece {
    /// The time from `begin` to `end`, distributed like `cycles`.
    pub fn new(begin: u64, end: u64, cycles: &CyclesByActivity) -> Self {
        let length = end.saturating_sub(begin);
        let all = cycles.total().0;
        let mut times = cycles.0.map(|cycles| share(length, cycles.0, all));
        // What rounding leaves is less than a nanosecond for each activity.
        let rest = length - times.iter().sum::<u64>();
        times[cycles.dominant() as usize] += rest;
        Self { begin, end, times }
    }

    /// Whether the array does nothing in it.
    pub fn is_idle(&self) -> bool {
        self.times[IDLE] >= self.end - self.begin
    }

    /// The times from the begin up to `until`, in the proportions of the whole piece.
    fn times_until(&self, until: u64) -> Times {
        let length = self.end - self.begin;
        self.times
            .map(|time| share(time, until - self.begin, length))
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        list.serialize_element(&self.begin)?;
        list.serialize_element(&self.end)?;
        for (activity, time) in self.times.iter().enumerate() {
            if *time > 0 && activity != IDLE {
                list.serialize_element(&activity)?;
                list.serialize_element(time)?;
            }
        }
        list.end()
    }
}

/// `all * part / of`, without overflow.
fn share(all: u64, part: u64, of: u64) -> u64 {
    (u128::from(all) * u128::from(part) / u128::from(of.max(1))) as u64
}

/// Pieces of whole steps, with what the array did in them.
pub fn joined(pieces: &[Piece], first: u64, step: u64) -> Vec<Piece> {
    let mut steps: BTreeMap<u64, Times> = BTreeMap::new();
    for piece in pieces {
        let mut before = Times::default();
        let mut now = piece.begin;
        while now < piece.end {
            let number = (now - first) / step;
            now = piece.end.min(first + (number + 1) * step);
            let until = piece.times_until(now);
            let times = steps.entry(number).or_default();
            for ((sum, until), before) in times.iter_mut().zip(until).zip(before) {
                *sum += until - before;
            }
            before = until;
        }
    }
    let steps = steps.into_iter();
    steps
        .map(|(number, mut times)| {
            times[IDLE] = 0;
            times[IDLE] = step.saturating_sub(times.iter().sum());
            Piece {
                begin: first + number * step,
                end: first + (number + 1) * step,
                times,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::units::Cycles;

    fn piece(begin: u64, end: u64, cycles: [u64; 8]) -> Piece {
        Piece::new(begin, end, &CyclesByActivity(cycles.map(Cycles)))
    }

    #[test]
    fn the_length_is_distributed_like_the_cycles() {
        assert_eq!(
            piece(10, 20, [2, 0, 0, 1, 0, 0, 0, 0]).times,
            [7, 0, 0, 3, 0, 0, 0, 0]
        );
        assert!(piece(3, 5, [0, 0, 0, 0, 0, 0, 0, 9]).is_idle());
        assert!(piece(3, 3, [1, 0, 0, 0, 0, 0, 0, 0]).is_idle());
    }

    #[test]
    fn pieces_are_joined_in_their_proportions() {
        let pieces = [
            piece(10, 20, [1, 0, 0, 1, 0, 0, 0, 0]),
            piece(20, 23, [0, 0, 1, 0, 0, 0, 0, 0]),
        ];
        let joined = joined(&pieces, 0, 8);
        let of = |piece: &Piece| (piece.begin, piece.end, piece.times);
        assert_eq!(
            joined.iter().map(of).collect::<Vec<_>>(),
            [
                (8, 16, [3, 0, 0, 3, 0, 0, 0, 2]),
                (16, 24, [2, 0, 3, 2, 0, 0, 0, 1]),
            ]
        );
    }

    #[test]
    fn a_piece_is_a_flat_list() {
        let list = serde_json::to_string(&piece(5, 9, [3, 0, 0, 1, 0, 0, 0, 0])).expect("JSON");
        assert_eq!(list, "[5,9,0,3,3,1]");
    }
}
