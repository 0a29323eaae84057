//! The timing of a launch. Times are cycles since it was handed to the device.

use super::row::serialized_as_row;
use crate::machine::{PerMemory, SharedMemory};
use crate::units::{Bytes, Cycles};
use serde::{Deserialize, Serialize};
use std::ops::{AddAssign, Index, IndexMut};

/// What an array spends its cycles on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Issuing operations, and waiting for their results.
    Compute,
    /// Waiting for SM and AM.
    Scratchpad,
    /// Waiting for GSM, HBSM or DDR: for their latency, or for other arrays' requests.
    Memory,
    /// Waiting for DMA transfers.
    DmaWait,
    /// Waiting for hardware locks.
    LockWait,
    /// Barriers of work-groups, and between arrays.
    Barrier,
    /// Being started, and reporting its end to the host.
    Launch,
    /// Nothing to run.
    Idle,
}

impl Activity {
    /// All, in the order of `CyclesByActivity`.
    pub const ALL: [Self; 8] = [
        Self::Compute,
        Self::Scratchpad,
        Self::Memory,
        Self::DmaWait,
        Self::LockWait,
        Self::Barrier,
        Self::Launch,
        Self::Idle,
    ];
}

/// Cycles by activity, in the order of `Activity::ALL`. An array's add up to the duration of the
/// command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CyclesByActivity(pub [Cycles; 8]);

impl CyclesByActivity {
    /// Cycles of one activity.
    pub fn single(activity: Activity, cycles: Cycles) -> Self {
        let mut by_activity = Self::default();
        by_activity[activity] = cycles;
        by_activity
    }

    /// The cycles of all activities.
    pub fn total(&self) -> Cycles {
        self.0.into_iter().sum()
    }

    /// The activity with most cycles; the first of several.
    pub fn dominant(&self) -> Activity {
        let mut dominant = Activity::Compute;
        for activity in Activity::ALL {
            if self[activity] > self[dominant] {
                dominant = activity;
            }
        }
        dominant
    }

    /// Each activity with its cycles.
    pub fn iter(&self) -> impl Iterator<Item = (Activity, Cycles)> {
        Activity::ALL.into_iter().zip(self.0)
    }
}

impl Index<Activity> for CyclesByActivity {
    type Output = Cycles;

    fn index(&self, activity: Activity) -> &Cycles {
        &self.0[activity as usize]
    }
}

impl IndexMut<Activity> for CyclesByActivity {
    fn index_mut(&mut self, activity: Activity) -> &mut Cycles {
        &mut self.0[activity as usize]
    }
}

impl AddAssign for CyclesByActivity {
    /// Sums that have more than 64 bits are the largest number.
    fn add_assign(&mut self, other: Self) {
        for (sum, cycles) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(cycles);
        }
    }
}

/// The timing of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayTiming {
    /// Its number in the cluster.
    pub array: u64,
    /// When its code began.
    pub begin: Cycles,
    /// When its last group ended.
    pub end: Cycles,
    /// How it spent the duration of the command.
    pub cycles: CyclesByActivity,
}

serialized_as_row!(ArrayTiming {
    array,
    begin,
    end,
    cycles
});

/// A piece of an array's time, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivitySlice {
    /// Number of the array.
    pub array: u64,
    /// Its begin.
    pub begin: Cycles,
    /// Its end.
    pub end: Cycles,
    /// What its cycles were spent on.
    pub cycles: CyclesByActivity,
}

serialized_as_row!(ActivitySlice {
    array,
    begin,
    end,
    cycles
});

impl ActivitySlice {
    /// The activity that takes most of it.
    pub fn activity(&self) -> Activity {
        self.cycles.dominant()
    }
}

/// A DMA transfer, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferSlice {
    /// Number of the array.
    pub array: u64,
    /// Number of its channel.
    pub channel: u64,
    /// When it was started.
    pub begin: Cycles,
    /// When its last byte was written.
    pub end: Cycles,
    /// When code began to wait for it; None if it never did.
    pub waited_for: Option<Cycles>,
    /// Its size.
    pub bytes: Bytes,
    /// Whether the direction is from global to local memory.
    pub to_scratchpad: bool,
}

/// The timing of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchTiming {
    /// When the first array began: `CL_PROFILING_COMMAND_START`.
    pub start: Cycles,
    /// When the host learned of the end: `CL_PROFILING_COMMAND_END`.
    pub end: Cycles,
    /// By array of the device.
    pub arrays: Vec<ArrayTiming>,
    /// Moved by the arrays' own loads and stores; DMA is not included.
    pub traffic: PerMemory<Bytes>,
    /// Number of DMA transfers.
    pub transfers: u64,
    /// Moved by DMA.
    pub transferred: Bytes,
    /// The lines of DDR that DMA moved for it.
    pub transferred_lines: Bytes,
    /// The lines of the other memories that DMA moved for it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub transferred_on_chip: PerMemory<Bytes>,
    /// Number of acquisitions of hardware locks.
    pub locks: u64,
    /// Cycles of all arrays in which they fetched their code before they ran it; part of
    /// `Activity::Memory`.
    #[serde(default)]
    pub code_fetch: Cycles,
    /// Cycles of all arrays in which they waited for DMA, by site of the code
    /// (`KernelCost::dma_sites`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dma_waits: Vec<Cycles>,
    /// The arrays' activities, if a timeline is wanted.
    pub slices: Vec<ActivitySlice>,
    /// The DMA transfers, if a timeline is wanted.
    pub transfer_slices: Vec<TransferSlice>,
}

impl LaunchTiming {
    /// Bytes from and to each memory outside the arrays, by DMA in whole lines.
    pub fn moved(&self) -> PerMemory<Bytes> {
        let mut moved = self.traffic;
        for (sum, by_dma) in moved.iter_mut().zip(self.transferred_on_chip) {
            *sum += by_dma;
        }
        moved[SharedMemory::Ddr as usize] += self.transferred_lines;
        moved
    }

    /// Cycles from the begin of the last array to the end of the last one: without the launch.
    pub fn cycles_after_starts(&self) -> Cycles {
        let started = || self.arrays.iter().filter(|array| array.end > Cycles::ZERO);
        let begin = started().map(|array| array.begin).max().unwrap_or_default();
        let end = started().map(|array| array.end).max().unwrap_or_default();
        end - begin
    }

    /// Cycles until the last array has begun, and from the end of the last one on: what a launch takes
    /// without any work.
    pub fn overhead(&self) -> Cycles {
        let begun = self.arrays.iter().map(|array| array.begin).max();
        let ended = self.arrays.iter().map(|array| array.end).max();
        begun.unwrap_or_default() + (self.end - ended.unwrap_or(self.end))
    }
}

fn is_zero(bytes: &PerMemory<Bytes>) -> bool {
    *bytes == PerMemory::default()
}
