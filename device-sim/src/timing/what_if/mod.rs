//! What if: the time that a launch would take if its kernel or its work-groups were different. The
//! recorded steps are changed and simulated again, with the same engine and machine.

mod code_changes;
mod distribution;
mod larger_transfers;
mod launch;
mod local_copies;
mod other_steps;
mod threads;
mod transfer_changes;
mod variant;

pub use launch::Launch;
pub use threads::ThreadSteps;
pub use variant::LocalCopy;

use super::engine;
use super::launch_record::LaunchRecord;
use crate::machine::{CodeStackLayout, Machine};
use crate::units::Cycles;
use larger_transfers::larger_transfers;
use serde::{Deserialize, Serialize};
use variant::Variant;

/// A change of a kernel, or of how it is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Accesses of global memory use all bytes of the lines that they move.
    Coalesced,
    /// What the code loads and stores in global memory, DMA transfers move through two buffers in
    /// local memory.
    Dma,
    /// A group copies what it loads of some arguments to local memory first, and loads it there.
    LocalCopies,
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
    pub const ALL: [Self; 9] = [
        Self::Coalesced,
        Self::Dma,
        Self::LocalCopies,
        Self::DoubleBuffered,
        Self::FewerTransfers,
        Self::LargerTransfers,
        Self::Balanced,
        Self::AllLanesActive,
        Self::OneLockPerGroup,
    ];
}

/// The time of a launch under a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The change.
    pub change: Change,
    /// Cycles from the beginning of the command to its end, as `LaunchTiming::end`.
    pub end: Cycles,
    /// What `Change::LocalCopies` copies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<LocalCopy>,
}

/// The changes with which a launch that ends at `end` would end earlier.
pub fn alternatives(
    machine: &Machine,
    layout: &CodeStackLayout,
    launch: Launch<'_>,
    end: Cycles,
) -> Vec<Alternative> {
    let time = |changed: &LaunchRecord| engine::run(machine, layout, changed, false).end;
    let best = |change| {
        let variants = apply(change, machine, launch);
        let variants = variants.map(|Variant { record, copies }| (time(&record), copies));
        let (end, copies) = variants.min_by_key(|(end, _)| *end)?;
        Some(Alternative {
            change,
            end,
            copies,
        })
    };
    let all = Change::ALL.into_iter().filter_map(best);
    all.filter(|alternative| alternative.end < end).collect()
}

/// The forms of a change, of which there are several where it has a size or a choice; none where there is
/// nothing to change.
fn apply<'a>(
    change: Change,
    machine: &Machine,
    launch: Launch<'a>,
) -> Box<dyn Iterator<Item = Variant> + 'a> {
    let Launch {
        cost,
        counts,
        record,
        sizes,
        footprints: _,
    } = launch;
    let changed = match change {
        Change::Coalesced => code_changes::coalesced(cost, counts, record),
        Change::Dma => transfer_changes::through_local_memory(machine, record),
        Change::LocalCopies => return Box::new(local_copies::variants(launch)),
        Change::DoubleBuffered => transfer_changes::double_buffered(record),
        Change::FewerTransfers => transfer_changes::fewer_transfers(record),
        Change::LargerTransfers => {
            let factors = larger_transfers::factors(sizes);
            let changed = factors.filter_map(|factor| larger_transfers(record, factor));
            return Box::new(changed.map(Variant::from));
        }
        Change::Balanced => distribution::balanced(record),
        Change::AllLanesActive => code_changes::all_lanes_active(cost, counts, record),
        Change::OneLockPerGroup => code_changes::one_lock_per_group(record),
    };
    Box::new(changed.into_iter().map(Variant::from))
}

#[cfg(test)]
mod tests;
