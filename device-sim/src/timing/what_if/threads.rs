//! Changes of launches whose arrays execute a thread each, as those of hthreads do. The arrays are simulated
//! without waits for each other: what a change saves is the difference between two such simulations.

use super::other_steps::is_load;
use super::transfer_changes::through_local_memory;
use super::{Alternative, Change};
use crate::machine::{CodeStackLayout, Machine};
use crate::timing::engine;
use crate::timing::launch_record::{ArrayRecord, GroupStep, LaunchRecord, SegmentWork};
use crate::timing::launch_timing::{Activity, LaunchTiming};
use crate::units::Cycles;

/// Most steps of a launch that are kept.
const MOST_STEPS: usize = 1 << 16;

/// Numbers of events that a thread uses: its channels, from 1.
const EVENTS: u32 = 21;

/// The steps of a launch's threads.
#[derive(Debug)]
pub struct ThreadSteps {
    /// By thread; none if there are too many.
    steps: Option<Vec<Vec<GroupStep>>>,
    kept: usize,
}

impl ThreadSteps {
    /// Of that many threads, which have done nothing.
    pub fn new(threads: usize) -> Self {
        Self {
            steps: Some(vec![Vec::new(); threads]),
            kept: 0,
        }
    }

    /// Adds what a thread does next.
    pub fn add(&mut self, thread: usize, steps: &[GroupStep]) {
        self.kept += steps.len();
        if self.kept > MOST_STEPS {
            self.steps = None;
        }
        let own = self.steps.as_mut().and_then(|all| all.get_mut(thread));
        if let Some(own) = own {
            own.extend_from_slice(steps);
        }
    }

    /// The changes with which a launch that ends at `end` would end earlier; none if there were too many steps.
    /// Threads run on arrays of these numbers, each of which fetches `code_bytes` of code.
    pub fn alternatives(
        self,
        machine: &Machine,
        layout: &CodeStackLayout,
        arrays: &[u64],
        code_bytes: u64,
        end: Cycles,
    ) -> Vec<Alternative> {
        let Some(steps) = self.steps else {
            return Vec::new();
        };
        let array = |(array, steps): (&u64, Vec<GroupStep>)| ArrayRecord {
            array: *array,
            steps: vec![(steps.into(), 1)],
            groups: 1,
        };
        let record = LaunchRecord {
            arrays: arrays.iter().zip(steps).map(array).collect(),
            code_bytes,
        };
        let run = |record: &LaunchRecord| engine::run(machine, layout, record, false);
        let before = run(&record);
        let changed = |change| match change {
            Change::Dma => Some(run(&through_local_memory(machine, &record)?).end),
            Change::DoubleBuffered => Some(run(&overlapped(&record)?).end),
            Change::Balanced => Some(balanced(&before)),
            _ => None,
        };
        let all = Change::ALL.into_iter().filter_map(|change| {
            let saved = before.end.saturating_sub(changed(change)?);
            (saved > Cycles::ZERO).then(|| Alternative {
                change,
                end: end.saturating_sub(saved),
                copies: Vec::new(),
            })
        });
        all.collect()
    }
}

/// The end if all arrays worked as long as they do on average. Their starts and ends stay.
fn balanced(timing: &LaunchTiming) -> Cycles {
    let arrays = timing.arrays.iter();
    let work = arrays.map(|array| {
        let without = array.cycles[Activity::Idle] + array.cycles[Activity::Launch];
        array.cycles.total() - without
    });
    let (sum, most) = work.fold((0, 0), |(sum, most): (u64, u64), work| {
        (sum + work.0, most.max(work.0))
    });
    let mean = sum.div_ceil(timing.arrays.len().max(1) as u64);
    timing.end.saturating_sub(Cycles(most - mean))
}

/// Transfers into the core start before the code that computes on those before, in buffers of their own.
/// None if none starts earlier.
fn overlapped(record: &LaunchRecord) -> Option<LaunchRecord> {
    let mut changed = record.clone();
    let mut is_changed = false;
    for (steps, _) in changed.arrays.iter_mut().flat_map(|array| &mut array.steps) {
        let (earlier, moved) = with_earlier_loads(steps);
        *steps = earlier.into();
        is_changed |= moved;
    }
    is_changed.then_some(changed)
}

/// The steps with loads in front of the computation before them; whether one moved. A thread does not start
/// them before a barrier that precedes them.
fn with_earlier_loads(steps: &[GroupStep]) -> (Vec<GroupStep>, bool) {
    let least = mean_computation(steps);
    let mut events = LoadEvents::default();
    let mut result: Vec<GroupStep> = Vec::with_capacity(steps.len());
    // Where the last computation is in the result.
    let mut computation = None;
    let mut is_changed = false;
    for step in steps {
        let step = events.renamed(step.clone());
        match &step {
            GroupStep::Run(work) if work.cycles() >= least => computation = Some(result.len()),
            GroupStep::Spend { .. } => computation = None,
            step if is_load(step) => {
                if let Some(place) = &mut computation {
                    result.insert(*place, step.clone());
                    *place += 1;
                    is_changed = true;
                    continue;
                }
            }
            _ => (),
        }
        result.push(step);
    }
    (result, is_changed)
}

