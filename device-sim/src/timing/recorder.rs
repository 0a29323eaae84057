//! Records what a launch does on each array while the host's threads run it in whatever order:
//! everything is a sum, or belongs to a group by its number.

use super::counter_costs::CounterCosts;
use super::launch_record::{ArrayRecord, GroupStep, GroupSteps, LaunchRecord};
use super::step_writer::StepWriter;
use super::timed_kernel::TimedKernel;
use crate::array_range::ArrayRange;
use crate::dma::{EventNumbers, Transfer};
use crate::work_group_map::WorkGroupMap;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// Most steps of an array in a launch without DMA: several groups in a row make one.
const MAX_STEPS_PER_ARRAY: u64 = 32;

/// The record of a launch while it runs.
#[derive(Debug)]
pub struct Recorder {
    kernel: Arc<TimedKernel>,
    map: WorkGroupMap,
    arrays: ArrayRange,
    groups: u64,
    /// As many groups of an array in a row make one step, if they have no events.
    groups_in_step: u64,
    /// Most such steps of an array.
    most_steps: usize,
    /// Parts of threads that run none of it now.
    parts: Mutex<Vec<RecorderShard>>,
}

/// What one thread at a time records.
#[derive(Debug)]
pub struct RecorderShard {
    /// Work-groups, by array, counted from the first of the launch's.
    groups: Vec<u64>,
    /// Of all groups, by counter.
    counts: Vec<u64>,
    /// Sums of groups without events, several in a row together: by array, then by step.
    in_a_row: Vec<u64>,
    /// Numbers of what groups with events did, by its hash.
    known: HashMap<u128, u32>,
    /// By these numbers.
    steps: Vec<GroupSteps>,
    /// Groups with events, and the numbers of what they did.
    with_events: Vec<(u64, u32)>,
    group: GroupRecorder,
}

/// The group that is being run. Timed code has a pointer to it.
#[derive(Debug)]
pub struct GroupRecorder {
    local_memory: Range<usize>,
    counting: GroupCounters,
    steps: StepWriter,
    events: EventNumbers,
}

/// The counters of a group.
#[derive(Debug)]
struct GroupCounters {
    counter_costs: Arc<CounterCosts>,
    /// Where code puts its counters.
    counters: Vec<u64>,
    /// What they were at the last event.
    before: Vec<u64>,
    /// By how much they were more at the last event than at the one before, and what that
    /// comes to: the next is often the same.
    more: Vec<u64>,
    sums: Vec<u64>,
}

impl Recorder {
    /// Of a launch of so many groups.
    pub fn new(
        kernel: &Arc<TimedKernel>,
        map: WorkGroupMap,
        arrays: ArrayRange,
        groups: u64,
    ) -> Self {
        let most = map.most_groups(groups, arrays);
        let groups_in_step = most.div_ceil(MAX_STEPS_PER_ARRAY);
        Self {
            kernel: Arc::clone(kernel),
            map,
            arrays,
            groups,
            groups_in_step,
            most_steps: most.div_ceil(groups_in_step) as usize,
            parts: Mutex::default(),
        }
    }

    /// A part for one thread, whose groups have their local memory there; to be given back.
    pub fn part(&self, local_memory: Range<usize>) -> RecorderShard {
        let part = self.parts.lock().pop();
        let mut part = part.unwrap_or_else(|| {
            let used = self.kernel.used_part();
            let mut part = used.unwrap_or_else(|| RecorderShard::new(self.kernel.counter_costs()));
            part.clear(self);
            part
        });
        part.group.local_memory = local_memory;
        part
    }

    /// Gives a part back.
    pub fn give_back(&self, part: RecorderShard) {
        self.parts.lock().push(part);
    }

    /// A group has ended, of that number.
    pub fn group_ended(&self, part: &mut RecorderShard, number: u64) {
        let first = self.arrays.numbers().start;
        let array = (self.map.array_of(number, self.groups, self.arrays) - first) as usize;
        let GroupRecorder {
            counting, steps, ..
        } = &mut part.group;
        part.groups[array] += 1;
        add_each(&mut part.counts, &counting.counters);
        let sums = counting.since_last_event();
        if steps.is_empty() {
            let position = self.map.position_of(number, self.groups, self.arrays);
            let step = array * self.most_steps + (position / self.groups_in_step) as usize;
            add_each(&mut part.in_a_row[step * sums.len()..][..sums.len()], sums);
        } else {
            let (hash, steps) = steps.finish(sums);
            let same = *part.known.entry(hash).or_insert_with(|| {
                part.steps.push(steps.read(&counting.counter_costs));
                part.steps.len() as u32 - 1
            });
            part.with_events.push((number, same));
        }
        part.group.begin();
    }

