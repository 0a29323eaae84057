//! The report of a launch: its timing, and the totals of its code.

use super::cost::KernelCost;
use super::launch_sizes::LaunchSizes;
use super::launch_timing::{ArrayTiming, CyclesByActivity, LaunchTiming};
use super::line_cycles::{LineCycles, line_cycles};
use super::what_if::Alternative;
use crate::machine::KernelMemory;
use crate::units::{Bytes, Cycles};
use serde::{Deserialize, Serialize};

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

/// What a report contains besides sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The arrays' activities over time, and the DMA transfers.
    pub timeline: bool,
    /// The times under changes.
    pub alternatives: bool,
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
    /// What local memory leaves of AM for it.
    pub private_memory_limit: Bytes,
    /// Size of the code.
    pub code: Bytes,
    /// Lanes that the code uses; 0: scalar code on the control core.
    pub lanes: u32,
    /// Changes with which it would take less time, if wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

impl Totals {
    /// Computes the totals from the counters.
    fn sum(cost: &KernelCost, counts: &[u64]) -> Self {
        let mut totals = Self::default();
        for (number, block) in cost.blocks.iter().enumerate() {
            let times = counts[number];
            totals.operations += times * u64::from(block.operations());
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

impl LaunchReport {
    /// The memory that the kernel needs.
    pub fn memory(&self) -> KernelMemory {
        KernelMemory {
            private_memory: self.private_memory.0,
            private_memory_limit: self.private_memory_limit.0,
            stack: self.stack.0,
            code: self.code.0,
        }
    }

    /// The report of a task that ran on these accelerators, each of which spent these cycles.
    pub fn of_task(units: &[u64], cycles: CyclesByActivity) -> Self {
        let end = cycles.total();
        let arrays = units.iter().map(|unit| ArrayTiming {
            array: *unit,
            begin: Cycles::ZERO,
            end,
            cycles,
        });
        Self {
            timing: LaunchTiming {
                end,
                arrays: arrays.collect(),
                ..LaunchTiming::default()
            },
            totals: Totals {
                groups: 1,
                work_items: 1,
                ..Totals::default()
            },
            ..Self::default()
        }
    }

    /// The report of a task that a processor of the host executes in `cycles`.
    pub fn of_task_on_host(cycles: Cycles) -> Self {
        let mut report = Self::of_task(&[], CyclesByActivity::default());
        report.timing.end = cycles;
        report
    }

    /// The report of a launch of these sizes with this timing and these counters.
    pub fn new(
        cost: &KernelCost,
        timing: LaunchTiming,
        sizes: &LaunchSizes,
        counts: &[u64],
    ) -> Self {
        Self {
            totals: Totals {
                groups: sizes.groups,
                work_items: sizes.work_items,
                ..Totals::sum(cost, counts)
            },
            lines: line_cycles(cost, &timing, counts),
            timing,
            local_memory: sizes.local_memory,
            stack: Bytes(u64::from(cost.stack_bytes)),
            private_memory: sizes.private_memory,
            private_memory_limit: sizes.private_memory_limit,
            code: Bytes(u64::from(cost.code_bytes)),
            lanes: cost.lanes,
            alternatives: Vec::new(),
        }
    }
}
