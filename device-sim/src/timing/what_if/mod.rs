//! What if: the time that a launch would take if its kernel or its work-groups were different. The
//! recorded steps are changed and simulated again, with the same engine and machine.

mod code_changes;
mod distribution;
mod larger_transfers;
mod other_steps;
mod transfer_changes;

use super::cost::KernelCost;
use super::engine;
use super::launch_record::LaunchRecord;
use super::launch_sizes::LaunchSizes;
use crate::machine::{CodeStackLayout, Machine};
use crate::units::Cycles;
use larger_transfers::larger_transfers;
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
    /// Transfers to local memory, and what is computed on them, are as many times as large as fits there.
    LargerTransfers,
    /// All arrays do the same work.
    Balanced,
    /// All lanes are active wherever one is.
    AllLanesActive,
    /// A work-group takes each lock once.
    OneLockPerGroup,
}

impl Change {
    /// All.
    pub const ALL: [Self; 8] = [
        Self::Coalesced,
        Self::Dma,
        Self::DoubleBuffered,
        Self::FewerTransfers,
        Self::LargerTransfers,
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

/// A launch, and the code that ran in it.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The costs of its code.
    pub cost: &'a KernelCost,
    /// The sums of its counters.
    pub counts: &'a [u64],
    /// What its arrays did.
    pub record: &'a LaunchRecord,
    /// Its sizes.
    pub sizes: &'a LaunchSizes,
}

/// The changes with which a launch that ends at `end` would end earlier.
pub fn alternatives(
    machine: &Machine,
    layout: &CodeStackLayout,
    launch: Launch<'_>,
    end: Cycles,
) -> Vec<Alternative> {
    let time = |change| {
        let changed = apply(change, machine, launch);
        let ends = changed.map(|changed| engine::run(machine, layout, &changed, false).end);
        let end = ends.min()?;
        Some(Alternative { change, end })
    };
    let all = Change::ALL.into_iter().filter_map(time);
    all.filter(|alternative| alternative.end < end).collect()
}

/// The steps of a launch under a change, for each size where it has one; none where there is nothing to
/// change.
fn apply<'a>(
    change: Change,
    machine: &Machine,
    launch: Launch<'a>,
) -> Box<dyn Iterator<Item = LaunchRecord> + 'a> {
    let Launch {
        cost,
        counts,
        record,
        sizes,
    } = launch;
    let changed = match change {
        Change::Coalesced => code_changes::coalesced(cost, counts, record),
        Change::Dma => transfer_changes::through_local_memory(machine, record),
        Change::DoubleBuffered => transfer_changes::double_buffered(record),
        Change::FewerTransfers => transfer_changes::fewer_transfers(record),
        Change::LargerTransfers => {
            let factors = larger_transfers::factors(sizes);
            return Box::new(factors.filter_map(|factor| larger_transfers(record, factor)));
        }
        Change::Balanced => distribution::balanced(record),
        Change::AllLanesActive => code_changes::all_lanes_active(cost, counts, record),
        Change::OneLockPerGroup => code_changes::one_lock_per_group(record),
    };
    Box::new(changed.into_iter())
}

#[cfg(test)]
mod tests;