/// Code of at least that many cycles counts as computation, less as what prepares transfers: the mean.
fn mean_computation(steps: &[GroupStep]) -> u64 {
    let cycles = steps.iter().filter_map(|step| match step {
        GroupStep::Run(work) => Some(SegmentWork::cycles(work)),
        _ => None,
    });
    let (sum, count) = cycles.fold((0u64, 0u64), |(sum, count), cycles| {
        (sum.saturating_add(cycles), count + 1)
    });
    sum.div_ceil(count.max(1)).max(1)
}

/// Numbers of the events of loads: a load may start while the one before on its channel is waited for.
#[derive(Default)]
struct LoadEvents {
    /// By channel's event: whether its last transfer was a load, and how many loads there were.
    last: [(bool, u32); EVENTS as usize],
}

impl LoadEvents {
    /// The step with the number that its event has now.
    fn renamed(&mut self, mut step: GroupStep) -> GroupStep {
        let loads = is_load(&step);
        if let GroupStep::Transfer { event, .. } = &mut step
            && let Some((is_load, count)) = self.last.get_mut(*event as usize)
        {
            *is_load = loads;
            *count += u32::from(loads);
            *event = Self::number(*event, loads, *count);
        } else if let GroupStep::Wait { event, .. } = &mut step
            && let Some((is_load, count)) = self.last.get(*event as usize)
        {
            *event = Self::number(*event, *is_load, *count);
        }
        step
    }

    fn number(event: u32, is_load: bool, count: u32) -> u32 {
        match is_load {
            true => event + EVENTS * (1 + count % 2),
            false => event,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::SharedMemory;

    fn transfer(to_scratchpad: bool) -> GroupStep {
        GroupStep::Transfer {
            times: 1,
            between: SegmentWork::default(),
            event: 1,
            rows: 1,
            row_bytes: 64 << 10,
            to_scratchpad,
            memory: SharedMemory::Ddr,
            second: None,
            sites: [].into(),
        }
    }

    fn wait() -> GroupStep {
        GroupStep::Wait { event: 1, site: 0 }
    }

    fn compute(cycles: u64) -> GroupStep {
        GroupStep::Run(SegmentWork {
            compute: cycles,
            ..SegmentWork::default()
        })
    }

    /// A thread that loads, computes and stores, a part after the other.
    fn parts(count: usize, cycles: u64) -> Vec<GroupStep> {
        let part = [
            transfer(true),
            compute(1),
            wait(),
            compute(cycles),
            transfer(false),
            compute(1),
            wait(),
        ];
        std::iter::repeat_n(part, count).flatten().collect()
    }

    fn saved(threads: &[Vec<GroupStep>]) -> Vec<(Change, u64)> {
        let machine = Machine::mt3000();
        let mut all = ThreadSteps::new(threads.len());
        for (thread, steps) in threads.iter().enumerate() {
            all.add(thread, steps);
        }
        let arrays: Vec<u64> = (0..threads.len() as u64).collect();
        let layout = CodeStackLayout::from(&machine.layout);
        let end = Cycles(1 << 40);
        let found = all.alternatives(&machine, &layout, &arrays, 1000, end);
        let saved = |one: &Alternative| (one.change, (end - one.end).0);
        found.iter().map(saved).collect()
    }

    #[test]
    fn loads_overlap_the_computation_before_them() {
        let (steps, is_changed) = with_earlier_loads(&parts(2, 100));
        assert!(is_changed);
        let kinds: Vec<String> = steps
            .iter()
            .map(|step| match step {
                GroupStep::Run(work) => format!("run {}", work.compute),
                GroupStep::Transfer { event, .. } => format!("transfer {event}"),
                GroupStep::Wait { event, .. } => format!("wait {event}"),
                GroupStep::Spend { .. } => "spend".into(),
            })
            .collect();
        let expected = "transfer 43, run 1, wait 43, transfer 22, run 100, transfer 1, run 1, wait 1, run 1, \
                        wait 22, run 100, transfer 1, run 1, wait 1";
        assert_eq!(kinds.join(", "), expected);
        let barrier = GroupStep::Spend {
            activity: Activity::Barrier,
            cycles: 10,
        };
        let one = parts(1, 100);
        let apart = [one.clone(), vec![barrier], one].concat();
        assert!(!with_earlier_loads(&apart).1, "a barrier is between them");
    }

    #[test]
    fn what_a_change_saves_is_that_of_its_steps() {
        // Ten of eleven loads overlap; one takes about 4,360 cycles.
        let one = saved(&[parts(11, 10_000)]);
        let [(Change::DoubleBuffered, cycles)] = one[..] else {
            panic!("{one:?}");
        };
        assert!((43_000..=44_500).contains(&cycles), "{cycles}");
        // The second array has nothing to do half of the time.
        let two = saved(&[vec![compute(40_000)], vec![compute(20_000)]]);
        let [(Change::Balanced, cycles)] = two[..] else {
            panic!("{two:?}");
        };
        assert!((9_000..=11_000).contains(&cycles), "{cycles}");
        assert_eq!(saved(&[vec![compute(5)]]), []);
    }

    #[test]
    fn too_many_steps_have_no_alternatives() {
        let steps = parts(MOST_STEPS / 7 + 1, 10_000);
        assert_eq!(saved(&[steps]), []);
    }
}
