//! Records what a launch does on each array while the host's threads run it in whatever order:
//! everything is a sum, or belongs to a group by its number.

use super::cost::{Active, KernelCost, PerMemory};
use super::record::{ArrayRecord, LaunchRecord, Step, Steps, Work};
use crate::arrays::Arrays;
use crate::dma;
use crate::static_map::StaticMap;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

/// Most steps of an array in a launch without DMA: several groups in a row make one.
const MOST_STEPS: u64 = 512;

/// What each run of a counter adds to a group's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weight {
    compute: u64,
    scratchpad: u64,
    outside: u64,
    barrier: u64,
    traffic: PerMemory<u64>,
}

/// What counters come to.
#[derive(Debug)]
struct Weights {
    by_counter: Vec<Weight>,
    /// Counter, number of the lock, how often it is taken for each count.
    locks: Vec<(usize, u32, u64)>,
}

impl Weights {
    fn of(cost: &KernelCost) -> Self {
        let mut by_counter = vec![Weight::default(); cost.counters as usize];
        for (number, block) in cost.blocks.iter().enumerate() {
            let (own, lanes) = match block.active {
                Active::Always(lanes) => (number, u64::from(lanes)),
                Active::Counted(counter) => (counter as usize, 1),
            };
            let add = |weight: &mut Weight, outside: u32, traffic: &PerMemory<u32>, times: u64| {
                weight.outside += u64::from(outside) * times;
                for (sum, bytes) in weight.traffic.iter_mut().zip(traffic) {
                    *sum += u64::from(*bytes) * times;
                }
            };
            let weight = &mut by_counter[number];
            weight.compute += u64::from(block.compute);
            weight.scratchpad += u64::from(block.scratchpad);
            weight.barrier += u64::from(block.barrier);
            add(weight, block.outside, &block.traffic, 1);
            let per_lane = (block.outside_per_lane, &block.traffic_per_lane);
            add(&mut by_counter[own], per_lane.0, per_lane.1, lanes);
        }
        let locks = cost.locked.iter().map(|locked| {
            let (counter, lanes) =
                match (locked.per_lane, cost.blocks[locked.block as usize].active) {
                    (true, Active::Counted(counter)) => (counter, 1),
                    (true, Active::Always(lanes)) => (locked.block, lanes.max(1)),
                    (false, _) => (locked.block, 1),
                };
            (
                counter as usize,
                locked.lock,
                u64::from(locked.times * lanes),
            )
        });
        Self {
            by_counter,
            locks: locks.collect(),
        }
    }

    /// What the counters come to.
    fn work(&self, counters: &[u64]) -> Work {
        let mut work = Work::default();
        for (weight, &times) in self.by_counter.iter().zip(counters) {
            if times == 0 {
                continue;
            }
            work.compute += weight.compute * times;
            work.scratchpad += weight.scratchpad * times;
            work.outside += weight.outside * times;
            work.barrier += weight.barrier * times;
            for (sum, bytes) in work.traffic.iter_mut().zip(weight.traffic) {
                *sum += bytes * times;
            }
        }
        for &(counter, lock, each) in &self.locks {
            let times = counters[counter] * each;
            if times > 0 {
                work.take_lock(lock, times);
            }
        }
        work
    }
}

/// The record of a launch while it runs.
#[derive(Debug)]
pub struct Recorder {
    weights: Weights,
    map: StaticMap,
    arrays: Arrays,
    groups: u64,
    code_bytes: u64,
    /// Parts of threads that run none of it now.
    parts: Mutex<Vec<Part>>,
}

/// What one thread at a time records: by array, counted from the first of the launch's.
#[derive(Debug)]
pub struct Part {
    of_arrays: Vec<OfArray>,
    known: HashMap<Steps, u32>,
    /// By number in `known`.
    steps: Vec<Steps>,
    /// Groups that have events, and the numbers of what they did.
    with_events: Vec<(u64, u32)>,
    group: Group,
}

#[derive(Clone, Debug, Default)]
struct OfArray {
    counts: Vec<u64>,
    groups: u64,
    /// Groups without events, several in a row together.
    in_a_row: Vec<Work>,
}

/// The group that is being run. Timed code has a pointer to it.
#[derive(Debug)]
struct Group {
    /// Where code puts its counters.
    counters: Vec<u64>,
    weights: *const Weights,
    local_memory: Range<usize>,
    /// Work before the last event.
    before: Work,
    steps: Vec<Step>,
    events: u32,
}

// SAFETY: the weights outlive the part, whose recorder has them; they are only read.
unsafe impl Send for Part {}

impl Recorder {
    /// Of a launch of so many groups.
    pub fn new(cost: &KernelCost, map: StaticMap, arrays: Arrays, groups: u64) -> Self {
        Self {
            weights: Weights::of(cost),
            map,
            arrays,
            groups,
            code_bytes: u64::from(cost.code_bytes),
            parts: Mutex::default(),
        }
    }

    /// A part for one thread, whose groups have their local memory there; to be given back.
    pub fn part(&self, local_memory: Range<usize>) -> Box<Part> {
        let part = self.parts.lock().pop();
        let mut part = part.unwrap_or_else(|| Part::new(self));
        part.group.local_memory = local_memory;
        Box::new(part)
    }

    /// Gives a part back.
    pub fn give_back(&self, part: Box<Part>) {
        self.parts.lock().push(*part);
    }

