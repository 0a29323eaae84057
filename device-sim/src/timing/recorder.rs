//! Records what a launch does on each array, while the host's threads run its groups in any
//! order. Everything recorded is a sum or belongs to a group by its number, so the record does not
//! depend on that order.

use super::engine::code_only::{self, ArrayCode};
use super::footprint::{self, FootprintRecorder};
use super::group_place::GroupPlace;
use super::launch_record::{ArrayRecord, GroupStep, GroupSteps, LaunchRecord, Volume};
use super::launch_report::{Details, LaunchReport};
use super::launch_sizes::LaunchSizes;
use super::pending_report::PendingReport;
use super::recorder_shard::{IdleShards, RecorderShard};
use super::timed_kernel::TimedKernel;
use super::what_if::Launch;
use crate::array_range::ArrayRange;
use crate::machine::{CodeStackLayout, Machine};
use crate::work_group_map::WorkGroupMap;
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use xxhash_rust::xxh3::Xxh3;

/// Maximum number of steps per array in a launch without DMA: consecutive groups share a step.
const MAX_STEPS_PER_ARRAY: u64 = 32;

/// The recorder of a launch.
#[derive(Debug)]
pub struct Recorder {
    kernel: Arc<TimedKernel>,
    map: WorkGroupMap,
    /// Number of groups.
    groups: u64,
    /// Number of consecutive groups of an array that share a step, if they have no events.
    groups_in_step: u64,
    /// Number of such steps of an array.
    max_steps: usize,
    /// Whether groups of any number follow each other on one array.
    is_sample: bool,
    /// Whether groups record what they load.
    has_footprints: bool,
    /// Shards that no thread uses at present.
    idle_shards: Mutex<IdleShards>,
    /// Whether the first of them has the sums of all.
    is_merged: bool,
}

impl Recorder {
    /// A recorder of a launch of `groups` work-groups.
    pub fn new(kernel: &Arc<TimedKernel>, arrays: ArrayRange, groups: u64) -> Self {
        let map = WorkGroupMap::new(arrays);
        let max_groups = map.max_groups_per_array(groups);
        let groups_in_step = max_groups.div_ceil(MAX_STEPS_PER_ARRAY);
        Self {
            kernel: Arc::clone(kernel),
            map,
            groups,
            groups_in_step,
            max_steps: max_groups.div_ceil(groups_in_step) as usize,
            is_sample: false,
            has_footprints: !kernel.cost().loaded_arguments.is_empty(),
            idle_shards: Mutex::default(),
            is_merged: false,
        }
    }

    /// A recorder of `groups` work-groups of a launch, which one thread performs: one array does,
    /// whatever their numbers.
    pub fn of_sample(kernel: &Arc<TimedKernel>, groups: u64) -> Self {
        Self {
            is_sample: true,
            ..Self::new(kernel, ArrayRange::all(1), groups)
        }
    }

    /// A shard for a thread whose groups have their local memory at these addresses. It has to be
    /// returned.
    pub fn take_shard(&self, local_memory: Range<usize>) -> Box<RecorderShard> {
        let idle = self.idle_shards.lock().pop();
        let mut shard = idle.unwrap_or_else(|| self.new_shard());
        shard.set_local_memory(local_memory);
        shard
    }

    fn new_shard(&self) -> Box<RecorderShard> {
        let costs = self.kernel.counter_costs();
        let reused = self.kernel.take_shard();
        let mut shard = reused.unwrap_or_else(|| Box::new(RecorderShard::new(costs)));
        let loaded = self.kernel.cost().loaded_arguments.len();
        shard.reset(self.arrays(), self.max_steps, costs, loaded);
        shard
    }

    /// Takes a shard back.
    pub fn return_shard(&self, shard: Box<RecorderShard>) {
        self.idle_shards.lock().push(shard);
    }

