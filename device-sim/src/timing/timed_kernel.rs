//! Timed code of a kernel, and what its launches share: costs, recorder shards, and the timings of
//! recent launches, since launches often repeat.

use super::cost::KernelCost;
use super::counter_costs::CounterCosts;
use super::engine;
use super::launch_record::LaunchRecord;
use super::launch_timing::LaunchTiming;
use super::recorder_shard::RecorderShard;
use crate::machine::{CodeStackLayout, Machine};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of timings that are kept.
const KEPT_TIMINGS: usize = 4;

/// Maximum number of steps of a record whose timing is kept.
const MAX_KEPT_STEPS: usize = 1 << 12;

/// Timed code of a kernel.
#[derive(Debug)]
pub struct TimedKernel {
    cost: Arc<KernelCost>,
    counter_costs: Arc<CounterCosts>,
    /// Shards that no launch uses at present.
    idle_shards: Mutex<Vec<RecorderShard>>,
    /// Recent launches, the latest first.
    timings: Mutex<VecDeque<(LaunchRecord, LaunchTiming)>>,
}

impl TimedKernel {
    /// Code with these costs.
    pub fn new(cost: Arc<KernelCost>) -> Self {
        Self {
            counter_costs: Arc::new(CounterCosts::of(&cost)),
            cost,
            idle_shards: Mutex::default(),
            timings: Mutex::default(),
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

    /// The timing of a launch, as `engine::run` computes it. All launches have to be of the same
    /// machine and layout.
    pub fn timing(
        &self,
        machine: &Machine,
        layout: &CodeStackLayout,
        record: LaunchRecord,
        timeline: bool,
    ) -> LaunchTiming {
        let steps: usize = record.arrays.iter().map(|array| array.steps.len()).sum();
        if timeline || steps > MAX_KEPT_STEPS {
            return engine::run(machine, layout, &record, timeline);
        }
        let is_equal = |(known, _): &(LaunchRecord, LaunchTiming)| *known == record;
        let mut timings = self.timings.lock();
        if let Some(index) = timings.iter().position(is_equal) {
            timings.swap(0, index);
            return timings[0].1.clone();
        }
        drop(timings);
        let timing = engine::run(machine, layout, &record, timeline);
        let mut timings = self.timings.lock();
        timings.truncate(KEPT_TIMINGS - 1);
        timings.push_front((record, timing.clone()));
        timing
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
    fn timings_are_those_of_their_records_and_few_are_kept() {
        let kernel = TimedKernel::new(Arc::default());
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        for compute in [1, 2, 1, 3, 4, 5, 6, 1, 1] {
            let timing = kernel.timing(&machine, &layout, record(compute), false);
            let expected = engine::run(&machine, &layout, &record(compute), false);
            assert_eq!(timing, expected, "{compute} cycles");
            assert!(kernel.timings.lock().len() <= KEPT_TIMINGS);
        }
        assert_eq!(kernel.timings.lock()[0].0, record(1));
        assert_eq!(kernel.timings.lock()[1].0, record(6));
        let timing = kernel.timing(&machine, &layout, record(1), true);
        assert!(!timing.slices.is_empty(), "a timeline is wanted");
    }
}
