//! The report of a launch: its timing, and the totals of its code.

use super::cost::{BlockCost, KernelCost};
use super::launch_record::LaunchRecord;
use super::launch_timing::LaunchTiming;
use crate::units::{Bytes, Cycles};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Totals of the code of all arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Work-groups.
    pub groups: u64,
    /// Work-items.
    pub work_items: u64,
    /// Machine instructions issued; a vector instruction counts once.
    pub operations: u64,
    /// Floating-point operations of single precision and below, of active lanes.
    pub single_flops: u64,
    /// The same of double precision.
    pub double_flops: u64,
    /// Floating-point operations of the control cores.
    pub scalar_flops: u64,
    /// Loaded from and stored to SM and AM.
    pub scratchpad_bytes: Bytes,
    /// Active lanes, summed over the vector instructions.
    pub active_lanes: u64,
    /// Available lanes, summed over the vector instructions.
    pub lane_slots: u64,
}

/// Cycles of a source line, summed over the arrays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCycles {
    /// Name of the file.
    pub file: String,
    /// Line number from 1.
    pub line: u32,
    /// Its cycles.
    pub cycles: Cycles,
}

/// The report of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchReport {
    /// Its timing.
    pub timing: LaunchTiming,
    /// Totals of its code.
    pub totals: Totals,
    /// Source lines with their cycles, in order; empty without line tables.
    pub lines: Vec<LineCycles>,
    /// Local memory of a group.
    pub local_memory: Bytes,
    /// Stack of a group in SM.
    pub stack: Bytes,
    /// Part of AM that holds the private memory of a group's work-items.
    pub private_memory: Bytes,
    /// Lanes that the code uses; 0: scalar code on the control core.
    pub lanes: u32,
}

impl Totals {
    /// Computes the totals from the counters.
    fn of(cost: &KernelCost, counts: &[u64]) -> Self {
        let mut totals = Self::default();
        for (number, block) in cost.blocks.iter().enumerate() {
            let times = counts[number];
            totals.operations += times * u64::from(block.operations);
            totals.scalar_flops += times * u64::from(block.scalar_flops);
            totals.scratchpad_bytes += Bytes(times * u64::from(block.scratchpad_bytes));
            for work in &block.lanes {
                let (counter, lanes) = work.active.counter(number);
                let active = counts[counter] * lanes;
                let operations = u64::from(work.operations);
                totals.single_flops += active * u64::from(work.single_flops);
                totals.double_flops += active * u64::from(work.double_flops);
                totals.active_lanes += active * operations;
                totals.lane_slots += times * u64::from(cost.lanes) * operations;
            }
        }
        totals
    }
}

/// Cycles of all runs of a block.
fn cycles(cost: &KernelCost, block: usize, counts: &[u64]) -> u64 {
    let BlockCost {
        compute,
        scratchpad,
        outside,
        barrier,
        lanes,
        ..
    } = &cost.blocks[block];
    let of_lanes = lanes.iter().map(|work| {
        let (counter, lanes) = work.active.counter(block);
        counts[counter] * lanes * u64::from(work.outside)
    });
    counts[block] * u64::from(compute + scratchpad + outside + barrier) + of_lanes.sum::<u64>()
}

impl LaunchReport {
    /// The report of a launch with this record and these counters; without its timing.
    pub fn new(cost: &KernelCost, record: &LaunchRecord, counts: &[u64]) -> Self {
        let mut lines: BTreeMap<(u32, u32), u128> = BTreeMap::new();
        for line in &cost.lines {
            let of_block = cycles(cost, line.block as usize, counts);
            *lines.entry((line.file, line.line)).or_default() +=
                u128::from(of_block) * u128::from(line.share);
        }
        let lines = lines.into_iter().map(|((file, line), cycles)| LineCycles {
            file: cost.files[file as usize].name.clone(),
            line,
            cycles: Cycles((cycles >> 16) as u64),
        });
        let groups = record.arrays.iter().map(|array| array.groups).sum();
        Self {
            totals: Totals {
                groups,
                ..Totals::of(cost, counts)
            },
            lines: lines.collect(),
            stack: Bytes(u64::from(cost.stack_bytes)),
            lanes: cost.lanes,
            ..Self::default()
        }
    }
}
