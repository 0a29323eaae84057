//! Timed code of a kernel, and what its launches share: costs, recorder shards, and the reports of
//! recent launches, since launches often repeat.

use super::cost::KernelCost;
use super::counter_costs::CounterCosts;
use super::engine;
use super::launch_record::LaunchRecord;
use super::launch_report::{Details, LaunchReport};
use super::launch_sizes::LaunchSizes;
use super::recorder_shard::{IdleShards, RecorderShard};
use super::what_if;
use crate::array_range::ArrayRange;
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
    idle_shards: Mutex<IdleShards>,
    /// Recent launches, the latest first.
    launches: Mutex<VecDeque<KnownLaunch>>,
    /// Those of a launch that is no longer kept, so that the next one need not allocate memory.
    spare_sums: Mutex<Option<LaunchSums>>,
}

/// A launch whose report is kept.
#[derive(Debug)]
struct KnownLaunch {
    work: LaunchWork,
    sizes: LaunchSizes,
    report: Arc<LaunchReport>,
}

/// What a launch did: all that its report depends on, apart from its sizes.
#[derive(Debug)]
enum LaunchWork {
    /// Of a launch without events.
    Sums(LaunchSums),
    /// The record, and the sums of all counters.
    Record(LaunchRecord, Vec<u64>),
}

/// The sums of a launch without events, from which its record is computed.
#[derive(Debug)]
pub(super) struct LaunchSums {
    pub arrays: ArrayRange,
    /// As `RecorderShard::groups`.
    pub groups: Vec<u64>,
    /// As `RecorderShard::counts`.
    pub counts: Vec<u64>,
    /// As `RecorderShard::step_sums`.
    pub step_sums: Vec<u64>,
}

impl LaunchSums {
    fn is_of(&self, arrays: ArrayRange, shard: &RecorderShard) -> bool {
        self.arrays == arrays
            && self.groups == shard.groups
            && self.counts == shard.counts
            && self.step_sums == shard.step_sums
    }
}

impl TimedKernel {
    /// Code with these costs.
    pub fn new(cost: Arc<KernelCost>) -> Self {
        Self {
            counter_costs: Arc::new(CounterCosts::new(&cost)),
            cost,
            idle_shards: Mutex::default(),
            launches: Mutex::default(),
            spare_sums: Mutex::default(),
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

    /// The report of an earlier launch of these sizes on these arrays, without events and with the sums
    /// of the shard.
    pub(super) fn repeated_report(
        &self,
        arrays: ArrayRange,
        shard: &RecorderShard,
        sizes: &LaunchSizes,
    ) -> Option<Arc<LaunchReport>> {
        self.known_report(|known| {
            let LaunchWork::Sums(sums) = &known.work else {
                return false;
            };
            known.sizes == *sizes && sums.is_of(arrays, shard)
        })
    }

    /// Sums of a launch on these arrays, to be overwritten.
    pub(super) fn spare_sums(&self, arrays: ArrayRange) -> LaunchSums {
        let spare = self.spare_sums.lock().take();
        let [groups, counts, step_sums] = match spare {
            Some(sums) => [sums.groups, sums.counts, sums.step_sums],
            None => Default::default(),
        };
        LaunchSums {
            arrays,
            groups,
            counts,
            step_sums,
        }
    }

    fn known_report(&self, is_equal: impl Fn(&KnownLaunch) -> bool) -> Option<Arc<LaunchReport>> {
        let mut launches = self.launches.lock();
        let index = launches.iter().position(is_equal)?;
        launches.swap(0, index);
        Some(Arc::clone(&launches[0].report))
    }

    fn keep_report(&self, work: LaunchWork, sizes: LaunchSizes, report: &Arc<LaunchReport>) {
        let mut launches = self.launches.lock();
        while launches.len() >= KEPT_REPORTS {
            if let Some(KnownLaunch {
                work: LaunchWork::Sums(sums),
                ..
            }) = launches.pop_back()
            {
                *self.spare_sums.lock() = Some(sums);
            }
        }
        launches.push_front(KnownLaunch {
            work,
            sizes,
            report: Arc::clone(report),
        });
    }

    /// The report of a launch with this record, these sums of all counters and these sizes; `sums` are
    /// those from which the record was computed, if they were. All launches have to be of the same
    /// machine and layout.
    pub(super) fn report(
        &self,
        machine: &Machine,
        layout: &CodeStackLayout,
        (record, counts, sums): (LaunchRecord, Vec<u64>, Option<LaunchSums>),
        sizes: LaunchSizes,
        details: Details,
    ) -> Arc<LaunchReport> {
        let steps: usize = record.arrays.iter().map(|array| array.steps.len()).sum();
        let is_kept = !details.timeline && steps <= MAX_KEPT_STEPS;
        if is_kept && sums.is_none() {
            let known = self.known_report(|known| {
                let LaunchWork::Record(known_record, known_counts) = &known.work else {
                    return false;
                };
                known.sizes == sizes && *known_counts == counts && *known_record == record
            });
            if let Some(report) = known {
                return report;
            }
        }
        let timing = engine::run(machine, layout, &record, details.timeline);
        let mut report = LaunchReport::new(&self.cost, timing, &sizes, &counts);
        if details.alternatives {
            let launch = what_if::Launch {
                cost: &self.cost,
                counts: &counts,
                record: &record,
                sizes: &sizes,
            };
            report.alternatives = what_if::alternatives(machine, layout, launch, report.timing.end);
        }
        let report = Arc::new(report);
        if is_kept {
            let work = match sums {
                Some(sums) => LaunchWork::Sums(sums),
                None => LaunchWork::Record(record, counts),
            };
            self.keep_report(work, sizes, &report);
        }
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
                steps: vec![(GroupSteps::One(step), 3)],
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
            let launch = (record(compute), vec![compute], None);
            let details = Details {
                timeline,
                ..Details::default()
            };
            kernel.report(&machine, &layout, launch, sizes, details)
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