    /// The record and all counters (`KernelCost::counters`), when all groups have ended.
    pub fn finish(self) -> (LaunchRecord, Vec<u64>) {
        let mut parts = std::mem::take(&mut *self.parts.lock());
        if let [merged, others @ ..] = &mut parts[..] {
            for other in others {
                add_each(&mut merged.groups, &other.groups);
                add_each(&mut merged.counts, &other.counts);
                add_each(&mut merged.in_a_row, &other.in_a_row);
            }
        }
        let first = self.arrays.numbers().start;
        let mut arrays: Vec<ArrayRecord> = self
            .arrays
            .numbers()
            .map(|array| ArrayRecord {
                array,
                ..ArrayRecord::default()
            })
            .collect();
        let costs = self.kernel.counter_costs();
        let mut counts = vec![0; costs.counters()];
        if let Some(merged) = parts.first() {
            counts.copy_from_slice(&merged.counts);
            let in_a_row = merged.in_a_row.chunks_exact(self.most_steps * costs.sums());
            for ((array, groups), sums) in arrays.iter_mut().zip(&merged.groups).zip(in_a_row) {
                array.groups = *groups;
                for (sums, times) in runs(sums, costs.sums()) {
                    let step = GroupStep::Run(costs.work(sums));
                    array.steps.push((GroupSteps::from([step]), times));
                }
            }
        }
        // Which of several that are equal is taken makes no difference.
        let mut with_events: Vec<(u64, &GroupSteps)> = parts
            .iter()
            .flat_map(|part| {
                let steps_of = |(group, same): &(u64, u32)| (*group, &part.steps[*same as usize]);
                part.with_events.iter().map(steps_of)
            })
            .collect();
        with_events.sort_unstable_by_key(|(group, _)| *group);
        for (group, steps) in with_events {
            let array = self.map.array_of(group, self.groups, self.arrays) - first;
            arrays[array as usize].push(steps);
        }
        for part in &mut parts {
            part.forget_events();
        }
        self.kernel.keep(parts);
        let record = LaunchRecord {
            arrays,
            code_bytes: u64::from(self.kernel.cost().code_bytes),
        };
        (record, counts)
    }
}

