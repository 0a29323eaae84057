//! What if: the time that a launch would take if its kernel or its work-groups were different. The
//! recorded steps are changed and simulated again, with the same engine and machine.

mod code_changes;
mod distribution;
mod other_steps;
mod transfer_changes;

use super::cost::KernelCost;
use super::engine;
use super::launch_record::LaunchRecord;
use crate::machine::{CodeStackLayout, Machine};
use crate::units::Cycles;
use serde::{Deserialize, Serialize};

/// A change of a kernel, or of how it is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Accesses of global memory use all bytes of the lines that they move.
    Coalesced,
    /// What the code loads and stores in global memory, DMA transfers move through two buffers in
    /// local memory.
    Dma,
    /// Transfers to local memory are started before the code that precedes them.
    DoubleBuffered,
    /// Transfers that code starts one after another are one transfer.
    FewerTransfers,
    /// All arrays do the same work.
    Balanced,
    /// All lanes are active wherever one is.
    AllLanesActive,
    /// A work-group takes each lock once.
    OneLockPerGroup,
}

impl Change {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::Coalesced,
        Self::Dma,
        Self::DoubleBuffered,
        Self::FewerTransfers,
        Self::Balanced,
        Self::AllLanesActive,
        Self::OneLockPerGroup,
    ];
}

/// The time of a launch under a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The change.
    pub change: Change,
    /// Cycles from the beginning of the command to its end, as `LaunchTiming::end`.
    pub end: Cycles,
}

/// The changes with which a launch that ends at `end` would end earlier; `counts` are the sums of its
/// counters.
pub fn alternatives(
    machine: &Machine,
    layout: &CodeStackLayout,
    (cost, counts): (&KernelCost, &[u64]),
    record: &LaunchRecord,
    end: Cycles,
) -> Vec<Alternative> {
    let time = |change| {
        let changed = apply(change, machine, (cost, counts), record)?;
        let end = engine::run(machine, layout, &changed, false).end;
        Some(Alternative { change, end })
    };
    let all = Change::ALL.into_iter().filter_map(time);
    all.filter(|alternative| alternative.end < end).collect()
}

/// The steps of a launch under a change; none where there is nothing to change.
fn apply(
    change: Change,
    machine: &Machine,
    (cost, counts): (&KernelCost, &[u64]),
    record: &LaunchRecord,
) -> Option<LaunchRecord> {
    match change {
        Change::Coalesced => code_changes::coalesced(cost, counts, record),
        Change::Dma => transfer_changes::through_local_memory(machine, record),
        Change::DoubleBuffered => transfer_changes::double_buffered(record),
        Change::FewerTransfers => transfer_changes::fewer_transfers(record),
        Change::Balanced => distribution::balanced(record),
        Change::AllLanesActive => code_changes::all_lanes_active(cost, counts, record),
        Change::OneLockPerGroup => code_changes::one_lock_per_group(record),
    }
}

#[cfg(test)]
mod tests;
