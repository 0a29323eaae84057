//! Runs the events of a launch and assembles its timing.

use super::activity_timeline;
use super::array::{ArrayState, ArrayTimeline};
use super::array_progress::ArrayProgress;
use super::cluster_resources::ClusterResources;
use crate::machine::{CodeStackLayout, Machine, SharedMemory};
use crate::timing::launch_record::{ArrayRecord, LaunchRecord, Volume};
use crate::timing::launch_timing::{
    Activity, ArrayTiming, CyclesByActivity, LaunchTiming, TransferSlice,
};
use crate::units::Cycles;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// An event: its time, the index of the array, and there the array itself (0) or one of its DMA
/// channels (from 1).
type Event = Reverse<(Cycles, u32, u32)>;

/// Computes the timing of a launch, in cycles since the command was handed to the device; with
/// slices for a timeline, if wanted.
///
/// An array that has run no group was not started: it begins and ends at 0 and is idle throughout.
pub fn run(
    machine: &Machine,
    layout: &CodeStackLayout,
    record: &LaunchRecord,
    timeline: bool,
) -> LaunchTiming {
    let mut resources = ClusterResources::new(machine, record);
    let timeline = timeline.then(|| ArrayTimeline {
        number: resources.begin_timeline(),
        max_slices: activity_timeline::limit(record.arrays.len()),
    });
    let code = code_fetched(machine, record.code_bytes);
    let mut begins = begins(machine);
    let arrays = record.arrays.iter().map(|array| {
        if !is_started(array) {
            return None;
        }
        let code_memory = layout.code.into();
        Some(ArrayState::new(
            array.array,
            &array.steps,
            begins.next()?,
            code_memory,
            code,
            &resources,
            timeline,
        ))
    });
    let mut arrays: Vec<_> = arrays.collect();
    let mut events = Events::of(&arrays);
    while events.process(&mut resources, &mut arrays).is_some() {}
    let volume = record.volume(machine.memory.port.line.value);
    let numbers = record.arrays.iter().map(|array| array.array);
    let arrays = arrays.into_iter();
    let progress = arrays.map(|array| array.map(|array| array.progress));
    let transfers = timeline.map(|timeline| resources.end_timeline(timeline.number));
    timing(machine, numbers, progress.collect(), &volume, transfers)
}

/// The events that have not been processed.
pub struct Events(BinaryHeap<Event>);

