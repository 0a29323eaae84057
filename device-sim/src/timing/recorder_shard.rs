//! What one host thread at a time records of a launch.

use super::counter_costs::CounterCosts;
use super::footprint::FootprintRecorder;
use super::group_place::GroupPlace;
use super::launch_record::{GroupSteps, SegmentWork};
use super::step_runs::StepRuns;
use super::step_writer::StepWriter;
use crate::dma::{EventNumbers, Transfer};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use xxhash_rust::xxh3::xxh3_128;

/// What one host thread at a time records. Shards are merged when the launch has ended.
#[derive(Debug)]
pub struct RecorderShard {
    /// Where the last group ran.
    pub(super) place: GroupPlace,
    /// Numbers of work-groups, by index of the array among the launch's.
    pub(super) groups: Vec<u64>,
    /// Counters (`KernelCost::counters`), summed over the groups whose counters are not in `step_sums`.
    pub(super) other_counts: Vec<u64>,
    /// What is kept of groups without events (`CounterCosts::step_width` sums), by step of consecutive groups
    /// and then by array.
    pub(super) step_sums: Vec<u64>,
    /// Indices in `steps`, by hash.
    known: HashMap<u128, u32>,
    /// The different steps of groups with events, with their hashes.
    steps: Vec<(u128, GroupSteps)>,
    /// The numbers of the groups with events, and the indices of their steps.
    with_events: Vec<(u64, u32)>,
    /// The last group of the launch that was recorded by itself, if there is one.
    last: Option<LastGroup>,
    /// Whether there was one before the last.
    has_several: bool,
    /// The numbers of groups that have done the same as the last one, until they are added to the sums.
    repeated: Vec<Range<u64>>,
    group: GroupRecorder,
    pub(super) footprints: FootprintRecorder,
}

/// Shards that no thread uses. Most launches have one.
pub(super) type IdleShards = SmallVec<[Box<RecorderShard>; 1]>;

/// The steps of the group that has ended last.
#[derive(Clone, Copy, Debug)]
enum LastGroup {
    /// Without events; its counters, and the cost sums at `GROUP_END` if steps keep these, are still there.
    WithoutEvents,
    /// Index in `RecorderShard::steps`.
    WithEvents(u32),
}

/// The site of the ends of groups, and of transfers without a line.
const GROUP_END: u32 = 0;

/// Records the group that is being run. Timed code has a pointer to it.
#[derive(Debug)]
pub struct GroupRecorder {
    /// Addresses of the group's local memory on the host.
    local_memory: Range<usize>,
    counters: GroupCounters,
    steps: StepWriter,
    events: EventNumbers,
    /// By site: the address that its last transfer read.
    sources: Vec<usize>,
}

/// The counters of a group.
#[derive(Debug)]
struct GroupCounters {
    costs: Arc<CounterCosts>,
    /// The counters that timed code stores. They are read right after that, one by one: loads of
    /// vectors would wait until all stores have reached the cache.
    counters: Vec<AtomicU64>,
    /// Their values at the last event.
    at_last_event: Vec<u64>,
    /// By site: what led to its last event. The first one is that of groups' ends.
    before_sites: Vec<Increments>,
}

/// Increments of the counters up to an event. They often repeat, so that their costs are kept.
#[derive(Clone, Debug)]
struct Increments {
    increments: Vec<u64>,
    /// The cost sums of `increments`.
    sums: Vec<u64>,
}

impl RecorderShard {
    /// An empty shard, to be reset before use.
    pub(super) fn new(costs: &Arc<CounterCosts>) -> Self {
        Self {
            place: GroupPlace::default(),
            groups: Vec::new(),
            other_counts: Vec::new(),
            step_sums: Vec::new(),
            known: HashMap::new(),
            steps: Vec::new(),
            with_events: Vec::new(),
            last: None,
            has_several: false,
            repeated: Vec::new(),
            group: GroupRecorder {
                local_memory: 0..0,
                counters: GroupCounters::new(costs),
                steps: StepWriter::default(),
                events: EventNumbers::default(),
                sources: Vec::new(),
            },
            footprints: FootprintRecorder::new(0),
        }
    }

