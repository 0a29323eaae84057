//! What the arrays did in a launch, in the order in which each of them did it, without times.

use super::cost::PerMemory;
use std::sync::Arc;

/// What code did between two events, or in several groups that have none. Cycles are those of
/// an array that has the shared memories for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Work {
    /// Cycles of operations.
    pub compute: u64,
    /// Cycles for SM and AM.
    pub scratchpad: u64,
    /// Cycles of waiting for memories outside.
    pub outside: u64,
    /// Cycles at barriers.
    pub barrier: u64,
    /// Bytes loaded from and stored to memories outside by the arrays themselves.
    pub traffic: PerMemory<u64>,
    /// Hardware locks taken: number, and how often.
    pub locks: Vec<(u32, u64)>,
}

impl Work {
    /// What is done besides.
    pub fn add(&mut self, other: &Self) {
        self.each(other, |own, others| *own += others);
        for &(lock, times) in &other.locks {
            self.take_lock(lock, times);
        }
    }

    /// What was done before, which is part of this.
    pub fn subtract(&mut self, before: &Self) {
        self.each(before, |own, others| *own -= others);
        for &(lock, times) in &before.locks {
            if let Some(own) = self.locks.iter_mut().find(|own| own.0 == lock) {
                own.1 -= times;
            }
        }
        self.locks.retain(|(_, times)| *times > 0);
    }

    /// A lock is taken so often.
    pub fn take_lock(&mut self, lock: u32, times: u64) {
        match self.locks.binary_search_by_key(&lock, |own| own.0) {
            Ok(at) => self.locks[at].1 += times,
            Err(at) => self.locks.insert(at, (lock, times)),
        }
    }

    /// Whether there is none.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    fn each(&mut self, other: &Self, change: impl Fn(&mut u64, u64)) {
        change(&mut self.compute, other.compute);
        change(&mut self.scratchpad, other.scratchpad);
        change(&mut self.outside, other.outside);
        change(&mut self.barrier, other.barrier);
        for (own, others) in self.traffic.iter_mut().zip(other.traffic) {
            change(own, others);
        }
    }
}

/// A step of a work-group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Code runs.
    Run(Work),
    /// A DMA transfer between DDR and the array's scratchpad is started.
    Transfer {
        /// What waits for it will name: from 1 on, of the group.
        event: u32,
        /// Rows.
        rows: u64,
        /// Bytes of a row.
        row_bytes: u64,
        /// From global to local memory.
        to_scratchpad: bool,
    },
    /// All transfers of an event are waited for.
    Wait {
        /// As in `Transfer`.
        event: u32,
    },
}

/// What groups did that did the same.
pub type Steps = Arc<[Step]>;

/// What an array did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayRecord {
    /// Its number in the cluster.
    pub array: u64,
    /// In order: steps, and how often in a row.
    pub steps: Vec<(Steps, u64)>,
    /// By counter (`KernelCost::counters`).
    pub counts: Vec<u64>,
    /// Work-groups.
    pub groups: u64,
}

impl ArrayRecord {
    /// Steps after those that there are.
    pub fn push(&mut self, steps: &Steps) {
        match self.steps.last_mut() {
            Some((last, times)) if last == steps => *times += 1,
            _ => self.steps.push((Arc::clone(steps), 1)),
        }
    }
}

/// What the arrays of a launch did: one entry for each array of the device, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchRecord {
    /// By array.
    pub arrays: Vec<ArrayRecord>,
    /// Bytes of code that each array fetches.
    pub code_bytes: u64,
}