    /// A group has ended, of that number.
    pub fn group_ended(&self, part: &mut Part, number: u64) {
        let array =
            self.map.array_of(number, self.groups, self.arrays) - self.arrays.numbers().start;
        let position = self.map.position_of(number, self.groups, self.arrays);
        let most = self.map.most_groups(self.groups, self.arrays);
        let Part {
            of_arrays,
            group,
            known,
            steps,
            with_events,
        } = part;
        let of_array = &mut of_arrays[array as usize];
        of_array.groups += 1;
        of_array.counts.resize(group.counters.len(), 0);
        for (sum, count) in of_array.counts.iter_mut().zip(&group.counters) {
            *sum += count;
        }
        let mut work = self.weights.work(&group.counters);
        if group.steps.is_empty() {
            let slots = most.min(MOST_STEPS);
            of_array.in_a_row.resize_with(slots as usize, Work::default);
            let slot = u128::from(position) * u128::from(slots) / u128::from(most);
            of_array.in_a_row[slot as usize].add(&work);
            return;
        }
        work.subtract(&group.before);
        if !work.is_nothing() {
            group.steps.push(Step::Run(work));
        }
        let same = match known.get(group.steps.as_slice()) {
            Some(same) => *same,
            None => {
                let number = steps.len() as u32;
                let new: Steps = Arc::from(group.steps.as_slice());
                steps.push(Arc::clone(&new));
                known.insert(new, number);
                number
            }
        };
        with_events.push((number, same));
        group.steps.clear();
        group.before = Work::default();
        group.events = 0;
    }

    /// The record, when all groups have ended.
    pub fn finish(self) -> LaunchRecord {
        let parts = self.parts.into_inner();
        let first = self.arrays.numbers().start;
        let mut arrays: Vec<ArrayRecord> = self
            .arrays
            .numbers()
            .map(|array| ArrayRecord {
                array,
                ..ArrayRecord::default()
            })
            .collect();
        let counters = self.weights.by_counter.len();
        for (number, array) in arrays.iter_mut().enumerate() {
            array.counts = vec![0; counters];
            let mut in_a_row: Vec<Work> = Vec::new();
            for part in &parts {
                let of_array = &part.of_arrays[number];
                array.groups += of_array.groups;
                for (sum, count) in array.counts.iter_mut().zip(&of_array.counts) {
                    *sum += count;
                }
                in_a_row.resize_with(in_a_row.len().max(of_array.in_a_row.len()), Work::default);
                for (sum, work) in in_a_row.iter_mut().zip(&of_array.in_a_row) {
                    sum.add(work);
                }
            }
            in_a_row.retain(|work| !work.is_nothing());
            for work in in_a_row {
                array.push(&Steps::from([Step::Run(work)]));
            }
        }
        // Which of several that are equal is taken makes no difference.
        let mut with_events: Vec<(u64, &Steps)> = parts
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
        LaunchRecord {
            arrays,
            code_bytes: self.code_bytes,
        }
    }
}

impl Part {
    fn new(recorder: &Recorder) -> Self {
        Self {
            of_arrays: vec![OfArray::default(); recorder.arrays.count() as usize],
            known: HashMap::new(),
            steps: Vec::new(),
            with_events: Vec::new(),
            group: Group {
                counters: vec![0; recorder.weights.by_counter.len()],
                weights: &raw const recorder.weights,
                local_memory: 0..0,
                before: Work::default(),
                steps: Vec::new(),
                events: 0,
            },
        }
    }

    /// For `WorkGroupContext::counters`.
    pub fn counters(&mut self) -> *mut u64 {
        self.group.counters.as_mut_ptr()
    }

    /// For `WorkGroupContext::recorder`.
    pub fn recorder(&mut self) -> *mut c_void {
        (&raw mut self.group).cast()
    }
}

impl Group {
    /// Something happens after what the counters tell of.
    fn happens(&mut self, step: Step) {
        // SAFETY: the recorder outlives its parts.
        let weights = unsafe { &*self.weights };
        let so_far = weights.work(&self.counters);
        let mut work = so_far.clone();
        work.subtract(&self.before);
        self.before = so_far;
        if !work.is_nothing() {
            self.steps.push(Step::Run(work));
        }
        self.steps.push(step);
    }
}

/// Starts a DMA transfer from timed code: as `dma::transfer`, and notes it. Gives its event: the
/// one it is given, or a new one.
///
/// # Safety
/// As `dma::transfer`; the recorder is that of the group's context.
#[expect(clippy::too_many_arguments, reason = "those of a transfer")]
pub unsafe extern "C" fn timed_transfer(
    recorder: *mut c_void,
    destination: *mut u8,
    destination_stride: u64,
    source: *const u8,
    source_stride: u64,
    row_bytes: u64,
    rows: u64,
    event: *const c_void,
) -> *const c_void {
    // SAFETY: as the caller promises.
    let group = unsafe { &mut *recorder.cast::<Group>() };
    // SAFETY: as the caller promises.
    unsafe {
        dma::transfer(
            destination,
            destination_stride,
            source,
            source_stride,
            row_bytes,
            rows,
            event,
        );
    }
    let mut number = event.addr() as u32;
    if number == 0 || number > group.events {
        group.events += 1;
        number = group.events;
    }
    let in_one_piece = row_bytes == destination_stride && row_bytes == source_stride;
    let (rows, row_bytes) = match in_one_piece {
        true => (1, rows * row_bytes),
        false => (rows, row_bytes),
    };
    group.happens(Step::Transfer {
        event: number,
        rows,
        row_bytes,
        to_scratchpad: group.local_memory.contains(&destination.addr()),
    });
    std::ptr::without_provenance(number as usize)
}

/// Notes that timed code waits for the transfers of an event.
///
/// # Safety
/// The recorder is that of the group's context.
pub unsafe extern "C" fn timed_wait(recorder: *mut c_void, event: *const c_void) {
    // SAFETY: as the caller promises.
    let group = unsafe { &mut *recorder.cast::<Group>() };
    let event = event.addr() as u32;
    if (1..=group.events).contains(&event) {
        group.happens(Step::Wait { event });
    }
}
