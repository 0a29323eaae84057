//! The work of a task on an accelerator.

use crate::device::TaskCycles;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::{Bytes, Cycles};
use std::sync::Arc;
use task_scheduler::Descriptor;

/// A task of an accelerator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AcceleratorTask {
    /// The place of its function in the machine file.
    pub function: usize,
    /// The number of the first accelerator that can execute it.
    pub first_unit: u64,
    /// Its cycles on one accelerator.
    pub cycles: TaskCycles,
    /// What only the task queue manager uses.
    pub descriptor: Descriptor,
}

impl AcceleratorTask {
    /// The report of its execution on accelerators, which it has as a launch has arrays. They are at work for
    /// that time, including what they wait for transfers.
    pub fn report(&self, units: &[u64], duration: Cycles) -> Arc<LaunchReport> {
        let TaskCycles {
            compute,
            transfers,
            transferred,
            ..
        } = self.cycles;
        let compute = compute.div_ceil(units.len().max(1) as u64);
        let compute = Cycles(compute).min(duration);
        let mut cycles = CyclesByActivity::single(Activity::Compute, compute);
        cycles[Activity::DmaWait] = duration - compute;
        let mut report = LaunchReport::of_task(units, cycles);
        report.timing.transfers = transfers;
        report.timing.transferred = Bytes(transferred);
        Arc::new(report)
    }
}
