//! Timed code of a kernel, and what its launches share: costs, recorder shards, and the reports of
//! recent launches, since launches often repeat.

use super::cost::KernelCost;
use super::counter_costs::CounterCosts;
use super::engine;
use super::launch_record::LaunchRecord;
use super::launch_report::{LaunchReport, LaunchSizes};
use super::recorder_shard::RecorderShard;
use crate::machine::{CodeStackLayout, Machine};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of reports that are kept.
const KEPT_REPORTS: usize = 4;

/// Maximum number of steps of a record whose report is kept.
const MAX_KEPT_STEPS: usize = 1 << 12;

/// Timed code of a kernel.
#[derive(Debug)]
pub struct TimedKernel {
    cost: Arc<KernelCost>,
    counter_costs: Arc<CounterCosts>,
    /// Shards that no launch uses at present.
    idle_shards: Mutex<Vec<RecorderShard>>,
    /// Recent launches, the latest first.
    launches: Mutex<VecDeque<KnownLaunch>>,
}

/// A launch whose report is kept.
#[derive(Debug)]
struct KnownLaunch {
    record: LaunchRecord,
    counts: Vec<u64>,
    sizes: LaunchSizes,
    report: Arc<LaunchReport>,
}

impl TimedKernel {
    /// Code with these costs.
    pub fn new(cost: Arc<KernelCost>) -> Self {
        Self {
            counter_costs: Arc::new(CounterCosts::new(&cost)),
            cost,
            idle_shards: Mutex::default(),
            launches: Mutex::default(),
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
    pub(super) fn take_shard(&self) -> Option<RecorderShard> {
        self.idle_shards.lock().pop()
    }

    /// Keeps shards for later launches.
    pub(super) fn keep_shards(&self, shards: Vec<RecorderShard>) {
        self.idle_shards.lock().extend(shards);
    }

    /// The report of a launch with this record, these sums of all counters and these sizes. All
    /// launches have to be of the same machine and layout.
    pub fn report(
        &self,
        machine: &Machine,
        layout: &CodeStackLayout,
        (record, counts): (LaunchRecord, Vec<u64>),
        sizes: LaunchSizes,
        timeline: bool,
    ) -> Arc<LaunchReport> {
        let new_report = || {
            let timing = engine::run(machine, layout, &record, timeline);
            Arc::new(LaunchReport::new(&self.cost, timing, &sizes, &counts))
        };
        let steps: usize = record.arrays.iter().map(|array| array.steps.len()).sum();
        if timeline || steps > MAX_KEPT_STEPS {
            return new_report();
        }
        let is_equal = |known: &KnownLaunch| {
            known.sizes == sizes && known.counts == counts && known.record == record
        };
        let mut launches = self.launches.lock();
        if let Some(index) = launches.iter().position(is_equal) {
            launches.swap(0, index);
            return Arc::clone(&launches[0].report);
        }
        drop(launches);
        let report = new_report();
        let mut launches = self.launches.lock();
        launches.truncate(KEPT_REPORTS - 1);
        launches.push_front(KnownLaunch {
            record,
            counts,
            sizes,
            report: Arc::clone(&report),
        });
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, SegmentWork};

    fn record(compute: u64) -> LaunchRecord {
        let step = GroupStep::Run(SegmentWork {
            compute,
            ..SegmentWork::default()
        });
        LaunchRecord {
            arrays: vec![ArrayRecord {
                array: 0,
                steps: vec![(GroupSteps::from([step]), 3)],
                groups: 3,
            }],
            code_bytes: 100,
        }
    }

    #[test]
    fn reports_are_those_of_their_launches_and_few_are_kept() {
        let kernel = TimedKernel::new(Arc::default());
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let report = |compute, groups, timeline| {
            let sizes = LaunchSizes {
                groups,
                ..LaunchSizes::default()
            };
            let launch = (record(compute), vec![compute]);
            kernel.report(&machine, &layout, launch, sizes, timeline)
        };
        for (compute, groups) in [1, 2, 1, 3, 4, 5, 6, 1, 1]
            .into_iter()
            .zip([3, 3, 9, 3].into_iter().cycle())
        {
            let report = report(compute, groups, false);
            let expected = engine::run(&machine, &layout, &record(compute), false);
            assert_eq!(report.timing, expected, "{compute} cycles");
            assert_eq!(report.totals.groups, groups);
            assert!(kernel.launches.lock().len() <= KEPT_REPORTS);
        }
        let repeated = report(6, 9, false);
        assert!(Arc::ptr_eq(&repeated, &report(6, 9, false)));
        assert!(!Arc::ptr_eq(&repeated, &report(6, 3, false)));
        let with_timeline = report(6, 9, true);
        assert!(!with_timeline.timing.slices.is_empty());
    }
}
