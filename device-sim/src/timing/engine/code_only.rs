//! The simulation of launches that only run code, as most do: without DMA, the state of an array is its
//! segment.

use super::array_progress::ArrayProgress;
use super::cluster_resources::ClusterResources;
use super::code_segment::CodeSegment;
use super::cycle_account::CycleAccount;
use super::simulation;
use crate::machine::{CodeStackLayout, Machine};
use crate::timing::launch_record::{SegmentWork, Volume};
use crate::timing::launch_timing::LaunchTiming;
use crate::units::Cycles;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// What an array runs.
pub struct ArrayCode<S> {
    /// Its number in the cluster.
    pub array: u64,
    /// The work of consecutive segments, each with its number of repetitions; none if the array is not
    /// started.
    pub segments: Option<S>,
}

/// An array that has been started.
struct RunningArray<S> {
    progress: ArrayProgress,
    segment: CodeSegment,
    /// Segments that have not begun.
    segments: S,
}

/// Computes the timing of a launch without a timeline, as `simulation::run`. `volume` is that of all
/// segments, `code_bytes` are fetched by each array first.
pub fn run<S: Iterator<Item = (SegmentWork, u64)>>(
    machine: &Machine,
    layout: &CodeStackLayout,
    arrays: impl Iterator<Item = ArrayCode<S>>,
    volume: &Volume,
    code_bytes: u64,
) -> LaunchTiming {
    let mut resources = ClusterResources::idle(machine);
    resources.expect(volume);
    let fetch = simulation::code_fetched(machine, code_bytes);
    let fetch = CodeSegment::of_fetch(layout.code.into(), fetch, &resources);
    let mut begins = simulation::begins(machine);
    let (numbers, mut arrays): (Vec<u64>, Vec<_>) = arrays
        .map(|code| {
            let array = code.segments.and_then(|segments| {
                Some(RunningArray {
                    progress: ArrayProgress::new(begins.next()?, CycleAccount::default()),
                    segment: fetch.clone(),
                    segments,
                })
            });
            (code.array, array)
        })
        .unzip();
    // The next event of each array; those of equal times in the order of the arrays.
    let begins = (0..).zip(&arrays).filter_map(|(place, array)| {
        let begin = array.as_ref()?.progress.begin;
        Some(Reverse((begin, place)))
    });
    let mut events: BinaryHeap<Reverse<(Cycles, usize)>> = begins.collect();
    while let Some(mut first) = events.peek_mut() {
        let Reverse((now, place)) = *first;
        let array = arrays[place].as_mut();
        match array.and_then(|array| array.advance(now, &mut resources)) {
            Some(until) => *first = Reverse((until, place)),
            None => drop(PeekMut::pop(first)),
        }
    }
    let progress = arrays
        .into_iter()
        .map(|array| array.map(|array| array.progress));
    let numbers = numbers.into_iter();
    simulation::timing(machine, numbers, progress.collect(), volume, None)
}

impl<S: Iterator<Item = (SegmentWork, u64)>> RunningArray<S> {
    /// Advances to `now`; the time of the next event, or None if the array has ended.
    fn advance(&mut self, now: Cycles, resources: &mut ClusterResources<'_>) -> Option<Cycles> {
        let Self {
            progress,
            segment,
            segments,
        } = self;
        loop {
            let until = segment.advance(now, resources, &mut progress.account);
            if until.is_some() {
                return until;
            }
            progress.fetched.get_or_insert(now);
            let Some((work, repetitions)) = segments.next() else {
                progress.end = now;
                return None;
            };
            segment.begin(&work, repetitions, resources);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, LaunchRecord};

    /// A pseudo-random number below `limit`.
    fn random(state: &mut u64, limit: u64) -> u64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % limit
    }

    /// A launch of a few arrays with segments that compete for memories, and for a lock.
    fn launch(mut seed: u64) -> LaunchRecord {
        let state = &mut seed;
        let work = |state: &mut u64| SegmentWork {
            compute: random(state, 1000),
            scratchpad: random(state, 100),
            outside: random(state, 300),
            barrier: random(state, 20),
            traffic: [random(state, 2) * random(state, 1 << 16), 0, 0]
                .map(|bytes| bytes + random(state, 1 << 14)),
            locks: match random(state, 3) {
                0 => vec![(1, random(state, 4))],
                _ => Vec::new(),
            },
        };
        let arrays = (0..1 + random(state, 24)).map(|array| {
            let steps = (0..random(state, 10)).map(|_| {
                let step = GroupSteps::One(GroupStep::Run(work(state)));
                (step, 1 + random(state, 3))
            });
            let steps: Vec<_> = steps.collect();
            ArrayRecord {
                array: 2 * array,
                groups: steps.len() as u64,
                steps,
            }
        });
        LaunchRecord {
            arrays: arrays.collect(),
            code_bytes: random(state, 1 << 17),
        }
    }

    #[test]
    fn launches_that_only_run_code_take_as_long_as_in_the_whole_simulation() {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        for seed in 0..200 {
            let record = launch(seed);
            let volume = record.volume(machine.memory.port.line.value);
            let arrays = record.arrays.iter().map(|array| {
                let segments = array.steps.iter().map(|(steps, times)| match &steps[..] {
                    [GroupStep::Run(work)] => (work.clone(), *times),
                    others => panic!("{others:?}"),
                });
                ArrayCode {
                    array: array.array,
                    segments: (array.groups > 0).then_some(segments),
                }
            });
            let timing = run(&machine, &layout, arrays, &volume, record.code_bytes);
            let expected = simulation::run(&machine, &layout, &record, false);
            assert_eq!(timing, expected, "launch {seed}");
        }
    }
}
