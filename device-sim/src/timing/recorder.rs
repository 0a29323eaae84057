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
use super::step_runs::StepRuns;
use super::timed_kernel::TimedKernel;
use super::what_if::Launch;
use crate::array_range::ArrayRange;
use crate::machine::{CodeStackLayout, Machine};
use crate::work_group_map::WorkGroupMap;
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;
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
    /// Shards that no thread uses at present.
    idle_shards: Mutex<IdleShards>,
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
            idle_shards: Mutex::default(),
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
        let is_recorded = !self.kernel.cost().loaded_arguments.is_empty()
            && footprint::is_recorded(number, self.groups);
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

    /// Records that group number `number` has done the same as the last group of the shard; false if
    /// the shard has none.
    pub fn repeat_group(&self, shard: &mut RecorderShard, number: u64) -> bool {
        let (array, step) = self.place_of(shard, number);
        shard.repeat_group(number, array, step)
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
        self.merge();
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

    /// Computes the report from merged shards.
    fn into_report(
        mut self,
        machine: &Machine,
        layout: &CodeStackLayout,
        sizes: LaunchSizes,
        details: Details,
    ) -> LaunchReport {
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
        let steps = StepRuns {
            sums: &merged.step_sums,
            width: costs.sums(),
            arrays: self.arrays(),
        };
        let groups = self.map.arrays().numbers().zip(&merged.groups);
        let arrays = (0..).zip(groups).map(|(index, (array, groups))| {
            let work = move |(sums, times)| (costs.work(sums), times);
            let segments = (*groups > 0).then(|| steps.of_array(index).map(work));
            ArrayCode { array, segments }
        });
        let mut sums = vec![0; costs.sums()];
        costs.sums_of(&merged.counts, &mut sums);
        let mut volume = Volume::default();
        volume.add_work(&costs.work(&sums), 1);
        let code_bytes = cost.code_bytes.into();
        let timing = code_only::run(machine, layout, arrays, &volume, code_bytes);
        Some(LaunchReport::new(cost, timing, sizes, &merged.counts))
    }

    /// The hash of all that the report depends on, from merged shards. With its 128 bits, that launches with
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
        let shards = self.idle_shards.get_mut();
        if let Some(merged) = shards.first() {
            for numbers in [&merged.groups, &merged.counts, &merged.step_sums] {
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

    /// Adds the sums of all shards to those of the first one.
    fn merge(&mut self) {
        if let [merged, others @ ..] = &mut self.idle_shards.get_mut()[..] {
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
            counts.copy_from_slice(&merged.counts);
            for (array, groups) in arrays.iter_mut().zip(&merged.groups) {
                array.groups = *groups;
            }
            let steps = StepRuns {
                sums: &merged.step_sums,
                width: costs.sums(),
                arrays: arrays.len(),
            };
            for (index, array) in arrays.iter_mut().enumerate() {
                let runs = steps.of_array(index).map(|(sums, times)| {
                    let step = GroupStep::Run(costs.work(sums));
                    (GroupSteps::One(step), times)
                });
                array.steps.extend(runs);
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
mod tests {
    use super::*;
    use crate::dma::Transfer;
    use crate::machine::SharedMemory;
    use crate::timing::cost::{BlockCost, KernelCost, LoadedArgument};
    use crate::timing::launch_record::SegmentWork;
    use crate::timing::launch_timing::LaunchTiming;
    use crate::units::Cycles;
    use std::ffi::c_void;
    use std::sync::atomic::Ordering::Relaxed;

    fn cost() -> KernelCost {
        let block = |compute| BlockCost {
            compute,
            ..BlockCost::default()
        };
        KernelCost {
            blocks: vec![block(10), block(1)],
            counters: 2,
            ..KernelCost::default()
        }
    }

    /// A transfer of rows of 8 bytes to an address, where they lie end to end.
    fn transfer(
        destination: usize,
        source_stride: u64,
        rows: u64,
        event: *const c_void,
    ) -> Transfer {
        Transfer {
            destination: std::ptr::without_provenance_mut(destination),
            destination_stride: 8,
            source: std::ptr::null(),
            source_stride,
            row_bytes: 8,
            rows,
            event,
        }
    }

    /// Copies a row out of local memory.
    fn copy_row(shard: &mut RecorderShard) {
        let row = transfer(0x8000, 8, 1, std::ptr::null());
        shard.group_recorder().transfer(&row, 1);
    }

    /// Stores counters as timed code does.
    fn set(shard: &RecorderShard, counters: &[u64]) {
        for (counter, number) in shard.counters().iter().zip(counters) {
            counter.store(*number, Relaxed);
        }
    }

    /// Runs groups of these numbers as one thread would; each counts its number.
    fn run(
        recorder: &Recorder,
        groups: impl Iterator<Item = u64>,
        body: &dyn Fn(&mut RecorderShard, u64),
    ) {
        let mut shard = recorder.take_shard(1000..2000);
        for group in groups {
            set(&shard, &[0; 2]);
            body(&mut shard, group);
            recorder.end_group(&mut shard, group);
        }
        recorder.return_shard(shard);
    }

    fn record(
        groups: u64,
        threads: u64,
        body: &dyn Fn(&mut RecorderShard, u64),
    ) -> (LaunchRecord, Vec<u64>) {
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let recorder = Recorder::new(&kernel, ArrayRange::all(4), groups);
        for thread in 0..threads {
            // Backwards, and mixed.
            let own = (0..groups).rev().filter(|group| group % threads == thread);
            run(&recorder, own, body);
        }
        recorder.finish()
    }

    #[test]
    fn sums_of_groups_without_events_do_not_depend_on_threads() {
        let body = |shard: &mut RecorderShard, group: u64| set(shard, &[1, group]);
        let record_of = |threads| record(10_000, threads, &body);
        let one = record_of(1);
        assert_eq!(one, record_of(3));
        let (one, counts) = one;
        let array = &one.arrays[1];
        assert_eq!(array.groups, 2500);
        assert!(array.steps.len() <= MAX_STEPS_PER_ARRAY as usize);
        let sum: u64 = (0..10_000).filter(|group| group % 4 == 1).sum();
        assert_eq!(counts, [10_000, (0..10_000).sum()]);
        let of_steps = array.steps.iter().map(|(steps, times)| match &steps[..] {
            [GroupStep::Run(work)] => work.compute * times,
            other => panic!("{other:?}"),
        });
        assert_eq!(of_steps.sum::<u64>(), 25_000 + sum);
    }

    /// The report of code alone, which has no record, is that of the record.
    #[test]
    fn code_takes_as_long_with_and_without_a_record() {
        let machine = Arc::new(Machine::mt3000());
        let layout = CodeStackLayout::from(&machine.layout);
        let report = |details| {
            let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
            let recorder = Recorder::new(&kernel, ArrayRange::all(4), 1000);
            for thread in 0..2 {
                let own = (0..1000).filter(|group| group % 2 == thread);
                run(&recorder, own, &|shard, group| {
                    set(shard, &[group % 7, group])
                });
            }
            let sizes = LaunchSizes {
                groups: 1000,
                ..LaunchSizes::default()
            };
            let report = recorder.report(&machine, layout, sizes, details);
            LaunchReport::clone(report.get())
        };
        let code = report(Details::default());
        let recorded = report(Details {
            timeline: true,
            ..Details::default()
        });
        assert!(
            code.timing
                .arrays
                .iter()
                .all(|array| array.end > code.timing.start)
        );
        let without_slices = LaunchTiming {
            slices: Vec::new(),
            ..recorded.timing
        };
        assert_eq!(code.timing, without_slices);
    }

    #[test]
    fn repeated_groups_are_recorded_as_if_they_had_run() {
        let record = |repeats: bool, copies: bool| {
            let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
            let recorder = Recorder::new(&kernel, ArrayRange::all(4), 400);
            let mut shard = recorder.take_shard(1000..2000);
            for group in 0..400 {
                if repeats && recorder.repeat_group(&mut shard, group) {
                    assert_ne!(group, 0);
                    continue;
                }
                assert!(!repeats || group == 0);
                set(&shard, &[0, 3]);
                if copies {
                    let transfer = transfer(1500, 16, 2, std::ptr::null());
                    shard.group_recorder().transfer(&transfer, 1);
                    set(&shard, &[2, 5]);
                }
                recorder.end_group(&mut shard, group);
            }
            recorder.return_shard(shard);
            recorder.finish()
        };
        for copies in [false, true] {
            assert_eq!(record(true, copies), record(false, copies));
        }
    }

    /// Launches of one kernel use the same shards, whatever they are like.
    #[test]
    fn nothing_is_left_of_launches_before() {
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let record = |kernel: &Arc<TimedKernel>, arrays: u64, groups: u64, copies: bool| {
            let arrays = ArrayRange::all(arrays);
            let recorder = Recorder::new(kernel, arrays, groups);
            run(&recorder, 0..groups, &|shard, group| {
                set(shard, &[group, 1]);
                if copies {
                    copy_row(shard);
                    shard.counters()[1].store(9, Relaxed);
                }
            });
            recorder.finish()
        };
        for (arrays, groups, copies) in [
            (24, 1000, false),
            (2, 5, true),
            (24, 30, true),
            (3, 7, false),
            (24, 2000, false),
            (1, 1, false),
        ] {
            let fresh = Arc::new(TimedKernel::new(Arc::new(cost())));
            assert_eq!(
                record(&kernel, arrays, groups, copies),
                record(&fresh, arrays, groups, copies),
                "{groups} groups on {arrays} arrays"
            );
        }
    }

    /// Launches that repeat have the report of the first one; all others have their own.
    #[test]
    fn reports_of_repeated_launches_are_those_of_their_work() {
        let machine = Arc::new(Machine::mt3000());
        let layout = CodeStackLayout::from(&machine.layout);
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let report = |kernel: &Arc<TimedKernel>, arrays, groups, long, copies: &[u64], threads| {
            let recorder = Recorder::new(kernel, ArrayRange::all(arrays), groups);
            for thread in 0..threads {
                let own = (0..groups).rev().filter(|group| group % threads == thread);
                run(&recorder, own, &|shard, group| {
                    set(shard, &[1 + u64::from(group == long), 1]);
                    if copies.contains(&group) {
                        copy_row(shard);
                    }
                });
            }
            let sizes = LaunchSizes {
                groups,
                ..LaunchSizes::default()
            };
            recorder
                .report(&machine, layout, sizes, Details::default())
                .get()
                .clone()
        };
        let launches: [(u64, u64, u64, &[u64]); 7] = [
            (24, 10, 1, &[]),
            (24, 10, 2, &[]),
            (12, 10, 1, &[]),
            (24, 11, 1, &[]),
            (24, 10, 1, &[3]),
            (24, 10, 1, &[4]),
            (24, 10, 1, &[3, 4]),
        ];
        let mut known = Vec::new();
        for (arrays, groups, long, copies) in launches {
            let fresh = Arc::new(TimedKernel::new(Arc::new(cost())));
            let first = report(&kernel, arrays, groups, long, copies, 1);
            assert_eq!(first, report(&fresh, arrays, groups, long, copies, 1));
            known.push((first, arrays, groups, long, copies));
        }
        for (first, arrays, groups, long, copies) in known {
            for threads in [1, 3] {
                let again = report(&kernel, arrays, groups, long, copies, threads);
                assert!(Arc::ptr_eq(&first, &again));
            }
        }
    }

    /// Of two arguments, one is loaded more than local memory can hold, and the launches differ in which one.
    #[test]
    fn launches_that_load_other_arguments_have_their_own_report() {
        let machine = Arc::new(Machine::mt3000());
        let layout = CodeStackLayout::from(&machine.layout);
        let argument = |name: &str| LoadedArgument {
            name: name.into(),
            shares: Vec::new(),
        };
        let cost = KernelCost {
            loaded_arguments: vec![argument("a"), argument("b")],
            ..cost()
        };
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost)));
        let report = |exceeded| {
            let recorder = Recorder::new(&kernel, ArrayRange::all(24), 1);
            run(&recorder, 0..1, &|shard, group| {
                let footprints = recorder.footprints(shard, group).expect("it is recorded");
                footprints.load(1 - exceeded, 0, 4);
                for place in 0..10_000 {
                    footprints.load(exceeded, 4096 * place, 4);
                }
            });
            let details = Details {
                alternatives: true,
                ..Details::default()
            };
            let report = recorder.report(&machine, layout, LaunchSizes::default(), details);
            Arc::clone(report.get())
        };
        let reports = [0, 1, 0].map(report);
        assert!(!Arc::ptr_eq(&reports[0], &reports[1]));
        assert!(Arc::ptr_eq(&reports[0], &reports[2]));
    }

    /// Several threads need a report at the same time; one of them computes it.
    #[test]
    fn a_report_is_computed_once() {
        let machine = Arc::new(Machine::mt3000());
        let layout = CodeStackLayout::from(&machine.layout);
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let recorder = Recorder::new(&kernel, ArrayRange::all(24), 100);
        run(&recorder, 0..100, &|shard, group| set(shard, &[group, 1]));
        let report = recorder.report(&machine, layout, LaunchSizes::default(), Details::default());
        assert!(!report.is_known());
        let reports = std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(|| Arc::clone(report.get())));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(report.is_known());
        assert!(reports[0].timing.end > Cycles::ZERO);
        assert!(reports.iter().all(|other| Arc::ptr_eq(other, &reports[0])));
    }

    #[test]
    fn groups_with_events_keep_their_order() {
        let body = |shard: &mut RecorderShard, group: u64| {
            let start = |shard: &mut RecorderShard, event| {
                let number = shard
                    .group_recorder()
                    .transfer(&transfer(1500, 16, 2, event), 3);
                std::ptr::without_provenance(number)
            };
            shard.counters()[0].store(100, Relaxed);
            let event = start(shard, std::ptr::null());
            shard.counters()[1].store(5, Relaxed);
            // Belongs to the same event, and is started just after it.
            let same = start(shard, event);
            assert_eq!(event, same);
            shard.counters()[1].store(5 + group % 2 * 1000, Relaxed);
            shard.group_recorder().wait(event, 2);
        };
        let (record, _) = record(8, 2, &body);
        let run = |compute| {
            GroupStep::Run(SegmentWork {
                compute,
                ..SegmentWork::default()
            })
        };
        let transfers = GroupStep::Transfer {
            times: 2,
            between: SegmentWork {
                compute: 5,
                ..SegmentWork::default()
            },
            event: 1,
            rows: 2,
            row_bytes: 8,
            to_scratchpad: true,
            memory: SharedMemory::Ddr,
            second: None,
            sites: [(3, 2)].into(),
        };
        let wait = GroupStep::Wait { event: 1, site: 2 };
        let even = [run(1000), transfers.clone(), wait.clone()];
        let odd = [run(1000), transfers, run(1000), wait];
        for (array, expected) in record.arrays.iter().zip([&even[..], &odd, &even, &odd]) {
            let [(steps, 2)] = &array.steps[..] else {
                panic!("{array:?}");
            };
            assert_eq!(steps[..], *expected);
        }
    }
}
