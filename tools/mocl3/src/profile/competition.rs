//! What other launches move while a launch runs: those of hthreads that run on a cluster at the same time compete
//! for its memories.

use device_sim::machine::PerMemory;
use device_sim::timing::launch_timing::LaunchTiming;
use recording::Command;
use std::collections::{BTreeMap, VecDeque};

/// Launches of a cluster that are kept for those that end later. Earlier ones count as if they had moved nothing.
const MOST: usize = 1 << 16;

/// When a launch ran, and what it moved.
struct Interval<K> {
    key: K,
    begin: u64,
    end: u64,
    bytes: PerMemory<u64>,
}

/// The last launches, by process and cluster, in the order in which they ended.
pub struct Competition<K>(BTreeMap<(usize, u32), VecDeque<Interval<K>>>);

impl<K> Default for Competition<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K> Competition<K> {
    /// Adds a launch of `key`, in the order in which launches end. `competes` gets keys and what others moved while
    /// a launch of them ran, bytes.
    pub fn add(
        &mut self,
        process: usize,
        key: K,
        command: &Command,
        timing: &LaunchTiming,
        mut competes: impl FnMut(&K, PerMemory<u64>),
    ) {
        if !command.is_of_hthreads() || command.end <= command.start {
            return;
        }
        let launch = Interval {
            key,
            begin: command.start,
            end: command.end,
            bytes: timing.moved().map(|bytes| bytes.0),
        };
        let others = self.0.entry((process, command.device)).or_default();
        for other in others.iter().rev() {
            let common = launch.common(other);
            if common == 0 {
                break;
            }
            competes(&launch.key, other.moved_in(common));
            competes(&other.key, launch.moved_in(common));
        }
        if others.len() == MOST {
            others.pop_front();
        }
        others.push_back(launch);
    }
}

impl<K> Interval<K> {
    /// Nanoseconds in which both ran.
    fn common(&self, other: &Self) -> u64 {
        let begin = self.begin.max(other.begin);
        self.end.min(other.end).saturating_sub(begin)
    }

    /// What it moved in some of its nanoseconds, if it moved the same in each.
    fn moved_in(&self, nanoseconds: u64) -> PerMemory<u64> {
        let all = u128::from(self.end - self.begin);
        let part = |bytes| (u128::from(bytes) * u128::from(nanoseconds) / all) as u64;
        self.bytes.map(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::units::Bytes;

    #[test]
    fn launches_compete_while_both_run() {
        let mut competition = Competition::default();
        let mut sums: BTreeMap<&str, PerMemory<u64>> = BTreeMap::new();
        let mut add = |key: &'static str, device, (start, end), bytes| {
            let command = Command {
                kernel: Some("kernel".into()),
                kind: "hthread_group_exec".into(),
                device,
                start,
                end,
                ..Command::default()
            };
            let timing = LaunchTiming {
                transferred_lines: Bytes(bytes),
                traffic: [Bytes(2 * bytes), Bytes::ZERO, Bytes::ZERO],
                ..LaunchTiming::default()
            };
            competition.add(0, key, &command, &timing, |key, bytes| {
                let sum = sums.entry(key).or_default();
                for (sum, bytes) in sum.iter_mut().zip(bytes) {
                    *sum += bytes;
                }
            });
        };
        add("early", 0, (0, 10), 1000);
        add("short", 0, (10, 20), 100);
        add("elsewhere", 1, (10, 20), 50);
        add("long", 0, (0, 100), 1000);
        let of = |key| sums.get(key).copied();
        assert_eq!(of("early"), Some([200, 0, 100]));
        assert_eq!(of("short"), Some([200, 0, 100]));
        assert_eq!(of("long"), Some([2200, 0, 1100]));
        assert_eq!(of("elsewhere"), None);
    }
}