    /// Resets it for a launch on `arrays` arrays of at most `max_steps` steps without events each, and
    /// `loaded` arguments whose loads are recorded.
    pub(super) fn reset(
        &mut self,
        arrays: usize,
        max_steps: usize,
        costs: &CounterCosts,
        loaded: usize,
    ) {
        for (numbers, count) in [
            (&mut self.groups, arrays),
            (&mut self.other_counts, costs.counters()),
            (&mut self.step_sums, arrays * max_steps * costs.step_width()),
        ] {
            numbers.clear();
            numbers.resize(count, 0);
        }
        self.place = GroupPlace::default();
        self.last = None;
        self.has_several = false;
        self.repeated.clear();
        self.group.begin();
        self.footprints = FootprintRecorder::new(loaded);
    }

    /// Sets the addresses of the local memory of the groups to come.
    pub(super) fn set_local_memory(&mut self, local_memory: Range<usize>) {
        self.group.local_memory = local_memory;
    }

    /// Adds the group that has ended: number `number`, which ran on the array of index `array`.
    /// Without events it is added to the sums of step `step` (of all arrays').
    pub(super) fn end_group(&mut self, number: u64, array: usize, step: usize) {
        let GroupRecorder {
            counters, steps, ..
        } = &mut self.group;
        assert!(
            self.repeated.is_empty(),
            "the counters of repeated groups are lost"
        );
        self.has_several = self.last.is_some();
        self.groups[array] += 1;
        if steps.is_empty() {
            let step_sums = step_of(&mut self.step_sums, step, &counters.costs);
            counters.add_whole_group(step_sums, &mut self.other_counts);
            self.last = Some(LastGroup::WithoutEvents);
            return;
        }
        counters.add_to(&mut self.other_counts, 1);
        let (hash, written) = steps.finish(counters.since_last_event(GROUP_END));
        let index = *self.known.entry(hash).or_insert_with(|| {
            self.steps.push((hash, written.read(&counters.costs)));
            self.steps.len() as u32 - 1
        });
        self.with_events.push((number, index));
        self.last = Some(LastGroup::WithEvents(index));
        self.group.begin();
    }