/// Adds numbers to those at their places.
fn add_each(sums: &mut [u64], numbers: &[u64]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

/// So many sums at a time that are not all 0, and how often they come in a row.
fn runs(sums: &[u64], count: usize) -> impl Iterator<Item = (&[u64], u64)> {
    let mut all = sums.chunks_exact(count).peekable();
    std::iter::from_fn(move || {
        let sums = all.find(|sums| sums.iter().any(|sum| *sum > 0))?;
        let mut times = 1;
        while all.next_if_eq(&sums).is_some() {
            times += 1;
        }
        Some((sums, times))
    })
}

impl RecorderShard {
    fn new(costs: &Arc<CounterCosts>) -> Self {
        Self {
            groups: Vec::new(),
            counts: Vec::new(),
            in_a_row: Vec::new(),
            known: HashMap::new(),
            steps: Vec::new(),
            with_events: Vec::new(),
            group: GroupRecorder {
                local_memory: 0..0,
                counting: GroupCounters::new(costs),
                steps: StepWriter::default(),
                events: EventNumbers::default(),
            },
        }
    }

    /// Nothing of the recorder's launch has been recorded.
    fn clear(&mut self, recorder: &Recorder) {
        let arrays = recorder.arrays.count() as usize;
        let costs = recorder.kernel.counter_costs();
        for (numbers, count) in [
            (&mut self.groups, arrays),
            (&mut self.counts, costs.counters()),
            (
                &mut self.in_a_row,
                arrays * recorder.most_steps * costs.sums(),
            ),
        ] {
            numbers.clear();
            numbers.resize(count, 0);
        }
        self.group.begin();
    }

    /// Frees what grows with the groups of a launch.
    fn forget_events(&mut self) {
        self.known = HashMap::new();
        self.steps = Vec::new();
        self.with_events = Vec::new();
    }

    /// For `WorkGroupContext::counters`.
    pub fn counters(&mut self) -> *mut u64 {
        self.group.counting.counters.as_mut_ptr()
    }

    /// For `WorkGroupContext::recorder`; not to be moved meanwhile.
    pub fn recorder(&mut self) -> *mut c_void {
        (&raw mut self.group).cast()
    }
}

impl GroupCounters {
    fn new(costs: &Arc<CounterCosts>) -> Self {
        let zeros = || vec![0; costs.counters()];
        Self {
            counter_costs: Arc::clone(costs),
            counters: zeros(),
            before: zeros(),
            more: zeros(),
            sums: vec![0; costs.sums()],
        }
    }

    /// Sums of what has been counted since it was called last.
    fn since_last_event(&mut self) -> &[u64] {
        let mut differs = 0;
        let counters = self.counters.iter().zip(&mut self.before);
        for ((&now, before), more) in counters.zip(&mut self.more) {
            let counted = now - *before;
            differs |= counted ^ *more;
            (*before, *more) = (now, counted);
        }
        if differs != 0 {
            self.counter_costs.sums_of(&self.more, &mut self.sums);
        }
        &self.sums
    }
}

impl GroupRecorder {
    /// Resets what belongs to one group.
    fn begin(&mut self) {
        self.counting.before.fill(0);
        self.events = EventNumbers::default();
    }

    /// Records that a DMA transfer is started; the number of its event.
    pub fn transfer(&mut self, transfer: &Transfer) -> usize {
        let number = self.events.of_transfer(transfer.event);
        let (rows, row_bytes) = match transfer.is_contiguous() {
            true => (1, transfer.rows * transfer.row_bytes),
            false => (transfer.rows, transfer.row_bytes),
        };
        let to_scratchpad = self.local_memory.contains(&transfer.destination.addr());
        self.steps.transfer(
            self.counting.since_last_event(),
            number as u32,
            rows,
            row_bytes,
            to_scratchpad,
        );
        number
    }

    /// Records that code waits for the transfers of an event, if there are any.
    pub fn wait(&mut self, event: *const c_void) {
        if let Some(event) = self.events.number(event) {
            let sums = self.counting.since_last_event();
            self.steps.wait(sums, event as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::{BlockCost, KernelCost};
    use super::super::launch_record::SegmentWork;
    use super::*;

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

    /// Runs groups of these numbers as one thread would; each counts its number.
    fn run(
        recorder: &Recorder,
        groups: impl Iterator<Item = u64>,
        body: &dyn Fn(&mut RecorderShard, u64),
    ) {
        let mut part = recorder.part(1000..2000);
        for group in groups {
            part.group.counting.counters.fill(0);
            body(&mut part, group);
            recorder.group_ended(&mut part, group);
        }
        recorder.give_back(part);
    }

    fn record(
        groups: u64,
        threads: u64,
        body: &dyn Fn(&mut RecorderShard, u64),
    ) -> (LaunchRecord, Vec<u64>) {
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let recorder = Recorder::new(&kernel, WorkGroupMap::Cyclic, ArrayRange::all(4), groups);
        for thread in 0..threads {
            // Backwards, and mixed.
            let own = (0..groups).rev().filter(|group| group % threads == thread);
            run(&recorder, own, body);
        }
        recorder.finish()
    }

    #[test]
    fn groups_without_events_are_summed_up_whoever_runs_them() {
        let body =
            |part: &mut RecorderShard, group: u64| part.group.counting.counters = vec![1, group];
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

    /// Launches of one kernel use the same parts, whatever they are like.
    #[test]
    fn nothing_is_left_of_launches_before() {
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let record = |kernel: &Arc<TimedKernel>, arrays: u64, groups: u64, copies: bool| {
            let arrays = ArrayRange::all(arrays);
            let recorder = Recorder::new(kernel, WorkGroupMap::Cyclic, arrays, groups);
            run(&recorder, 0..groups, &|part, group| {
                part.group.counting.counters = vec![group, 1];
                if copies {
                    part.group
                        .transfer(&transfer(0x8000, 8, 1, std::ptr::null()));
                    part.group.counting.counters[1] = 9;
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

    #[test]
    fn groups_with_events_keep_their_order() {
        let body = |part: &mut RecorderShard, group: u64| {
            let start = |part: &mut RecorderShard, event| {
                let number = part.group.transfer(&transfer(1500, 16, 2, event));
                std::ptr::without_provenance(number)
            };
            part.group.counting.counters[0] = 100;
            let event = start(part, std::ptr::null());
            part.group.counting.counters[1] = 5;
            // Belongs to the same event, and is started just after it.
            let same = start(part, event);
            assert_eq!(event, same);
            part.group.counting.counters[1] = 5 + group % 2 * 1000;
            part.group.wait(event);
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
        };
        let wait = GroupStep::Wait { event: 1 };
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
