//! Records what a launch does on each array while the host's threads run it in whatever order:
//! everything is a sum, or belongs to a group by its number.

use super::cost::KernelCost;
use super::record::{ArrayRecord, LaunchRecord, Step, Steps, Work};
use super::steps::StepWriter;
use super::weights::Weights;
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

/// The record of a launch while it runs.
#[derive(Debug)]
pub struct Recorder {
    weights: Arc<Weights>,
    map: StaticMap,
    arrays: Arrays,
    groups: u64,
    code_bytes: u64,
    /// Parts of threads that run none of it now.
    parts: Mutex<Vec<Part>>,
}

/// What one thread at a time records.
#[derive(Debug)]
pub struct Part {
    /// By array, counted from the first of the launch's.
    of_arrays: Vec<OfArray>,
    /// Numbers of what groups with events did, by its hash.
    known: HashMap<u128, u32>,
    /// By these numbers.
    steps: Vec<Steps>,
    /// Groups with events, and the numbers of what they did.
    with_events: Vec<(u64, u32)>,
    group: Group,
}

#[derive(Clone, Debug, Default)]
struct OfArray {
    counts: Vec<u64>,
    groups: u64,
    /// Sums of groups without events, several in a row together.
    in_a_row: Vec<u64>,
}

/// The group that is being run. Timed code has a pointer to it.
#[derive(Debug)]
struct Group {
    /// Where code puts its counters.
    counters: Vec<u64>,
    weights: Arc<Weights>,
    local_memory: Range<usize>,
    /// Counters at the last event.
    before: Vec<u64>,
    /// What they have come to since.
    sums: Vec<u64>,
    steps: StepWriter,
    events: dma::Events,
}

impl Recorder {
    /// Of a launch of so many groups.
    pub fn new(cost: &KernelCost, map: StaticMap, arrays: Arrays, groups: u64) -> Self {
        Self {
            weights: Arc::new(Weights::of(cost)),
            map,
            arrays,
            groups,
            code_bytes: u64::from(cost.code_bytes),
            parts: Mutex::default(),
        }
    }

    /// A part for one thread, whose groups have their local memory there; to be given back.
    pub fn part(&self, local_memory: Range<usize>) -> Part {
        let part = self.parts.lock().pop();
        let mut part = part.unwrap_or_else(|| Part::new(self));
        part.group.local_memory = local_memory;
        part
    }

    /// Gives a part back.
    pub fn give_back(&self, part: Part) {
        self.parts.lock().push(part);
    }

