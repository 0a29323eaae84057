//! What launches of the same timed code have in common: many are like the one before.

use super::cost::KernelCost;
use super::counter_costs::CounterCosts;
use super::engine;
use super::launch_record::LaunchRecord;
use super::launch_timing::LaunchTiming;
use super::recorder::RecorderShard;
use crate::layout::Layout;
use crate::machine::Machine;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;

/// Outcomes that are kept.
const OUTCOMES: usize = 4;

/// Most steps of a record whose outcome is kept.
const SHORT: usize = 1 << 12;

/// Timed code of a kernel.
#[derive(Debug)]
pub struct TimedKernel {
    cost: Arc<KernelCost>,
    counter_costs: Arc<CounterCosts>,
    /// That no launch uses now.
    parts: Mutex<Vec<RecorderShard>>,
    /// Of launches of late, the last one first.
    outcomes: Mutex<VecDeque<(LaunchRecord, LaunchTiming)>>,
}

impl TimedKernel {
    /// Code that costs so much.
    pub fn new(cost: Arc<KernelCost>) -> Self {
        Self {
            counter_costs: Arc::new(CounterCosts::of(&cost)),
            cost,
            parts: Mutex::default(),
            outcomes: Mutex::default(),
        }
    }

    /// What it costs.
    pub fn cost(&self) -> &KernelCost {
        &self.cost
    }

    pub(super) fn counter_costs(&self) -> &Arc<CounterCosts> {
        &self.counter_costs
    }

    /// A part of a recorder of a launch that has ended.
    pub(super) fn used_part(&self) -> Option<RecorderShard> {
        self.parts.lock().pop()
    }

    /// Keeps parts for launches to come.
    pub(super) fn keep(&self, parts: Vec<RecorderShard>) {
        self.parts.lock().extend(parts);
    }

    /// When everything of a launch happens, as `engine::run` says, whose launches all are of the
    /// same machine and layout. The same record has the same outcome.
    pub fn timing(
        &self,
        machine: &Machine,
        layout: &Layout,
        record: LaunchRecord,
        timeline: bool,
    ) -> LaunchTiming {
        let steps: usize = record.arrays.iter().map(|array| array.steps.len()).sum();
        if timeline || steps > SHORT {
            return engine::run(machine, layout, &record, timeline);
        }
        let known = |(known, _): &(LaunchRecord, LaunchTiming)| *known == record;
        let mut outcomes = self.outcomes.lock();
        if let Some(place) = outcomes.iter().position(known) {
            outcomes.swap(0, place);
            return outcomes[0].1.clone();
        }
        drop(outcomes);
        let timing = engine::run(machine, layout, &record, timeline);
        let mut outcomes = self.outcomes.lock();
        outcomes.truncate(OUTCOMES - 1);
        outcomes.push_front((record, timing.clone()));
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
    fn outcomes_are_those_of_their_records_and_few_are_kept() {
        let kernel = TimedKernel::new(Arc::default());
        let machine = Machine::mt3000();
        let layout = Layout::of(&machine);
        for compute in [1, 2, 1, 3, 4, 5, 6, 1, 1] {
            let timing = kernel.timing(&machine, &layout, record(compute), false);
            let expected = engine::run(&machine, &layout, &record(compute), false);
            assert_eq!(timing, expected, "{compute} cycles");
            assert!(kernel.outcomes.lock().len() <= OUTCOMES);
        }
        assert_eq!(kernel.outcomes.lock()[0].0, record(1));
        assert_eq!(kernel.outcomes.lock()[1].0, record(6));
        let timing = kernel.timing(&machine, &layout, record(1), true);
        assert!(!timing.slices.is_empty(), "a timeline is wanted");
    }
}
