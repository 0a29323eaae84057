//! When everything of a launch happens: puts what the arrays did (`record`) on one time axis
//! (`outcome`), where they compete for the cluster's memories and locks.
//!
//! Events are taken in the order of their times, and of the arrays' numbers where these are the
//! same. All numbers are integers. The same record always gives the same outcome.

mod activity_timeline;
mod array;
mod channels;
mod code_segment;
mod cycle_account;
mod server;

use super::cost::SharedMemory;
use super::launch_record::{ArrayRecord, GroupStep, LaunchRecord, SegmentWork};
use super::launch_timing::{Activity, ArrayTiming, LaunchTiming, TransferSlice};
use crate::layout::Layout;
use crate::machine::{CodePlace, Machine};
use array::ArrayState;
use cycle_account::spent;
use server::Server;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Into how many pieces the traffic of a launch is cut at most, beside what steps divide; and as
/// many for locks.
const PIECES: u64 = 1 << 11;

/// Bytes that are not cut: others wait for them no longer than for an answer of DDR.
const LEAST_PIECE: u64 = 1 << 13;

/// Most DMA transfers of a launch in a timeline: the first ones.
const TRANSFER_SLICES: usize = 1 << 14;

/// What the arrays compete for, and what using it costs.
struct ClusterResources<'a> {
    machine: &'a Machine,
    memories: [Server; 3],
    locks: Vec<Server>,
    /// Most bytes that are asked for at once.
    piece: u64,
    /// As often a lock is taken at once at most.
    lock_piece: u64,
    /// If a timeline is wanted.
    transfers: Option<Vec<TransferSlice>>,
}

/// When something happens, on which array of the launch, and there to the array itself (0) or
/// to one of its channels (from 1 on).
type Event = Reverse<(u64, u32, u32)>;

/// Computes when everything of a launch happens, in cycles since the command was handed to the
/// device; with a timeline, if wanted.
///
/// An array that has run no group was not started: it begins and ends at 0, idle all the time.
pub fn run(
    machine: &Machine,
    layout: &Layout,
    record: &LaunchRecord,
    timeline: bool,
) -> LaunchTiming {
    let mut shared = ClusterResources::new(machine, record, timeline);
    let slices_each = timeline.then(|| activity_timeline::limit(record.arrays.len()));
    let mut arrays = Vec::with_capacity(record.arrays.len());
    let mut started = 0;
    for array in &record.arrays {
        let begin = is_started(array).then(|| {
            started += 1;
            machine.cycles(machine.launch.nanoseconds_to_start(started))
        });
        let code = code_fetched(machine, record.code_bytes);
        arrays.push(begin.map(|begin| {
            ArrayState::new(array, begin, code_place(layout), code, &shared, slices_each)
        }));
    }
    let begins = arrays.iter().flatten().map(|array| array.begin);
    let start = begins
        .min()
        .unwrap_or_else(|| machine.cycles(machine.launch.nanoseconds_to_start(0)));
    simulate(&mut shared, &mut arrays);
    let last = arrays.iter().flatten().map(|array| array.end).max();
    let last = last.unwrap_or(start);
    let complete = machine.cycles(machine.launch.nanoseconds_to_complete(started));
    let end = last.saturating_add(complete);
    let mut timing = LaunchTiming {
        start,
        end,
        ..LaunchTiming::default()
    };
    for (array, state) in record.arrays.iter().zip(arrays) {
        finish(array, state, last, &mut timing, timeline);
        sum(array, &mut timing);
    }
    if let Some(mut transfers) = shared.transfers {
        transfers.sort_by_key(|slice| (slice.begin, slice.array, slice.channel));
        timing.transfer_slices = transfers;
    }
    timing
}

/// Lets all events happen.
fn simulate(shared: &mut ClusterResources<'_>, arrays: &mut [Option<ArrayState<'_>>]) {
    let mut events: BinaryHeap<Event> = BinaryHeap::new();
    for (number, array) in (0..).zip(arrays.iter()) {
        let begin = array.as_ref().map(|array| array.begin);
        events.extend(begin.map(|begin| Reverse((begin, number, 0))));
    }
    while let Some(&Reverse((now, number, place))) = events.peek() {
        let Some(array) = &mut arrays[number as usize] else {
            events.pop();
            continue;
        };
        let next = match place {
            0 => array.advance(now, shared),
            channel => array.advance_channel(channel - 1, now, shared),
        };
        match (next, events.peek_mut()) {
            (Some(time), Some(mut first)) => *first = Reverse((time, number, place)),
            (None, Some(first)) => drop(PeekMut::pop(first)),
            (_, None) => {}
        }
        for (time, woken) in array.woken.drain(..) {
            events.push(Reverse((time, number, woken)));
        }
    }
}