    /// Where group number `number`, which is about to run, records what it loads; none if it does not.
    pub fn footprints<'a>(
        &self,
        shard: &'a mut RecorderShard,
        number: u64,
    ) -> Option<&'a mut FootprintRecorder> {
        let is_recorded = self.has_footprints && footprint::is_recorded(number, self.groups);
        is_recorded.then_some(&mut shard.footprints)
    }

    /// Records that group number `number` has ended.
    pub fn end_group(&self, shard: &mut RecorderShard, number: u64) {
        if let Some(footprints) = self.footprints(shard, number) {
            footprints.end_group();
        }
        let (array, step) = self.place_of(shard, number);
        shard.end_group(number, array, step);
    }

    /// Whether the shard has a group that others can repeat.
    pub fn can_repeat(&self, shard: &RecorderShard) -> bool {
        // The groups of a sample have no array of their own.
        !self.is_sample && shard.has_group()
    }

    /// Records that group number `number` has done the same as the last one of the shard, if
    /// `can_repeat`. No group of the launch does otherwise: the shard takes no `end_group` any more.
    pub fn repeat_group(&self, shard: &mut RecorderShard, number: u64) {
        shard.repeat_group(number);
    }

    /// The index of the array that runs a group, and that of its step among those of all arrays. The
    /// first steps of all arrays come first: groups that follow each other have adjacent steps.
    fn place_of(&self, shard: &mut RecorderShard, number: u64) -> (usize, usize) {
        shard.place.advance(number, self.map);
        let GroupPlace {
            array,
            mut position,
            ..
        } = shard.place;
        if self.is_sample {
            position = shard.groups[array];
        }
        let step = match self.groups_in_step {
            1 => position,
            groups => position / groups,
        };
        (array, step as usize * self.arrays() + array)
    }

    fn arrays(&self) -> usize {
        self.map.arrays().count() as usize
    }

    /// The report of the launch, with these details, once all groups have ended. It is known if the
    /// launch is like a recent one of the kernel.
    pub fn report(
        mut self,
        machine: &Arc<Machine>,
        layout: CodeStackLayout,
        sizes: LaunchSizes,
        details: Details,
    ) -> PendingReport {
        let key = (!details.timeline).then(|| self.key(&sizes));
        if let Some(report) = key.and_then(|key| self.kernel.known_report(key)) {
            self.recycle();
            return PendingReport::known(report);
        }
        let machine = Arc::clone(machine);
        PendingReport::of(move || {
            let Some(key) = key else {
                return Arc::new(self.into_report(&machine, &layout, sizes, details));
            };
            // Launches that were pending may be known now.
            if let Some(report) = self.kernel.known_report(key) {
                self.recycle();
                return report;
            }
            let kernel = Arc::clone(&self.kernel);
            let report = Arc::new(self.into_report(&machine, &layout, sizes, details));
            kernel.keep_report(key, &report);
            report
        })
    }

    /// Computes the report.
    fn into_report(
        mut self,
        machine: &Machine,
        layout: &CodeStackLayout,
        sizes: LaunchSizes,
        details: Details,
    ) -> LaunchReport {
        self.merge();
        let no_details = !details.timeline && !details.alternatives;
        if no_details && let Some(report) = self.report_of_code(machine, layout, &sizes) {
            self.recycle();
            return report;
        }
        let (record, counts) = self.record();
        let footprints = match self.idle_shards.get_mut().first() {
            Some(merged) if details.alternatives => merged.footprints.means(),
            _ => Vec::new(),
        };
        let kernel = self.recycle();
        let launch = Launch {
            cost: kernel.cost(),
            counts: &counts,
            record: &record,
            sizes: &sizes,
            footprints: &footprints,
        };
        kernel.report(machine, layout, launch, details)
    }

    /// The report without details of a launch whose groups had no events, from merged shards; none if some
    /// had. It needs no record.
    fn report_of_code(
        &self,
        machine: &Machine,
        layout: &CodeStackLayout,
        sizes: &LaunchSizes,
    ) -> Option<LaunchReport> {
        let shards = self.idle_shards.lock();
        let merged = shards.first()?;
        if shards.iter().any(|shard| shard.has_events()) {
            return None;
        }
        let (cost, costs) = (self.kernel.cost(), self.kernel.counter_costs());
        let counts = merged.counts();
        let groups = self.map.arrays().numbers().zip(&merged.groups);
        let arrays = (0..).zip(groups).map(|(index, (array, groups))| {
            let segments = (*groups > 0).then(|| merged.segments(index));
            ArrayCode { array, segments }
        });
        let mut sums = vec![0; costs.sums()];
        costs.sums_of(&counts, &mut sums);
        let mut volume = Volume::default();
        volume.add_work(&costs.work(&sums), 1);
        let code_bytes = cost.code_bytes.into();
        let timing = code_only::run(machine, layout, arrays, &volume, code_bytes);
        Some(LaunchReport::new(cost, timing, sizes, &counts))
    }

    /// The hash of all that the report depends on. With its 128 bits, that launches with
    /// different reports have the same one is not to be expected.
    fn key(&mut self, sizes: &LaunchSizes) -> u128 {
        let mut hash = Xxh3::new();
        let arrays = self.map.arrays().numbers();
        hash.update(bytemuck::cast_slice(&[
            arrays.start,
            arrays.end,
            sizes.groups,
            sizes.work_items,
            sizes.local_memory.0,
            sizes.private_memory.0,
            sizes.private_memory_limit.0,
        ]));
        if let Some(counters) = self.counters_of_equal_groups() {
            // Another key than that of the same launch if its groups have been recorded one by one.
            hash.update(b"equal");
            for counter in counters {
                hash.update(&counter.load(Relaxed).to_le_bytes());
            }
            return hash.digest128();
        }
        self.merge();
        let shards = self.idle_shards.get_mut();
        if let Some(merged) = shards.first() {
            for numbers in [&merged.groups, &merged.other_counts, &merged.step_sums] {
                hash.update(bytemuck::cast_slice(numbers));
            }
            for footprint in merged.footprints.means() {
                let numbers = footprint.map_or([u64::MAX; 3], |known| {
                    [known.loaded, known.different, known.rows]
                });
                hash.update(bytemuck::cast_slice(&numbers));
            }
        }
        // Threads run groups in any order, and the sum does not depend on it.
        let events = shards.iter().map(|shard| shard.hash_of_events());
        hash.update(&events.fold(0, u128::wrapping_add).to_le_bytes());
        hash.digest128()
    }

    /// The counters of each group, if all have done the same without events, and record nothing else.
    fn counters_of_equal_groups(&mut self) -> Option<&[AtomicU64]> {
        if self.has_footprints {
            return None;
        }
        let shards = self.idle_shards.get_mut().iter();
        let mut shards = shards.filter(|shard| shard.has_group());
        let (counters, mut groups) = shards.next()?.equal_groups()?;
        for shard in shards {
            let (others, more) = shard.equal_groups()?;
            let mut pairs = counters.iter().zip(others);
            if pairs.any(|(one, other)| one.load(Relaxed) != other.load(Relaxed)) {
                return None;
            }
            groups += more;
        }
        (groups == self.groups).then_some(counters)
    }

    /// Adds the sums of all shards to those of the first one, once.
    fn merge(&mut self) {
        if std::mem::replace(&mut self.is_merged, true) {
            return;
        }
        let shards = self.idle_shards.get_mut();
        for shard in shards.iter_mut() {
            shard.add_repeated(self.groups_in_step);
        }
        if let [merged, others @ ..] = &mut shards[..] {
            for other in others {
                merged.add_sums(other);
            }
        }
    }

    /// The record and the sums of all counters (`KernelCost::counters`), once all groups have ended.
    pub fn finish(mut self) -> (LaunchRecord, Vec<u64>) {
        self.merge();
        let finished = self.record();
        self.recycle();
        finished
    }

    /// As `finish`, from merged shards.
    fn record(&mut self) -> (LaunchRecord, Vec<u64>) {
        let shards = self.idle_shards.get_mut();
        let mut arrays: Vec<ArrayRecord> = self
            .map
            .arrays()
            .numbers()
            .map(|array| ArrayRecord {
                array,
                ..ArrayRecord::default()
            })
            .collect();
        let costs = self.kernel.counter_costs();
        let mut counts = vec![0; costs.counters()];
        if let Some(merged) = shards.first() {
            counts = merged.counts();
            for (array, groups) in arrays.iter_mut().zip(&merged.groups) {
                array.groups = *groups;
            }
            for (index, array) in arrays.iter_mut().enumerate() {
                let segments = merged.segments(index);
                let step = |(work, times)| (GroupSteps::One(GroupStep::Run(work)), times);
                array.steps.extend(segments.map(step));
            }
        }
        // Shards may have equal steps; which of them is taken makes no difference.
        let with_events = shards.iter().flat_map(|shard| shard.groups_with_events());
        let mut with_events: Vec<(u64, &GroupSteps)> = with_events.collect();
        with_events.sort_unstable_by_key(|(group, _)| *group);
        for (group, steps) in with_events {
            arrays[self.map.index_of(group)].push(steps);
        }
        let record = LaunchRecord {
            arrays,
            code_bytes: u64::from(self.kernel.cost().code_bytes),
        };
        (record, counts)
    }

    /// Keeps the shards for later launches of the kernel.
    fn recycle(self) -> Arc<TimedKernel> {
        let mut shards = self.idle_shards.into_inner();
        for shard in &mut shards {
            shard.forget_events();
        }
        self.kernel.keep_shards(shards);
        self.kernel
    }
}

#[cfg(test)]
mod tests;