impl Events {
    /// The begins of arrays.
    pub fn of(arrays: &[Option<ArrayState<'_>>]) -> Self {
        let numbered = (0..).zip(arrays);
        let begins = numbered.filter_map(|(number, array)| {
            let begin = array.as_ref()?.progress.begin;
            Some(Reverse((begin, number, 0)))
        });
        Self(begins.collect())
    }

    /// Without events.
    pub fn none() -> Self {
        Self(BinaryHeap::new())
    }

    /// Whether there is an event of the array at a place, or of its channels.
    pub fn has_of(&self, place: usize) -> bool {
        let mut all = self.0.iter();
        all.any(|Reverse((_, number, _))| *number as usize == place)
    }

    /// Adds an event of the array at a place.
    pub fn add(&mut self, time: Cycles, place: usize) {
        self.0.push(Reverse((time, place as u32, 0)));
    }

    /// The time of the next event.
    pub fn next_time(&self) -> Option<Cycles> {
        self.0.peek().map(|Reverse((time, ..))| *time)
    }

    /// Processes the next event, if there is one; its time, and the place of its array.
    pub fn process(
        &mut self,
        resources: &mut ClusterResources<'_>,
        arrays: &mut [Option<ArrayState<'_>>],
    ) -> Option<(Cycles, usize)> {
        let events = &mut self.0;
        let &Reverse((now, number, target)) = events.peek()?;
        let place = number as usize;
        let Some(array) = &mut arrays[place] else {
            events.pop();
            return Some((now, place));
        };
        let next = match target {
            0 => array.advance(now, resources),
            channel => array.advance_channel(channel - 1, now, resources),
        };
        match (next, events.peek_mut()) {
            (Some(time), Some(mut first)) => *first = Reverse((time, number, target)),
            (None, Some(first)) => drop(PeekMut::pop(first)),
            (_, None) => {}
        }
        for (time, woken) in array.woken.drain(..) {
            events.push(Reverse((time, number, woken)));
        }
        Some((now, place))
    }
}

/// The timing of arrays of these numbers, all of which have ended; those that were not started have no
/// progress. With the transfers of a timeline, if wanted.
pub fn timing(
    machine: &Machine,
    numbers: impl Iterator<Item = u64>,
    mut arrays: Vec<Option<ArrayProgress>>,
    volume: &Volume,
    transfers: Option<Vec<TransferSlice>>,
) -> LaunchTiming {
    let timeline = transfers.is_some();
    let clock = machine.clock();
    let started = || arrays.iter().flatten();
    let start = started().map(|array| array.begin).min();
    let start = start.unwrap_or_else(|| clock.cycles(machine.launch.time_to_start(0)));
    let last = started().map(|array| array.end).max().unwrap_or(start);
    let count = started().count() as u64;
    let complete = clock.cycles(machine.launch.time_to_complete(count));
    let mut transferred_on_chip = volume.transferred_lines;
    let transferred_lines = std::mem::take(&mut transferred_on_chip[SharedMemory::Ddr as usize]);
    let mut timing = LaunchTiming {
        start,
        end: last.saturating_add(complete),
        traffic: volume.traffic,
        transfers: volume.transfers,
        transferred: volume.transferred,
        transferred_lines,
        transferred_on_chip,
        locks: volume.locks,
        transfer_slices: transfers.unwrap_or_default(),
        arrays: Vec::with_capacity(arrays.len()),
        ..LaunchTiming::default()
    };
    for (array, progress) in numbers.zip(&mut arrays) {
        match progress {
            Some(progress) => add_array(array, progress, last, &mut timing),
            None => add_idle_array(array, timeline, &mut timing),
        }
    }
    timing
}

/// Adds the timing of an array that was started; `last` is the end of the last array.
fn add_array(number: u64, progress: &mut ArrayProgress, last: Cycles, timing: &mut LaunchTiming) {
    let (begin, done, end) = (progress.begin, progress.end, timing.end);
    timing.code_fetch += progress
        .fetched
        .map_or(Cycles::ZERO, |fetched| fetched - begin);
    let waits = &progress.account.dma_waits;
    if timing.dma_waits.len() < waits.len() {
        timing.dma_waits.resize(waits.len(), Cycles::ZERO);
    }
    for (sum, cycles) in timing.dma_waits.iter_mut().zip(waits) {
        *sum += *cycles;
    }
    let mut cycles = progress.account.cycles;
    cycles[Activity::Launch] += begin + (end - last);
    cycles[Activity::Idle] += last - done;
    timing.arrays.push(ArrayTiming {
        array: number,
        begin,
        end: done,
        cycles,
    });
    if let Some(pieces) = progress.account.timeline.take() {
        let slice = |activity, from, to| activity_timeline::slice(number, activity, from, to);
        timing
            .slices
            .extend(slice(Activity::Launch, Cycles::ZERO, begin));
        timing.slices.extend(pieces.slices(number));
        timing.slices.extend(slice(Activity::Idle, done, last));
        timing.slices.extend(slice(Activity::Launch, last, end));
    }
}

/// Adds the timing of an array that was not started.
fn add_idle_array(number: u64, timeline: bool, timing: &mut LaunchTiming) {
    timing.arrays.push(ArrayTiming {
        array: number,
        cycles: CyclesByActivity::single(Activity::Idle, timing.end),
        ..ArrayTiming::default()
    });
    if timeline {
        let idle = activity_timeline::slice(number, Activity::Idle, Cycles::ZERO, timing.end);
        timing.slices.extend(idle);
    }
}

/// When the arrays of a launch begin, in the order in which they are started.
pub fn begins(machine: &Machine) -> impl Iterator<Item = Cycles> {
    let (clock, launch) = (machine.clock(), &machine.launch);
    (1..).map(move |count| clock.cycles(launch.time_to_start(count)))
}

/// Whether an array has groups to run; only these are started.
fn is_started(array: &ArrayRecord) -> bool {
    array.groups > 0 || !array.steps.is_empty()
}

/// Bytes of code that an array fetches when it begins. Code larger than the program cache has its
/// fetches among the costs of its blocks.
pub fn code_fetched(machine: &Machine, code: u64) -> u64 {
    match code <= machine.memory.l1p.size.value {
        true => code,
        false => 0,
    }
}