    /// Records that a group has done the same as the last one, which there has to be. No group is
    /// recorded by itself after that.
    pub(super) fn repeat_group(&mut self, number: u64) {
        match self.repeated.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => self.repeated.push(number..number + 1),
        }
    }

    /// Whether a group has been recorded that others can repeat.
    pub(super) fn has_group(&self) -> bool {
        self.last.is_some()
    }

    /// The counters of each of its groups, if all have done the same, without events, and the number of groups.
    pub(super) fn equal_groups(&self) -> Option<(&[AtomicU64], u64)> {
        let is_equal = !self.has_several && matches!(self.last, Some(LastGroup::WithoutEvents));
        let repeated = self
            .repeated
            .iter()
            .map(|numbers| numbers.end - numbers.start);
        is_equal.then(|| (self.counters(), 1 + repeated.sum::<u64>()))
    }

    /// Adds the repeated groups to the sums: groups of any array, of which `groups_in_step` share a step.
    pub(super) fn add_repeated(&mut self, groups_in_step: u64) {
        let arrays = self.groups.len() as u64;
        for numbers in std::mem::take(&mut self.repeated) {
            let counters = &self.group.counters;
            let is_in_steps = match self.last {
                Some(LastGroup::WithEvents(index)) => {
                    let repeated = numbers.clone().map(|number| (number, index));
                    self.with_events.extend(repeated);
                    false
                }
                _ => counters.costs.keeps_counters(),
            };
            if !is_in_steps {
                counters.add_to(&mut self.other_counts, numbers.end - numbers.start);
            }
            let mut first = numbers.start;
            while first < numbers.end {
                let step = first / (arrays * groups_in_step);
                let end = numbers.end.min((step + 1) * arrays * groups_in_step);
                for number in first..end.min(first + arrays) {
                    let array = number % arrays;
                    let times = (end - number).div_ceil(arrays);
                    self.groups[array as usize] += times;
                    if matches!(self.last, Some(LastGroup::WithoutEvents)) {
                        let counters = &self.group.counters;
                        let index = (step * arrays + array) as usize;
                        let step_sums = step_of(&mut self.step_sums, index, &counters.costs);
                        counters.add_group_again(step_sums, times);
                    }
                }
                first = end;
            }
        }
    }

    /// Adds the sums of another shard of the same launch; not its groups with events.
    pub(super) fn add_sums(&mut self, other: &Self) {
        add_each(&mut self.groups, &other.groups);
        add_each(&mut self.other_counts, &other.other_counts);
        add_each(&mut self.step_sums, &other.step_sums);
        self.footprints.add(&other.footprints);
    }

    /// The work of an array's groups without events: consecutive segments, each with its number of repetitions.
    pub(super) fn segments(&self, array: usize) -> impl Iterator<Item = (SegmentWork, u64)> {
        let costs = &self.group.counters.costs;
        let steps = StepRuns {
            sums: &self.step_sums,
            width: costs.step_width(),
            arrays: self.groups.len(),
        };
        let mut sums = vec![0; costs.sums()];
        let runs = steps.of_array(array);
        let segments = runs.map(move |(kept, times)| (costs.work_of_step(kept, &mut sums), times));
        let mut segments = segments
            .filter(|(work, _)| *work != SegmentWork::default())
            .peekable();
        std::iter::from_fn(move || {
            let (work, mut times) = segments.next()?;
            // Steps with different counters can have the same work.
            while let Some((_, more)) = segments.next_if(|(next, _)| *next == work) {
                times += more;
            }
            Some((work, times))
        })
    }

    /// Counters (`KernelCost::counters`), summed over all groups.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = self.other_counts.clone();
        if self.group.counters.costs.keeps_counters() {
            // First the steps of each array: longer additions are faster.
            let mut of_arrays = vec![0; counts.len() * self.groups.len()];
            for steps in self.step_sums.chunks_exact(of_arrays.len()) {
                add_each(&mut of_arrays, steps);
            }
            for of_array in of_arrays.chunks_exact(counts.len()) {
                add_each(&mut counts, of_array);
            }
        }
        counts
    }

    /// Whether any of its groups had events.
    pub(super) fn has_events(&self) -> bool {
        !self.with_events.is_empty()
    }

    /// The groups with events: their numbers and steps.
    pub(super) fn groups_with_events(&self) -> impl Iterator<Item = (u64, &GroupSteps)> {
        let groups = self.with_events.iter();
        groups.map(|(group, index)| (*group, &self.steps[*index as usize].1))
    }

    /// The hash of the groups with events, in any order: the sum of their hashes.
    pub(super) fn hash_of_events(&self) -> u128 {
        let groups = self.with_events.iter().map(|(group, index)| {
            let (steps, _) = self.steps[*index as usize];
            let steps = [steps as u64, (steps >> 64) as u64];
            xxh3_128(bytemuck::cast_slice(&[*group, steps[0], steps[1]]))
        });
        groups.fold(0, u128::wrapping_add)
    }

    /// Frees what grows with the number of groups, before the shard is kept for later launches.
    pub(super) fn forget_events(&mut self) {
        if !self.has_events() {
            return;
        }
        self.known = HashMap::new();
        self.steps = Vec::new();
        self.with_events = Vec::new();
    }

    /// The counters that timed code stores.
    pub fn counters(&self) -> &[AtomicU64] {
        &self.group.counters.counters
    }

    /// The recorder of the group that is being run.
    pub fn group_recorder(&mut self) -> &mut GroupRecorder {
        &mut self.group
    }
}

impl GroupCounters {
    fn new(costs: &Arc<CounterCosts>) -> Self {
        Self {
            costs: Arc::clone(costs),
            counters: (0..costs.counters()).map(|_| AtomicU64::new(0)).collect(),
            at_last_event: vec![0; costs.counters()],
            before_sites: Vec::new(),
        }
    }

    /// Adds a group without events to the sums of its step, and to `other_counts` if steps keep no
    /// counters.
    fn add_whole_group(&mut self, step_sums: &mut [u64], other_counts: &mut [u64]) {
        if self.costs.keeps_counters() {
            self.add_to(step_sums, 1);
            return;
        }
        self.reserve_site(GROUP_END);
        let before = &mut self.before_sites[GROUP_END as usize];
        let counted = self.counters.iter().map(|counter| counter.load(Relaxed));
        before.set(counted, &self.costs);
        add_each(other_counts, &before.increments);
        add_each(step_sums, &before.sums);
    }

    /// Adds the group of the last `add_whole_group` to the sums of another step, that number of times.
    fn add_group_again(&self, step_sums: &mut [u64], times: u64) {
        if self.costs.keeps_counters() {
            self.add_to(step_sums, times);
            return;
        }
        let sums = &self.before_sites[GROUP_END as usize].sums;
        for (step_sum, sum) in step_sums.iter_mut().zip(sums) {
            *step_sum += sum * times;
        }
    }

