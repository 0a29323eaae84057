//! When everything of a launch happened. Times are cycles since it was handed to the device.

use super::cost::PerMemory;
use serde::{Deserialize, Serialize};

/// What an array does with its cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Operations.
    Compute,
    /// Waiting for SM and AM.
    Scratchpad,
    /// Waiting for GSM, HBSM or DDR, alone or because others use them.
    Memory,
    /// Waiting for DMA transfers.
    DmaWait,
    /// Waiting for hardware locks.
    LockWait,
    /// Barriers of work-groups.
    Barrier,
    /// Being started, and telling of the end.
    Launch,
    /// Nothing to do.
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

/// Cycles by activity, in the order of `Activity::ALL`. An array's add up to the duration of
/// the command.
pub type CyclesByActivity = [u64; 8];

/// What became of an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayTiming {
    /// Its number in the cluster.
    pub array: u64,
    /// Its code began.
    pub begin: u64,
    /// Its last group ended.
    pub end: u64,
    /// Its cycles.
    pub shares: CyclesByActivity,
}

/// A piece of an array's time, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivitySlice {
    /// Number of the array.
    pub array: u64,
    /// Mostly that.
    pub activity: Activity,
    /// From.
    pub begin: u64,
    /// To.
    pub end: u64,
}

/// A DMA transfer, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferSlice {
    /// Number of the array.
    pub array: u64,
    /// Number of its channel.
    pub channel: u64,
    /// Started.
    pub begin: u64,
    /// All bytes are there.
    pub end: u64,
    /// When it was waited for; none if never.
    pub waited_for: Option<u64>,
    /// Bytes.
    pub bytes: u64,
    /// From global to local memory.
    pub to_scratchpad: bool,
}

/// When everything of a launch happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchTiming {
    /// The first array began: `CL_PROFILING_COMMAND_START`.
    pub start: u64,
    /// The host knows of the end: `CL_PROFILING_COMMAND_END`.
    pub end: u64,
    /// By array of the device.
    pub arrays: Vec<ArrayTiming>,
    /// Bytes of the arrays' own loads and stores, by memory; DMA's are not among them.
    pub traffic: PerMemory<u64>,
    /// DMA transfers.
    pub transfers: u64,
    /// Bytes of DMA transfers.
    pub transferred: u64,
    /// Hardware locks taken.
    pub locks: u64,
    /// Pieces of the arrays' time, if a timeline is wanted.
    pub slices: Vec<ActivitySlice>,
    /// DMA transfers, if a timeline is wanted.
    pub transfer_slices: Vec<TransferSlice>,
}
