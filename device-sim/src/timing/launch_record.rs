//! What the arrays did in a launch, in the order in which each of them did it, without times.

use super::cost::PerMemory;
use std::sync::Arc;

/// What code did between two events, or in several groups that have none. Cycles are those of
/// an array that has the shared memories for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SegmentWork {
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

impl SegmentWork {
    /// All its cycles.
    pub fn cycles(&self) -> u64 {
        let parts = [self.compute, self.scratchpad, self.outside, self.barrier];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}

/// A step of a work-group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupStep {
    /// Code runs.
    Run(SegmentWork),
    /// DMA transfers between DDR and the array's scratchpad are started, one after the other.
    Transfer {
        /// How many; at least one.
        times: u64,
        /// Code that runs between them, in all.
        between: SegmentWork,
        /// What waits for it will name: from 1 on, of the group.
        event: u32,
        /// Rows of each.
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
pub type GroupSteps = Arc<[GroupStep]>;

/// What an array did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayRecord {
    /// Its number in the cluster.
    pub array: u64,
    /// In order: steps, and how often in a row.
    pub steps: Vec<(GroupSteps, u64)>,
    /// Work-groups.
    pub groups: u64,
}

impl ArrayRecord {
    /// Steps after those that there are.
    pub fn push(&mut self, steps: &GroupSteps) {
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