/// Puts what became of an array into the outcome.
fn finish(
    record: &ArrayRecord,
    state: Option<ArrayState<'_>>,
    last: u64,
    timing: &mut LaunchTiming,
    timeline: bool,
) {
    let end = timing.end;
    let Some(state) = state else {
        timing.arrays.push(ArrayTiming {
            array: record.array,
            shares: spent(Activity::Idle, end),
            ..ArrayTiming::default()
        });
        if timeline {
            let idle = activity_timeline::slice(record.array, Activity::Idle, 0, end);
            timing.slices.extend(idle);
        }
        return;
    };
    let (begin, done) = (state.begin, state.end);
    let mut shares = state.account.shares;
    shares[Activity::Launch as usize] += begin + (end - last);
    shares[Activity::Idle as usize] += last - done;
    timing.arrays.push(ArrayTiming {
        array: record.array,
        begin,
        end: done,
        shares,
    });
    if let Some(pieces) = state.account.timeline {
        let slice = |activity, from, to| activity_timeline::slice(record.array, activity, from, to);
        timing.slices.extend(slice(Activity::Launch, 0, begin));
        timing.slices.extend(pieces.slices(record.array));
        timing.slices.extend(slice(Activity::Idle, done, last));
        timing.slices.extend(slice(Activity::Launch, last, end));
    }
}

/// Adds what an array did to what all have done.
fn sum(record: &ArrayRecord, timing: &mut LaunchTiming) {
    for (steps, times) in &record.steps {
        for step in steps.iter() {
            match step {
                GroupStep::Run(work) => sum_work(work, *times, timing),
                GroupStep::Transfer {
                    times: in_a_row,
                    between,
                    rows,
                    row_bytes,
                    ..
                } => {
                    sum_work(between, *times, timing);
                    let times = times.saturating_mul(*in_a_row);
                    let bytes = rows.saturating_mul(*row_bytes).saturating_mul(times);
                    timing.transfers = timing.transfers.saturating_add(times);
                    timing.transferred = timing.transferred.saturating_add(bytes);
                }
                GroupStep::Wait { .. } => {}
            }
        }
    }
}

/// Adds what code did so often.
fn sum_work(work: &SegmentWork, times: u64, timing: &mut LaunchTiming) {
    for (sum, bytes) in timing.traffic.iter_mut().zip(work.traffic) {
        *sum = sum.saturating_add(bytes.saturating_mul(times));
    }
    for (_, taken) in &work.locks {
        timing.locks = timing.locks.saturating_add(taken.saturating_mul(times));
    }
}

/// An array without groups is not started.
fn is_started(array: &ArrayRecord) -> bool {
    array.groups > 0 || !array.steps.is_empty()
}

/// Bytes of code that an array fetches when it begins. Code that does not fit into the program
/// cache has its fetches among the costs of its blocks.
fn code_fetched(machine: &Machine, code: u64) -> u64 {
    match code <= machine.memory.l1p.size.value {
        true => code,
        false => 0,
    }
}

/// Memory in which code is.
fn code_place(layout: &Layout) -> SharedMemory {
    match layout.code {
        CodePlace::Ddr => SharedMemory::Ddr,
        CodePlace::Gsm => SharedMemory::Gsm,
    }
}

impl<'a> ClusterResources<'a> {
    fn new(machine: &'a Machine, record: &LaunchRecord, timeline: bool) -> Self {
        let mut all = LaunchTiming::default();
        for array in &record.arrays {
            sum(array, &mut all);
        }
        let traffic = all
            .traffic
            .iter()
            .fold(0, |sum: u64, &bytes| sum.saturating_add(bytes));
        let clock = machine.clusters.clock.value;
        let memory = |memory| Server::new(clock, machine.memory.shared(memory).bandwidth.value);
        let lock = Server::new(machine.locks.occupied(), 1);
        let locks = machine.clusters.read_write_locks.value.clamp(1, 1 << 16);
        Self {
            machine,
            memories: SharedMemory::ALL.map(memory),
            locks: vec![lock; locks as usize],
            piece: LEAST_PIECE.max(traffic.saturating_add(all.transferred) / PIECES),
            lock_piece: (all.locks / PIECES).max(1),
            transfers: timeline.then(Vec::new),
        }
    }

    fn latency(&self, memory: SharedMemory) -> u64 {
        self.machine.memory.shared(memory).latency.value
    }
}

#[cfg(test)]
mod tests;
