//! What the arrays did in a launch, in the order in which each of them did it, without times.

use super::launch_timing::Activity;
use crate::machine::{PerMemory, SharedMemory};
use crate::units::Bytes;
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

/// What code did between two events, or in several groups without events. Cycles are those of an
/// array that does not share the memories with others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SegmentWork {
    /// Cycles of operations.
    pub compute: u64,
    /// Cycles of waits for SM and AM.
    pub scratchpad: u64,
    /// Cycles of waits for memories outside the array.
    pub outside: u64,
    /// Cycles at barriers.
    pub barrier: u64,
    /// Bytes that the array's own loads and stores move from and to memories outside.
    pub traffic: PerMemory<u64>,
    /// Acquisitions of hardware locks: the number of the lock, and their count.
    pub locks: Vec<(u32, u64)>,
}

impl SegmentWork {
    /// The sum of its cycles.
    pub fn cycles(&self) -> u64 {
        let parts = [self.compute, self.scratchpad, self.outside, self.barrier];
        parts.into_iter().fold(0, u64::saturating_add)
    }
}

/// A step of a work-group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupStep {
    /// Runs code.
    Run(SegmentWork),
    /// Starts DMA transfers between a memory outside the array and its scratchpads, or another memory
    /// outside, one after the other.
    Transfer {
        /// Number of transfers; at least one.
        times: u64,
        /// Code that runs between them, in all.
        between: SegmentWork,
        /// Their event: its number in the group, from 1.
        event: u32,
        /// Rows of each transfer.
        rows: u64,
        /// Bytes of a row.
        row_bytes: u64,
        /// Whether the direction is from global to local memory.
        to_scratchpad: bool,
        /// The memory outside.
        memory: SharedMemory,
        /// The memory at the other end, if that is outside, too.
        second: Option<SharedMemory>,
        /// Where they are started: numbers in `KernelCost::dma_sites`, and how many there.
        sites: Arc<[(u32, u64)]>,
    },
    /// Waits for all transfers of an event.
    Wait {
        /// As in `Transfer`.
        event: u32,
        /// Number in `KernelCost::dma_sites`.
        site: u32,
    },
    /// Spends cycles for one purpose: what a message to a unit of the cluster takes.
    Spend {
        /// The purpose.
        activity: Activity,
        /// How many.
        cycles: u64,
    },
}

/// The steps of a work-group.
#[derive(Clone, Debug)]
pub enum GroupSteps {
    /// One step, as all groups without events have: these differ, and launches have many of them.
    One(GroupStep),
    /// Steps that groups share.
    Shared(Arc<[GroupStep]>),
}

impl Deref for GroupSteps {
    type Target = [GroupStep];

    fn deref(&self) -> &[GroupStep] {
        match self {
            Self::One(step) => slice::from_ref(step),
            Self::Shared(steps) => steps,
        }
    }
}

impl PartialEq for GroupSteps {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl Eq for GroupSteps {}

impl From<Vec<GroupStep>> for GroupSteps {
    fn from(steps: Vec<GroupStep>) -> Self {
        Self::Shared(steps.into())
    }
}

/// What an array did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayRecord {
    /// Its number in the cluster.
    pub array: u64,
    /// Steps in order, each with its number of consecutive repetitions.
    pub steps: Vec<(GroupSteps, u64)>,
    /// Number of work-groups that it ran.
    pub groups: u64,
}

impl ArrayRecord {
    /// Appends the steps of a group.
    pub fn push(&mut self, steps: &GroupSteps) {
        match self.steps.last_mut() {
            Some((last, times)) if last == steps => *times += 1,
            _ => self.steps.push((steps.clone(), 1)),
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

/// The amounts of data and locks of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Volume {
    /// Moved by the arrays' own loads and stores.
    pub traffic: PerMemory<Bytes>,
    /// Number of DMA transfers.
    pub transfers: u64,
    /// Moved by DMA.
    pub transferred: Bytes,
    /// The lines of each memory that DMA moved for it.
    pub transferred_lines: PerMemory<Bytes>,
    /// Number of acquisitions of hardware locks.
    pub locks: u64,
}

impl LaunchRecord {
    /// The sums over all arrays; DDR has lines of `line` bytes.
    pub fn volume(&self, line: u64) -> Volume {
        let mut volume = Volume::default();
        for (steps, repetitions) in self.arrays.iter().flat_map(|array| &array.steps) {
            for step in steps.iter() {
                volume.add(step, *repetitions, line);
            }
        }
        volume
    }
}

impl Volume {
    /// Adds the repetitions of a step; memories have lines of `line` bytes.
    pub fn add(&mut self, step: &GroupStep, repetitions: u64, line: u64) {
        match step {
            GroupStep::Run(work) => self.add_work(work, repetitions),
            GroupStep::Transfer {
                times,
                between,
                rows,
                row_bytes,
                memory,
                second,
                ..
            } => {
                self.add_work(between, repetitions);
                let transfers = repetitions.saturating_mul(*times);
                let bytes = Bytes(rows.saturating_mul(*row_bytes)).saturating_mul(transfers);
                self.transfers = self.transfers.saturating_add(transfers);
                self.transferred = self.transferred.saturating_add(bytes);
                let row_lines = row_bytes.div_ceil(line).saturating_mul(line);
                let lines = Bytes(rows.saturating_mul(row_lines)).saturating_mul(transfers);
                for memory in std::iter::once(memory).chain(second) {
                    let sum = &mut self.transferred_lines[*memory as usize];
                    *sum = sum.saturating_add(lines);
                }
            }
            GroupStep::Wait { .. } | GroupStep::Spend { .. } => {}
        }
    }

    /// Adds the repetitions of work.
    pub fn add_work(&mut self, work: &SegmentWork, repetitions: u64) {
        for (sum, bytes) in self.traffic.iter_mut().zip(work.traffic) {
            *sum = sum.saturating_add(Bytes(bytes).saturating_mul(repetitions));
        }
        for (_, taken) in &work.locks {
            self.locks = self.locks.saturating_add(taken.saturating_mul(repetitions));
        }
    }
}
