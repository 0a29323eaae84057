//! Timed code of a kernel, and what its launches share: costs, recorder shards, and the reports of
//! recent launches, since launches often repeat.

use super::cost::KernelCost;
use super::counter_costs::CounterCosts;
use super::engine;
use super::known_reports::KnownReports;
use super::launch_report::{Details, LaunchReport};
use super::recorder_shard::{IdleShards, RecorderShard};
use super::what_if::{self, Launch};
use crate::machine::{CodeStackLayout, Machine};
use parking_lot::Mutex;
use std::sync::Arc;

/// Timed code of a kernel.
#[derive(Debug)]
pub struct TimedKernel {
    cost: Arc<KernelCost>,
    counter_costs: Arc<CounterCosts>,
    /// Shards that no launch uses at present.
    idle_shards: Mutex<IdleShards>,
    /// By `Recorder::key`.
    known_reports: Mutex<KnownReports>,
}

impl TimedKernel {
    /// Code with these costs.
    pub fn new(cost: Arc<KernelCost>) -> Self {
        Self {
            counter_costs: Arc::new(CounterCosts::new(&cost)),
            cost,
            idle_shards: Mutex::default(),
            known_reports: Mutex::default(),
        }
    }

    /// Its costs.
    pub fn cost(&self) -> &KernelCost {
        &self.cost
    }

    /// Its costs by counter.
    pub(super) fn counter_costs(&self) -> &Arc<CounterCosts> {
        &self.counter_costs
    }

    /// A shard of an earlier launch, if one is idle.
    pub(super) fn take_shard(&self) -> Option<Box<RecorderShard>> {
        self.idle_shards.lock().pop()
    }

    /// Keeps shards for later launches.
    pub(super) fn keep_shards(&self, shards: IdleShards) {
        self.idle_shards.lock().extend(shards);
    }

    /// The report of an earlier launch with this key.
    pub(super) fn known_report(&self, key: u128) -> Option<Arc<LaunchReport>> {
        self.known_reports.lock().get(key)
    }

    /// Keeps the report of a launch with this key. All launches have to be of the same machine and layout.
    pub(super) fn keep_report(&self, key: u128, report: &Arc<LaunchReport>) {
        self.known_reports.lock().keep(key, report);
    }

    /// Computes the report of a launch.
    pub(super) fn report(
        &self,
        machine: &Machine,
        layout: &CodeStackLayout,
        launch: Launch<'_>,
        details: Details,
    ) -> LaunchReport {
        let timing = engine::run(machine, layout, launch.record, details.timeline);
        let mut report = LaunchReport::new(&self.cost, timing, launch.sizes, launch.counts);
        if details.alternatives {
            report.alternatives = what_if::alternatives(machine, layout, launch, report.timing.end);
        }
        report
    }
}
