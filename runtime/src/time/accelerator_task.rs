//! The work of a task on an accelerator.

use crate::device::TaskCycles;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::{Bytes, Cycles};
use std::sync::Arc;

/// A task of an accelerator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AcceleratorTask {
    /// The place of its function in the machine file.
    pub function: usize,
    /// The number of the first accelerator that can execute it.
    pub first_unit: u64,
    /// Its cycles.
    pub cycles: TaskCycles,
}

impl AcceleratorTask {
    /// The report of its execution on an accelerator, which it has as a launch has an array.
    pub fn report(&self, unit: u64) -> Arc<LaunchReport> {
        let TaskCycles {
            input,
            compute,
            output,
            transfers,
            transferred,
        } = self.cycles;
        let mut cycles = CyclesByActivity::single(Activity::Compute, Cycles(compute));
        cycles[Activity::DmaWait] = Cycles(input + output);
        let mut report = LaunchReport::of_task(unit, cycles);
        report.timing.transfers = transfers;
        report.timing.transferred = Bytes(transferred);
        Arc::new(report)
    }
}