    /// Adds the counters to `counts`, that number of times.
    fn add_to(&self, counts: &mut [u64], times: u64) {
        for (sum, counter) in counts.iter_mut().zip(&self.counters) {
            *sum += counter.load(Relaxed) * times;
        }
    }

    /// Cost sums of what has been counted between the event before and one at `site`.
    fn since_last_event(&mut self, site: u32) -> &[u64] {
        self.reserve_site(site);
        let before = &mut self.before_sites[site as usize];
        let counters = self.counters.iter().zip(&mut self.at_last_event);
        let counted = counters.map(|(counter, at_last_event)| {
            let counter = counter.load(Relaxed);
            counter - std::mem::replace(at_last_event, counter)
        });
        before.set(counted, &self.costs);
        &before.sums
    }

    #[inline]
    fn reserve_site(&mut self, site: u32) {
        let site = site as usize;
        if self.before_sites.len() <= site {
            let none = Increments {
                increments: vec![0; self.counters.len()],
                sums: vec![0; self.costs.sums()],
            };
            self.before_sites.resize(site + 1, none);
        }
    }
}

impl Increments {
    /// Sets the increments, and their cost sums where they differ from those before.
    fn set(&mut self, counted: impl Iterator<Item = u64>, costs: &CounterCosts) {
        let mut differences = 0;
        for (increment, counted) in self.increments.iter_mut().zip(counted) {
            differences |= counted ^ *increment;
            *increment = counted;
        }
        if differences != 0 {
            costs.sums_of(&self.increments, &mut self.sums);
        }
    }
}

impl GroupRecorder {
    /// Resets what belongs to one group.
    fn begin(&mut self) {
        self.counters.at_last_event.fill(0);
        self.events = EventNumbers::default();
    }

    /// The address from which a transfer at this site may read soon: transfers in a loop over rows have
    /// a constant distance.
    pub fn later_source(&mut self, transfer: &Transfer, site: u32) -> *const u8 {
        /// Iterations that a load from memory takes about.
        const AHEAD: usize = 4;
        let site = site as usize;
        if self.sources.len() <= site {
            self.sources.resize(site + 1, 0);
        }
        let source = transfer.source.addr();
        let before = std::mem::replace(&mut self.sources[site], source);
        let distance = source.wrapping_sub(before).wrapping_mul(AHEAD);
        transfer.source.wrapping_add(distance)
    }

    /// Records that a DMA transfer is started at `site` of the code; the number of its event.
    pub fn transfer(&mut self, transfer: &Transfer, site: u32) -> usize {
        let to_scratchpad = self.local_memory.contains(&transfer.destination.addr());
        self.transfer_to(to_scratchpad, transfer, site)
    }

    /// As `transfer`, with the direction instead of the addresses.
    pub fn transfer_to(&mut self, to_scratchpad: bool, transfer: &Transfer, site: u32) -> usize {
        let number = self.events.of_transfer(transfer.event);
        let (rows, row_bytes) = match transfer.is_contiguous() {
            true => (1, transfer.rows * transfer.row_bytes),
            false => (transfer.rows, transfer.row_bytes),
        };
        self.steps.transfer(
            self.counters.since_last_event(site),
            number as u32,
            rows,
            row_bytes,
            to_scratchpad,
            site,
        );
        number
    }

    /// Records that code waits at `site` for the transfers of an event, if there are any.
    pub fn wait(&mut self, event: *const c_void, site: u32) {
        if let Some(event) = self.events.number(event) {
            let sums = self.counters.since_last_event(site);
            self.steps.wait(sums, event as u32, site);
        }
    }
}

/// The sums of a step.
fn step_of<'a>(step_sums: &'a mut [u64], step: usize, costs: &CounterCosts) -> &'a mut [u64] {
    let width = costs.step_width();
    &mut step_sums[step * width..][..width]
}

/// Adds `numbers` to `sums`, element by element.
fn add_each(sums: &mut [u64], numbers: &[u64]) {
    let (sums, other_sums) = sums.as_chunks_mut::<8>();
    let (numbers, other_numbers) = numbers.as_chunks::<8>();
    for (sums, numbers) in sums.iter_mut().zip(numbers) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    for (sum, number) in other_sums.iter_mut().zip(other_numbers) {
        *sum += number;
    }
}
