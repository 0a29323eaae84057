//! The cycles of a launch by line of the source.

use super::cost::{BlockCost, KernelCost, LaneWork, SourceLine};
use super::launch_timing::{Activity, CyclesByActivity, LaunchTiming};
use super::row::serialized_as_row;
use crate::units::Cycles;
use std::collections::BTreeMap;

/// Cycles of a source line, summed over the arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCycles {
    /// Name of the file.
    pub file: String,
    /// Line number from 1.
    pub line: u32,
    /// Its cycles.
    pub cycles: CyclesByActivity,
}

serialized_as_row!(LineCycles { file, line, cycles });

/// What a line causes.
#[derive(Clone, Copy, Default)]
struct Causes {
    /// In the order of `Activity::ALL`; cycles of memories are those without contention. In units of
    /// 1/65536 for those that lines of a block share.
    activities: [u128; 8],
    /// Bytes of memories outside, which cause contention; in the same unit.
    traffic: u128,
}

/// The lines with their cycles, in order. Lines share the arrays' cycles of each activity: by the
/// costs of their code, contention for memories by their traffic, waits for locks by their
/// acquisitions, and waits for DMA by where code waited. Launching, idling and fetching code before a
/// group runs belong to no line.
pub fn line_cycles(cost: &KernelCost, timing: &LaunchTiming, counts: &[u64]) -> Vec<LineCycles> {
    let mut totals = CyclesByActivity::default();
    for array in &timing.arrays {
        totals += array.cycles;
    }
    let memory = Activity::Memory as usize;
    let totals = totals.0.map(|cycles| u128::from(cycles.0));
    let of_code = totals[memory].saturating_sub(timing.code_fetch.0.into());
    let lines = causes(cost, timing, counts);
    let mut sums = Causes::default();
    for line in lines.values() {
        for (sum, cause) in sums.activities.iter_mut().zip(line.activities) {
            *sum += cause;
        }
        sums.traffic += line.traffic;
    }
    let dma_waits = timing.dma_waits.iter().map(|cycles| u128::from(cycles.0));
    sums.activities[Activity::DmaWait as usize] = dma_waits.sum();
    let uncontended = match sums.traffic {
        0 => of_code,
        _ => of_code.min(sums.activities[memory] / ONE),
    };
    let share = |all: u128, part: u128, of: u128| (all * part).checked_div(of).unwrap_or(0);
    let lines = lines.into_iter().map(|(line, causes)| {
        let mut cycles = CyclesByActivity::default();
        for (place, &cause) in causes.activities.iter().enumerate() {
            let all = if place == memory {
                uncontended
            } else {
                totals[place]
            };
            cycles.0[place] = Cycles(share(all, cause, sums.activities[place]) as u64);
        }
        let contention = share(of_code - uncontended, causes.traffic, sums.traffic);
        cycles[Activity::Memory] += Cycles(contention as u64);
        LineCycles {
            file: cost.files[line.file as usize].name.clone(),
            line: line.line,
            cycles,
        }
    });
    lines
        .filter(|line| line.cycles.total() > Cycles::ZERO)
        .collect()
}

/// The fixed-point one of shares.
const ONE: u128 = 1 << 16;

/// What the lines cause.
fn causes(
    cost: &KernelCost,
    timing: &LaunchTiming,
    counts: &[u64],
) -> BTreeMap<SourceLine, Causes> {
    let mut causes: BTreeMap<SourceLine, Causes> = BTreeMap::new();
    for shares in &cost.lines {
        let number = shares.block as usize;
        let block = &cost.blocks[number];
        let times = u128::from(counts[number]);
        let outside = with_lanes(block, number, counts, block.outside, |work| work.outside);
        let bytes = block.traffic.iter().sum();
        let traffic = with_lanes(block, number, counts, bytes, |work| {
            work.traffic.iter().sum()
        });
        let line = causes.entry(shares.line).or_default();
        for (activity, cycles, share) in [
            (
                Activity::Compute,
                times * u128::from(block.compute),
                shares.compute,
            ),
            (
                Activity::Scratchpad,
                times * u128::from(block.scratchpad),
                shares.scratchpad,
            ),
            (Activity::Memory, outside, shares.outside),
            (
                Activity::Barrier,
                times * u128::from(block.barrier),
                shares.barrier,
            ),
        ] {
            line.activities[activity as usize] += cycles * u128::from(share);
        }
        line.traffic += traffic * u128::from(shares.outside);
    }
    let mut add = |line: Option<SourceLine>, activity: Activity, number: u128| {
        if let Some(line) = line {
            causes.entry(line).or_default().activities[activity as usize] += number;
        }
    };
    for locked in &cost.locked {
        let acquired = u128::from(counts[locked.block as usize]) * u128::from(locked.times);
        add(locked.line, Activity::LockWait, acquired);
    }
    for (line, cycles) in cost.dma_sites.iter().zip(&timing.dma_waits) {
        add(*line, Activity::DmaWait, cycles.0.into());
    }
    causes
}

/// A number of each run of a block, and one of each active lane, over all runs.
pub(super) fn with_lanes(
    block: &BlockCost,
    number: usize,
    counts: &[u64],
    of_block: u32,
    of_lane: fn(&LaneWork) -> u32,
) -> u128 {
    let of_lanes = block.lanes.iter().map(|work| {
        let (counter, lanes) = work.active.counter(number);
        u128::from(counts[counter]) * u128::from(lanes) * u128::from(of_lane(work))
    });
    u128::from(counts[number]) * u128::from(of_block) + of_lanes.sum::<u128>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::cost::{LineShare, LockedOperations, SourceFile};
    use crate::timing::launch_timing::ArrayTiming;

    fn line(line: u32) -> SourceLine {
        SourceLine { file: 0, line }
    }

    #[test]
    fn lines_have_all_cycles_of_their_activities() {
        let share = |number, compute, outside| LineShare {
            block: 0,
            line: line(number),
            compute,
            scratchpad: 0,
            outside,
            barrier: 0,
        };
        let cost = KernelCost {
            blocks: vec![BlockCost {
                compute: 10,
                outside: 3,
                ..BlockCost::default()
            }],
            counters: 1,
            locked: vec![LockedOperations {
                block: 0,
                lock: 0,
                times: 2,
                line: Some(line(9)),
            }],
            files: vec![SourceFile::default()],
            lines: vec![share(3, 16384, 65536), share(4, 49152, 0)],
            dma_sites: vec![None, Some(line(5)), Some(line(4))],
            ..KernelCost::default()
        };
        let mut cycles = CyclesByActivity::default();
        for (activity, spent) in [
            (Activity::Compute, 400),
            (Activity::Memory, 150),
            (Activity::LockWait, 77),
            (Activity::DmaWait, 60),
            (Activity::Launch, 1000),
        ] {
            cycles[activity] = Cycles(spent);
        }
        let timing = LaunchTiming {
            arrays: vec![ArrayTiming {
                cycles,
                ..ArrayTiming::default()
            }],
            code_fetch: Cycles(30),
            dma_waits: [5, 15, 40].map(Cycles).to_vec(),
            ..LaunchTiming::default()
        };
        let lines = line_cycles(&cost, &timing, &[40]);
        let of = |line: &LineCycles| (line.line, line.cycles.total().0);
        assert_eq!(
            lines.iter().map(of).collect::<Vec<_>>(),
            [(3, 100 + 120), (4, 300 + 40), (5, 15), (9, 77)]
        );
        assert_eq!(lines[1].cycles[Activity::DmaWait], Cycles(40));
    }
}
