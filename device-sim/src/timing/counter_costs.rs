//! The cost of counters: the work of a group is a linear function of its counters.

use super::cost::KernelCost;
use super::launch_record::SegmentWork;

/// Number of cost sums that each kernel has: compute, scratchpad, outside, barrier, the traffic of each
/// shared memory, and one that is always 0, since vectors divide eight numbers. The sums of its locks
/// follow.
const COMMON: usize = 8;

/// The contribution of one count of each counter to the cost sums.
#[derive(Debug)]
pub struct CounterCosts {
    /// Numbers of the locks, in order.
    locks: Vec<u32>,
    /// By counter, the weights of the common sums.
    common: Vec<[u64; COMMON]>,
    /// Weights by counter, then by lock.
    of_locks: Vec<u64>,
}

impl CounterCosts {
    /// The weights of a kernel.
    pub fn new(cost: &KernelCost) -> Self {
        let mut locks: Vec<u32> = cost.locked.iter().map(|locked| locked.lock).collect();
        locks.sort_unstable();
        locks.dedup();
        let counters = cost.counters as usize;
        let mut common = vec![[0; COMMON]; counters];
        let mut of_locks = vec![0; counters * locks.len()];
        let mut add = |counter: usize, sum: usize, weight: u64| common[counter][sum] += weight;
        for (number, block) in cost.blocks.iter().enumerate() {
            let own = [
                block.compute,
                block.scratchpad,
                block.outside,
                block.barrier,
            ];
            for (sum, cycles) in own.into_iter().enumerate() {
                add(number, sum, cycles.into());
            }
            for (memory, bytes) in block.traffic.into_iter().enumerate() {
                add(number, 4 + memory, bytes.into());
            }
            for work in &block.lanes {
                let (counter, lanes) = work.active.counter(number);
                add(counter, 2, u64::from(work.outside) * lanes);
                for (memory, bytes) in work.traffic.into_iter().enumerate() {
                    add(counter, 4 + memory, u64::from(bytes) * lanes);
                }
            }
        }
        for locked in &cost.locked {
            let lock = locks
                .binary_search(&locked.lock)
                .expect("it is one of them");
            of_locks[locked.block as usize * locks.len() + lock] += u64::from(locked.times);
        }
        Self {
            locks,
            common,
            of_locks,
        }
    }

    /// Number of counters.
    pub fn counters(&self) -> usize {
        self.common.len()
    }

    /// Number of cost sums.
    pub fn sums(&self) -> usize {
        COMMON + self.locks.len()
    }

    /// Whether the work of a step without events is kept as its counters, if they are few, and not as cost
    /// sums: its cost is then computed once, and not for each of its groups.
    pub fn keeps_counters(&self) -> bool {
        (1..=2 * self.sums()).contains(&self.counters())
    }

    /// Number of numbers that are kept of a step: counters or cost sums.
    pub fn step_width(&self) -> usize {
        match self.keeps_counters() {
            true => self.counters(),
            false => self.sums(),
        }
    }

    /// The work of a step of which these numbers have been kept. `sums` is room for the cost sums.
    pub fn work_of_step(&self, kept: &[u64], sums: &mut [u64]) -> SegmentWork {
        if !self.keeps_counters() {
            return self.work(kept);
        }
        self.sums_of(kept, sums);
        self.work(sums)
    }

    /// Computes the cost sums of `counters`.
    pub fn sums_of(&self, counters: &[u64], sums: &mut [u64]) {
        let mut common = [0; COMMON];
        for (&times, weights) in counters.iter().zip(&self.common) {
            if times > 0 {
                for (sum, weight) in common.iter_mut().zip(weights) {
                    *sum += weight * times;
                }
            }
        }
        let (sums, of_locks) = sums.split_at_mut(COMMON);
        sums.copy_from_slice(&common);
        of_locks.fill(0);
        if of_locks.is_empty() {
            return;
        }
        let rows = self.of_locks.chunks_exact(of_locks.len());
        for (&times, weights) in counters.iter().zip(rows) {
            for (sum, weight) in of_locks.iter_mut().zip(weights) {
                *sum += weight * times;
            }
        }
    }

    /// Converts cost sums to work.
    pub fn work(&self, sums: &[u64]) -> SegmentWork {
        let taken = self.locks.iter().zip(&sums[COMMON..]);
        SegmentWork {
            compute: sums[0],
            scratchpad: sums[1],
            outside: sums[2],
            barrier: sums[3],
            traffic: [sums[4], sums[5], sums[6]],
            locks: taken
                .filter(|(_, times)| **times > 0)
                .map(|(lock, times)| (*lock, *times))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::{Active, BlockCost, LaneWork, LockedOperations};
    use super::*;

    #[test]
    fn active_lanes_count_where_costs_are_per_lane() {
        let block = |active| BlockCost {
            compute: 10,
            scratchpad: 2,
            barrier: 1,
            outside: 3,
            traffic: [0, 0, 64],
            lanes: vec![LaneWork {
                outside: 5,
                traffic: [0, 8, 0],
                ..LaneWork::new(active)
            }],
            ..BlockCost::default()
        };
        let locked = |block, lock| LockedOperations {
            block,
            lock,
            times: 2,
            line: None,
        };
        let cost = KernelCost {
            blocks: vec![block(Active::Always(16)), block(Active::Counted(2))],
            counters: 3,
            locked: vec![locked(0, 9), locked(1, 4), locked(0, 4)],
            ..KernelCost::default()
        };
        let weights = CounterCosts::new(&cost);
        let mut sums = vec![0; weights.sums()];
        weights.sums_of(&[2, 2, 11], &mut sums);
        let expected = SegmentWork {
            compute: 20 + 20,
            scratchpad: 4 + 4,
            barrier: 2 + 2,
            // Two runs with 16 lanes each; two with 11 in all.
            outside: 6 + 6 + 5 * (32 + 11),
            traffic: [0, 8 * (32 + 11), 64 * 4],
            locks: vec![(4, 8), (9, 4)],
        };
        assert_eq!(weights.work(&sums), expected);
    }
}
