//! All that is told of a launch: when it happened, and what its code did.

use super::outcome::LaunchTiming;
use serde::{Deserialize, Serialize};

/// What the code of all arrays did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Work-groups.
    pub groups: u64,
    /// Work-items.
    pub work_items: u64,
    /// Machine instructions issued; one for all lanes is one.
    pub operations: u64,
    /// Floating-point operations of single precision and below, of lanes that take part.
    pub single_flops: u64,
    /// The same of double precision.
    pub double_flops: u64,
    /// Floating-point operations of the control cores.
    pub scalar_flops: u64,
    /// Bytes loaded from and stored to SM and AM.
    pub scratchpad_bytes: u64,
    /// Lanes that took part, summed over the blocks that lanes ran.
    pub active_lanes: u64,
    /// Lanes that could have taken part in these.
    pub lane_slots: u64,
}

/// Cycles of a source line, summed over the arrays: its share in the blocks it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCycles {
    /// File.
    pub file: String,
    /// From 1 on.
    pub line: u32,
    /// Cycles.
    pub cycles: u64,
}

/// All that is told of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchReport {
    /// When everything happened.
    pub timing: LaunchTiming,
    /// What the code did.
    pub totals: Totals,
    /// Lines with their cycles, in order; empty where there are no line tables.
    pub lines: Vec<LineCycles>,
    /// Bytes of local memory of a group.
    pub local_memory: u64,
    /// Bytes of a group's stack in SM.
    pub stack: u64,
    /// Bytes of AM in which work-items of a group keep what is their own.
    pub private_memory: u64,
    /// Lanes of the code; 0: the control core runs work-items one after another.
    pub lanes: u32,
}
