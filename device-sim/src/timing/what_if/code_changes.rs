//! Changes of code: other numbers of lines, active lanes and locks. Counters are known for the whole
//! launch, so that all its steps change in proportion.

use super::other_steps::{map_code, scaled};
use crate::machine::SharedMemory;
use crate::timing::cost::{Active, KernelCost};
use crate::timing::launch_record::LaunchRecord;

/// Vector accesses of DDR move no bytes that no lane uses; the time for which code waits for DDR
/// shrinks with the lines.
pub fn coalesced(cost: &KernelCost, counts: &[u64], record: &LaunchRecord) -> Option<LaunchRecord> {
    const DDR: usize = SharedMemory::Ddr as usize;
    let (mut moved, mut unused) = (0u64, 0u64);
    for (number, block) in cost.blocks.iter().enumerate() {
        let times = *counts.get(number)?;
        moved += times * u64::from(block.traffic[DDR]);
        unused += times * u64::from(block.unused);
        for work in &block.lanes {
            let (counter, lanes) = work.active.counter(number);
            let active = counts.get(counter)? * lanes;
            moved += active * u64::from(work.traffic[DDR]);
            unused += active * u64::from(work.unused);
        }
    }
    let used = moved.saturating_sub(unused);
    (unused > 0).then(|| {
        map_code(record, |work| {
            work.outside = scaled(work.outside, used, moved);
            work.traffic[DDR] = scaled(work.traffic[DDR], used, moved);
        })
    })
}

/// Code of which only some lanes are active runs as much less often as lanes are inactive.
pub fn all_lanes_active(
    cost: &KernelCost,
    counts: &[u64],
    record: &LaunchRecord,
) -> Option<LaunchRecord> {
    // Sums of compute, scratchpad and outside cycles: all, and those of the active lanes.
    let (mut all, mut active) = ([0u64; 3], [0u64; 3]);
    for (number, block) in cost.blocks.iter().enumerate() {
        let times = *counts.get(number)?;
        let (mut operations, mut active_operations) = (0u64, 0u64);
        for work in &block.lanes {
            let own = times * u64::from(cost.lanes) * u64::from(work.operations);
            operations += own;
            active_operations += match work.active {
                Active::Always(_) => own,
                Active::Counted(counter) => {
                    counts.get(counter as usize)? * u64::from(work.operations)
                }
            };
        }
        let cycles = [block.compute, block.scratchpad, block.outside];
        for (place, cycles) in cycles.into_iter().enumerate() {
            let cycles = times * u64::from(cycles);
            all[place] += cycles;
            active[place] += match operations {
                0 => cycles,
                _ => scaled(cycles, active_operations.min(operations), operations),
            };
        }
    }
    (active != all).then(|| {
        map_code(record, |work| {
            let cycles = [&mut work.compute, &mut work.scratchpad, &mut work.outside];
            for (cycles, (active, all)) in cycles.into_iter().zip(active.into_iter().zip(all)) {
                if all > 0 {
                    *cycles = scaled(*cycles, active, all);
                }
            }
        })
    })
}

/// Each work-group takes each of its locks once.
pub fn one_lock_per_group(record: &LaunchRecord) -> Option<LaunchRecord> {
    let locks = record.volume(1).locks;
    let groups: u64 = record.arrays.iter().map(|array| array.groups).sum();
    (locks > groups).then(|| {
        map_code(record, |work| {
            for (_, taken) in &mut work.locks {
                *taken = scaled(*taken, groups, locks).max(1);
            }
        })
    })
}
