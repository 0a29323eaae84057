//! What later lines may refer to. Writer and reader keep the same, so that neither needs memory for a
//! whole recording.

use device_sim::timing::launch_report::LaunchReport;
use rustc_hash::FxHasher;
use std::collections::{HashMap, VecDeque};
use std::hash::{Hash, Hasher};

/// Maximum weight of what is kept: a few megabytes.
const MAX_WEIGHT: usize = 1 << 16;

/// The values that were added last, by keys. The writer's keys are fingerprints, the reader's are
/// numbers: the writer drops a value when the reader does, or before if another one has its key.
#[derive(Debug)]
pub struct Recent<T> {
    values: HashMap<u64, T>,
    /// Keys and weights, the oldest first.
    order: VecDeque<(u64, usize)>,
    weight: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self {
            values: HashMap::default(),
            order: VecDeque::default(),
            weight: 0,
        }
    }
}

impl<T> Recent<T> {
    /// The value with this key.
    pub fn get(&self, key: u64) -> Option<&T> {
        self.values.get(&key)
    }

    /// Adds a value. The oldest ones are dropped while the weight is too great; never the new one.
    pub fn add(&mut self, key: u64, value: T, weight: usize) {
        self.weight += weight;
        while self.weight > MAX_WEIGHT
            && let Some((oldest, weight)) = self.order.pop_front()
        {
            self.weight -= weight;
            self.values.remove(&oldest);
        }
        self.order.push_back((key, weight));
        self.values.insert(key, value);
    }
}

/// The weight of a report: its elements.
pub fn weight(report: &LaunchReport) -> usize {
    let timing = &report.timing;
    let slices = timing.slices.len() + timing.transfer_slices.len();
    report.lines.len() + report.alternatives.len() + timing.arrays.len() + slices
}

/// A hash of a report. Those that differ have different ones, but for rare cases.
pub fn fingerprint(report: &LaunchReport) -> u64 {
    let mut hasher = FxHasher::default();
    let timing = &report.timing;
    let [start, end] = [timing.start, timing.end].map(|time| time.0);
    (start, end, report.totals.operations).hash(&mut hasher);
    for array in &timing.arrays {
        (array.begin.0, array.end.0).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_dropped_by_weight_and_the_new_one_is_kept() {
        let mut recent = Recent::default();
        for key in 0..3 {
            recent.add(key, key, MAX_WEIGHT / 2);
        }
        let kept = |recent: &Recent<u64>| [0, 1, 2, 3, 4].map(|key| recent.get(key).is_some());
        assert_eq!(kept(&recent), [false, true, true, false, false]);
        recent.add(3, 3, 2 * MAX_WEIGHT);
        assert_eq!(kept(&recent), [false, false, false, true, false]);
        recent.add(4, 4, 1);
        assert_eq!(kept(&recent), [false, false, false, false, true]);
    }

    /// Where two values have a key, the writer finds none that the reader has dropped.
    #[test]
    fn the_writer_finds_what_the_reader_has() {
        let (mut written, mut read) = (Recent::default(), Recent::default());
        for number in 0..10_000 {
            let key = number * number % 97;
            if let Some(found) = written.get(key) {
                assert!(read.get(*found).is_some(), "{number}");
            }
            let weight = (number % 7 * 1000) as usize;
            written.add(key, number, weight);
            read.add(number, number, weight);
        }
    }
}