    /// A group has ended, of that number.
    pub fn group_ended(&self, part: &mut Part, number: u64) {
        let first = self.arrays.numbers().start;
        let array = self.map.array_of(number, self.groups, self.arrays) - first;
        let of_array = &mut part.of_arrays[array as usize];
        let group = &mut part.group;
        of_array.groups += 1;
        for (sum, count) in of_array.counts.iter_mut().zip(&group.counters) {
            *sum += count;
        }
        if group.steps.is_empty() {
            let position = self.map.position_of(number, self.groups, self.arrays);
            let most = self.map.most_groups(self.groups, self.arrays);
            let slots = most.min(MOST_STEPS);
            let slot = (u128::from(position) * u128::from(slots) / u128::from(most)) as usize;
            let sums = self.weights.sums();
            if of_array.in_a_row.len() < (slot + 1) * sums {
                of_array.in_a_row.resize((slot + 1) * sums, 0);
            }
            let own = &mut of_array.in_a_row[slot * sums..][..sums];
            self.weights.add(&group.counters, &group.before, own);
            return;
        }
        group.catch_up();
        let (hash, steps) = group.steps.finish(&group.sums);
        let same = *part.known.entry(hash).or_insert_with(|| {
            part.steps.push(steps.read(&self.weights));
            part.steps.len() as u32 - 1
        });
        part.with_events.push((number, same));
        group.begin();
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
                counts: vec![0; self.weights.counters()],
                ..ArrayRecord::default()
            })
            .collect();
        for (number, array) in arrays.iter_mut().enumerate() {
            let mut in_a_row: Vec<u64> = Vec::new();
            for part in &parts {
                let of_array = &part.of_arrays[number];
                array.groups += of_array.groups;
                add_each(&mut array.counts, &of_array.counts);
                add_each(&mut in_a_row, &of_array.in_a_row);
            }
            for sums in in_a_row.chunks_exact(self.weights.sums()) {
                let work = self.weights.work(sums);
                if work != Work::default() {
                    array.push(&Steps::from([Step::Run(work)]));
                }
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

/// Adds numbers to those at their places; beyond the end there are zeros.
fn add_each(sums: &mut Vec<u64>, numbers: &[u64]) {
    sums.resize(sums.len().max(numbers.len()), 0);
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

impl Part {
    fn new(recorder: &Recorder) -> Self {
        let weights = &recorder.weights;
        let of_array = OfArray {
            counts: vec![0; weights.counters()],
            ..OfArray::default()
        };
        Self {
            of_arrays: vec![of_array; recorder.arrays.count() as usize],
            known: HashMap::new(),
            steps: Vec::new(),
            with_events: Vec::new(),
            group: Group {
                counters: vec![0; weights.counters()],
                weights: Arc::clone(weights),
                local_memory: 0..0,
                before: vec![0; weights.counters()],
                sums: vec![0; weights.sums()],
                steps: StepWriter::default(),
                events: dma::Events::default(),
            },
        }
    }

    /// For `WorkGroupContext::counters`.
    pub fn counters(&mut self) -> *mut u64 {
        self.group.counters.as_mut_ptr()
    }

    /// For `WorkGroupContext::recorder`; not to be moved meanwhile.
    pub fn recorder(&mut self) -> *mut c_void {
        (&raw mut self.group).cast()
    }
}

impl Group {
    /// What has been counted since the last event goes into the sums.
    fn catch_up(&mut self) {
        self.weights
            .add(&self.counters, &self.before, &mut self.sums);
        self.before.copy_from_slice(&self.counters);
    }

    /// There is another group.
    fn begin(&mut self) {
        self.before.fill(0);
        self.sums.fill(0);
        self.events = dma::Events::default();
    }
}

/// Starts a DMA transfer from timed code: as `dma::transfer`, and notes it. Gives its event: the
/// one it is given, or a new one.
///
/// # Safety
/// As `dma::transfer`; the recorder is that of the group's context.
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
    let number = group.events.of_transfer(event);
    let in_one_piece = row_bytes == destination_stride && row_bytes == source_stride;
    let (rows, row_bytes) = match in_one_piece {
        true => (1, rows * row_bytes),
        false => (rows, row_bytes),
    };
    let to_scratchpad = group.local_memory.contains(&destination.addr());
    group.catch_up();
    group
        .steps
        .transfer(&group.sums, number as u32, rows, row_bytes, to_scratchpad);
    group.sums.fill(0);
    std::ptr::without_provenance(number)
}

/// Notes that timed code waits for the transfers of an event.
///
/// # Safety
/// The recorder is that of the group's context.
pub unsafe extern "C" fn timed_wait(recorder: *mut c_void, event: *const c_void) {
    // SAFETY: as the caller promises.
    let group = unsafe { &mut *recorder.cast::<Group>() };
    if let Some(event) = group.events.number(event) {
        group.catch_up();
        group.steps.wait(&group.sums, event as u32);
        group.sums.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cost::BlockCost;
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

    /// Runs groups of these numbers as one thread would; each counts its number.
    fn run(recorder: &Recorder, groups: impl Iterator<Item = u64>, body: &dyn Fn(&mut Part, u64)) {
        let mut part = recorder.part(1000..2000);
        for group in groups {
            part.group.counters.fill(0);
            body(&mut part, group);
            recorder.group_ended(&mut part, group);
        }
        recorder.give_back(part);
    }

    fn record(groups: u64, threads: u64, body: &dyn Fn(&mut Part, u64)) -> LaunchRecord {
        let recorder = Recorder::new(&cost(), StaticMap::Cyclic, Arrays::all(4), groups);
        for thread in 0..threads {
            // Backwards, and mixed.
            let own = (0..groups).rev().filter(|group| group % threads == thread);
            run(&recorder, own, body);
        }
        recorder.finish()
    }

    #[test]
    fn groups_without_events_are_summed_up_whoever_runs_them() {
        let body = |part: &mut Part, group: u64| part.group.counters = vec![1, group];
        let record_of = |threads| record(10_000, threads, &body);
        let one = record_of(1);
        assert_eq!(one, record_of(3));
        let array = &one.arrays[1];
        assert_eq!(array.groups, 2500);
        assert!(array.steps.len() <= MOST_STEPS as usize);
        let sum: u64 = (0..10_000).filter(|group| group % 4 == 1).sum();
        assert_eq!(array.counts, [2500, sum]);
        let of_steps = array.steps.iter().map(|(steps, times)| match &steps[..] {
            [Step::Run(work)] => work.compute * times,
            other => panic!("{other:?}"),
        });
        assert_eq!(of_steps.sum::<u64>(), 25_000 + sum);
    }

    #[test]
    fn groups_with_events_keep_their_order() {
        let body = |part: &mut Part, group: u64| {
            let (from, mut to) = ([7u8; 32], [0u8; 32]);
            part.group.local_memory = to.as_ptr().addr()..to.as_ptr().addr() + 32;
            let mut transfer = |part: &mut Part, rows: u64, event| {
                let (to, from) = (to.as_mut_ptr(), from.as_ptr());
                // SAFETY: up to two rows of 8 bytes lie within both.
                unsafe { timed_transfer(part.recorder(), to, 8, from, 16, 8, rows, event) }
            };
            part.group.counters[0] = 100;
            let event = transfer(part, 2, std::ptr::null());
            part.group.counters[1] = 5;
            // Belongs to the same event, and is started just after it.
            let same = transfer(part, 2, event);
            assert_eq!(event, same);
            part.group.counters[1] = 5 + group % 2 * 1000;
            // SAFETY: the part is the recorder's.
            unsafe { timed_wait(part.recorder(), event) };
            assert_eq!(to[..16], [7; 16]);
        };
        let record = record(8, 2, &body);
        let run = |compute| {
            Step::Run(Work {
                compute,
                ..Work::default()
            })
        };
        let transfers = Step::Transfer {
            times: 2,
            between: Work {
                compute: 5,
                ..Work::default()
            },
            event: 1,
            rows: 2,
            row_bytes: 8,
            to_scratchpad: true,
        };
        let wait = Step::Wait { event: 1 };
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
