//! Predicts the timing of a launch from a sample of its work-groups, without simulating how the arrays
//! compete: an analytic twin of `engine`.
//!
//! One array performs the sample alone; that is simulated, since transfers overlap with code. A group of
//! the launch takes the mean of the sample's, or of those of its class (`group_sample`). What the arrays
//! share is a fluid: those that run at a time request each memory and lock at constant rates, and all of
//! them slow down in proportion where the sum exceeds what the resource serves.

use super::cost::KernelCost;
use super::engine;
use super::launch_record::{GroupStep, LaunchRecord, SegmentWork, Volume};
use super::launch_report::LaunchReport;
use super::launch_sizes::LaunchSizes;
use super::launch_timing::{Activity, ArrayTiming, CyclesByActivity, LaunchTiming};
use crate::array_range::ArrayRange;
use crate::machine::{CodeStackLayout, Machine, SharedMemory};
use crate::units::{Bytes, Cycles};
use std::collections::BTreeMap;

/// Work-groups of a class of a launch's groups, of which one array has performed a few.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What the array did.
    pub record: LaunchRecord,
    /// The sums of all counters (`KernelCost::counters`).
    pub counts: Vec<u64>,
    /// Work-groups that it performed; not 0.
    pub sampled: u64,
    /// Work-groups of the class.
    pub groups: u64,
}

impl Sample {
    /// A sum over the sample, scaled to `groups` work-groups.
    fn scaled(&self, sum: u64, groups: u64) -> u64 {
        let scaled = u128::from(sum) * u128::from(groups) / u128::from(self.sampled.max(1));
        scaled.try_into().unwrap_or(u64::MAX)
    }

    /// A sum over the sample, scaled to the class.
    fn of_class(&self, sum: u64) -> u64 {
        self.scaled(sum, self.groups)
    }
}

/// What a class of groups does on an array that has the machine for itself.
struct Class<'a> {
    sample: &'a Sample,
    timing: LaunchTiming,
    volume: Volume,
    needs: BTreeMap<Resource, Need>,
}

/// What the arrays of a launch share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    /// A memory, as an index.
    Memory(usize),
    /// A lock, as its number.
    Lock(u32),
}

/// Cycles that a resource needs to serve an array.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// What arrays do while they wait for it.
    activity: Activity,
    /// For one group.
    of_group: f64,
    /// For what an array requests once.
    of_array: f64,
}

/// An array of a prediction.
struct PredictedArray<'a> {
    timing: ArrayTiming,
    groups: u64,
    class: &'a Class<'a>,
}

/// The report of a launch of these sizes on these arrays, of whose groups there is a sample of each
/// class; group `n` is of class `n` modulo their number.
pub fn report(
    machine: &Machine,
    layout: &CodeStackLayout,
    cost: &KernelCost,
    (samples, arrays): (&[Sample], ArrayRange),
    sizes: &LaunchSizes,
) -> LaunchReport {
    let mut counts = vec![0u64; cost.counters as usize];
    for sample in samples {
        for (sum, count) in counts.iter_mut().zip(&sample.counts) {
            *sum = sum.saturating_add(sample.of_class(*count));
        }
    }
    let timing = predict(machine, layout, samples, arrays);
    LaunchReport::new(cost, timing, sizes, &counts)
}

/// The timing of a launch.
fn predict(
    machine: &Machine,
    layout: &CodeStackLayout,
    samples: &[Sample],
    range: ArrayRange,
) -> LaunchTiming {
    let classes: Vec<Class<'_>> = samples
        .iter()
        .map(|sample| Class::new(machine, layout, sample))
        .collect();
    let groups: u64 = samples.iter().map(|sample| sample.groups).sum();
    let clock = machine.clock();
    let used = range.count().min(groups);
    let begin = |place: u64| clock.cycles(machine.launch.time_to_start(place));
    let mut arrays = Vec::with_capacity(used as usize);
    let of_places = classes.iter().cycle();
    for ((place, array), class) in (0..used).zip(range.numbers()).zip(of_places) {
        let groups = (groups - place).div_ceil(range.count());
        let timing = ArrayTiming {
            array,
            begin: begin(place + 1),
            end: Cycles::ZERO,
            cycles: class.own_cycles(groups),
        };
        arrays.push(PredictedArray {
            timing,
            groups,
            class,
        });
    }
    let (delayed, activity) = delays(&arrays);
    let mut arrays: Vec<ArrayTiming> = arrays.into_iter().map(|array| array.timing).collect();
    for (array, delay) in arrays.iter_mut().zip(delayed) {
        array.cycles[activity] += delay;
        array.end = array.begin.saturating_add(array.cycles.total());
    }
    let start = begin(u64::from(used > 0));
    let last = arrays.iter().map(|array| array.end).max().unwrap_or(start);
    let complete = clock.cycles(machine.launch.time_to_complete(used));
    let end = last.saturating_add(complete);
    for array in &mut arrays {
        array.cycles[Activity::Launch] += array.begin + (end - last);
        array.cycles[Activity::Idle] += last - array.end;
    }
    let unused = range.numbers().skip(used as usize);
    arrays.extend(unused.map(|array| ArrayTiming {
        array,
        cycles: CyclesByActivity::single(Activity::Idle, end),
        ..ArrayTiming::default()
    }));
    let mut timing = LaunchTiming {
        start,
        end,
        arrays,
        ..LaunchTiming::default()
    };
    for (number, class) in (0..).zip(&classes) {
        let arrays = used.saturating_sub(number).div_ceil(classes.len() as u64);
        class.add_sums(arrays, &mut timing);
    }
    timing
}

impl<'a> Class<'a> {
    fn new(machine: &Machine, layout: &CodeStackLayout, sample: &'a Sample) -> Self {
        let volume = sample.record.volume(machine.memory.port.line.value);
        Self {
            sample,
            timing: engine::run(machine, layout, &sample.record, false),
            needs: needs(machine, layout, sample, &volume),
            volume,
        }
    }

    /// What an array spends on `groups` groups that it does not share resources for.
    fn own_cycles(&self, groups: u64) -> CyclesByActivity {
        let mut cycles = CyclesByActivity::default();
        let Some(array) = self.timing.arrays.first() else {
            return cycles;
        };
        for (activity, sampled) in array.cycles.iter() {
            if matches!(activity, Activity::Launch | Activity::Idle) {
                continue;
            }
            // The code is fetched once.
            let once = match activity {
                Activity::Memory => self.timing.code_fetch.min(sampled),
                _ => Cycles::ZERO,
            };
            let scaled = self.sample.scaled((sampled - once).0, groups);
            cycles[activity] = once.saturating_add(Cycles(scaled));
        }
        cycles
    }

    /// Adds what does not belong to one array: sums over the groups of the class, and the code that its
    /// arrays fetch.
    fn add_sums(&self, arrays: u64, timing: &mut LaunchTiming) {
        let of_class = |sum: u64| self.sample.of_class(sum);
        let bytes = |sum: &mut Bytes, sampled: Bytes| {
            *sum = sum.saturating_add(Bytes(of_class(sampled.0)));
        };
        let volume = &self.volume;
        for (sum, sampled) in timing.traffic.iter_mut().zip(volume.traffic) {
            bytes(sum, sampled);
        }
        timing.transfers = timing.transfers.saturating_add(of_class(volume.transfers));
        bytes(&mut timing.transferred, volume.transferred);
        let mut on_chip = volume.transferred_lines;
        let lines = std::mem::take(&mut on_chip[SharedMemory::Ddr as usize]);
        bytes(&mut timing.transferred_lines, lines);
        for (sum, sampled) in timing.transferred_on_chip.iter_mut().zip(on_chip) {
            bytes(sum, sampled);
        }
        timing.locks = timing.locks.saturating_add(of_class(volume.locks));
        let fetched = self.timing.code_fetch.saturating_mul(arrays);
        timing.code_fetch = timing.code_fetch.saturating_add(fetched);
        let waits = &self.timing.dma_waits;
        if timing.dma_waits.len() < waits.len() {
            timing.dma_waits.resize(waits.len(), Cycles::ZERO);
        }
        for (sum, sampled) in timing.dma_waits.iter_mut().zip(waits) {
            *sum = sum.saturating_add(Cycles(of_class(sampled.0)));
        }
    }
}

/// What the groups of a class and their arrays need, without what takes no time.
fn needs(
    machine: &Machine,
    layout: &CodeStackLayout,
    sample: &Sample,
    volume: &Volume,
) -> BTreeMap<Resource, Need> {
    let sampled = sample.sampled.max(1) as f64;
    let code = engine::code_fetched(machine, sample.record.code_bytes);
    let code_memory = SharedMemory::from(layout.code);
    let memories = SharedMemory::ALL.into_iter().map(|memory| {
        let (traffic, lines) = (
            volume.traffic[memory as usize].0,
            volume.transferred_lines[memory as usize].0,
        );
        let bandwidth = machine.memory.shared(memory).bandwidth.value;
        let cycles = |bytes: u64| {
            bytes as f64 * machine.clusters.clock.value as f64 / bandwidth.max(1) as f64
        };
        let need = Need {
            activity: match lines > traffic {
                true => Activity::DmaWait,
                false => Activity::Memory,
            },
            of_group: cycles(traffic.saturating_add(lines)) / sampled,
            of_array: match memory == code_memory {
                true => cycles(code),
                false => 0.0,
            },
        };
        (Resource::Memory(memory as usize), need)
    });
    let locks = acquisitions(&sample.record);
    let locks = locks.into_iter().map(|(lock, acquired)| {
        let need = Need {
            activity: Activity::LockWait,
            of_group: acquired as f64 * machine.locks.occupied() as f64 / sampled,
            of_array: 0.0,
        };
        (Resource::Lock(lock), need)
    });
    let all = memories.chain(locks);
    all.filter(|(_, need)| need.of_group + need.of_array > 0.0)
        .collect()
}

/// How long the other arrays delay each array, and what most of it is spent on.
fn delays(arrays: &[PredictedArray<'_>]) -> (Vec<Cycles>, Activity) {
    let own: Vec<f64> = arrays
        .iter()
        .map(|array| (array.timing.cycles.total().0 as f64).max(1.0))
        .collect();
    // By resource, with what arrays do while they wait for it: the part of a cycle that each array needs
    // it for, per cycle of its own.
    let mut demands = BTreeMap::<Resource, (Activity, Vec<f64>)>::new();
    for (place, array) in arrays.iter().enumerate() {
        for (resource, need) in &array.class.needs {
            let none = || (need.activity, vec![0.0; arrays.len()]);
            let (_, of_arrays) = demands.entry(*resource).or_insert_with(none);
            of_arrays[place] = (need.of_group * array.groups as f64 + need.of_array) / own[place];
        }
    }
    let mut delays = vec![Cycles::ZERO; arrays.len()];
    let mut limited = CyclesByActivity::default();
    let mut now = 0.0;
    // Cycles of its own that each running array has left.
    let mut running: Vec<(usize, f64)> = Vec::new();
    let mut next = 0;
    while next < arrays.len() || !running.is_empty() {
        let (mut speed, mut activity) = (1.0, None);
        for (waits_for, of_arrays) in demands.values() {
            let demanded: f64 = running.iter().map(|(array, _)| of_arrays[*array]).sum();
            if demanded * speed > 1.0 {
                (speed, activity) = (demanded.recip(), Some(*waits_for));
            }
        }
        let begin = arrays.get(next).map(|array| array.timing.begin.0 as f64);
        let least = running
            .iter()
            .map(|(_, left)| *left)
            .fold(f64::INFINITY, f64::min);
        let until = begin
            .unwrap_or(f64::INFINITY)
            .min(now + least / speed)
            .max(now);
        let progress = (until - now) * speed;
        if let Some(activity) = activity {
            limited[activity] += Cycles((until - now - progress) as u64);
        }
        running.retain_mut(|(array, left)| {
            *left -= progress;
            // Rounding may leave a little, of long launches more than a cycle.
            let is_running = *left > 0.5_f64.max(until * 1e-9);
            if !is_running {
                let elapsed = until - arrays[*array].timing.begin.0 as f64;
                delays[*array] = Cycles((elapsed - own[*array]).max(0.0).round() as u64);
            }
            is_running
        });
        if begin == Some(until) {
            running.push((next, own[next]));
            next += 1;
        }
        now = until;
    }
    (delays, limited.dominant())
}

/// Acquisitions by lock.
fn acquisitions(record: &LaunchRecord) -> BTreeMap<u32, u64> {
    let mut sums = BTreeMap::<u32, u64>::new();
    let mut add = |work: &SegmentWork, times: u64| {
        for (lock, taken) in &work.locks {
            let sum = sums.entry(*lock).or_default();
            *sum = sum.saturating_add(taken.saturating_mul(times));
        }
    };
    for (steps, times) in record.arrays.iter().flat_map(|array| &array.steps) {
        for step in steps.iter() {
            match step {
                GroupStep::Run(work) => add(work, *times),
                GroupStep::Transfer { between, .. } => add(between, *times),
                GroupStep::Wait { .. } | GroupStep::Spend { .. } => {}
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::launch_record::{ArrayRecord, GroupSteps};

    /// A record of `groups` equal groups on each of these arrays.
    fn record(arrays: u64, groups: u64, work: &SegmentWork) -> LaunchRecord {
        let steps = GroupSteps::One(GroupStep::Run(work.clone()));
        LaunchRecord {
            arrays: (0..arrays)
                .map(|array| ArrayRecord {
                    array,
                    steps: vec![(steps.clone(), groups)],
                    groups,
                })
                .collect(),
            code_bytes: 0,
        }
    }

    /// A sample of `sampled` such groups of a class of `groups`.
    fn sample(sampled: u64, work: &SegmentWork, groups: u64) -> Sample {
        Sample {
            record: record(1, sampled, work),
            counts: Vec::new(),
            sampled,
            groups,
        }
    }

    /// Simulated and predicted timing of `groups` such groups on each of 24 arrays.
    fn both(groups: u64, work: &SegmentWork) -> (LaunchTiming, LaunchTiming) {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let simulated = engine::run(&machine, &layout, &record(24, groups, work), false);
        let sample = sample(2, work, 24 * groups);
        let predicted = predict(&machine, &layout, &[sample], ArrayRange::all(24));
        (simulated, predicted)
    }

    #[test]
    fn arrays_that_share_nothing_take_what_they_take_alone() {
        let work = SegmentWork {
            compute: 1000,
            scratchpad: 50,
            ..SegmentWork::default()
        };
        let (simulated, predicted) = both(10, &work);
        assert_eq!(predicted, simulated);
    }

    #[test]
    fn shared_memory_is_a_bound() {
        let mut work = SegmentWork {
            compute: 1000,
            outside: 500,
            ..SegmentWork::default()
        };
        work.traffic[SharedMemory::Ddr as usize] = 100_000;
        let (simulated, predicted) = both(100, &work);
        let apart = simulated.end.0.abs_diff(predicted.end.0);
        assert!(apart * 100 < simulated.end.0, "{simulated:?} {predicted:?}");
        assert_eq!(predicted.traffic, simulated.traffic);
        for array in &predicted.arrays {
            assert_eq!(array.cycles.total(), predicted.end);
            assert_eq!(array.cycles.dominant(), Activity::Memory);
        }
    }

    #[test]
    fn very_long_launches_end() {
        let mut work = SegmentWork {
            compute: 1 << 50,
            ..SegmentWork::default()
        };
        work.traffic[SharedMemory::Ddr as usize] = 1 << 55;
        let (_, predicted) = both(7, &work);
        // 24 arrays of 7 groups, 35.5 bytes in a cycle.
        let expected = 24.0 * 7.0 * (1_u64 << 55) as f64 / 35.5;
        assert!((predicted.end.0 as f64 / expected - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_lock_is_a_bound() {
        let work = SegmentWork {
            compute: 10,
            locks: vec![(3, 20), (4, 1)],
            ..SegmentWork::default()
        };
        let (simulated, predicted) = both(5, &work);
        let apart = simulated.end.0.abs_diff(predicted.end.0);
        assert!(apart * 20 < simulated.end.0, "{simulated:?} {predicted:?}");
        assert_eq!(predicted.locks, simulated.locks);
    }

    #[test]
    fn fewer_groups_than_arrays_leave_arrays_idle() {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let work = SegmentWork {
            compute: 700,
            ..SegmentWork::default()
        };
        let sample = sample(1, &work, 3);
        let mut simulated = record(24, 0, &work);
        for array in &mut simulated.arrays {
            array.steps.truncate(usize::from(array.array < 3));
            array.groups = u64::from(array.array < 3);
            for (_, times) in &mut array.steps {
                *times = 1;
            }
        }
        let simulated = engine::run(&machine, &layout, &simulated, false);
        let predicted = predict(&machine, &layout, &[sample], ArrayRange::all(24));
        assert_eq!(predicted, simulated);
    }

    #[test]
    fn arrays_of_classes_with_more_work_end_later() {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let work = |class: u64| {
            let mut work = SegmentWork {
                compute: 1000 * (class + 1),
                outside: 500,
                locks: vec![(class as u32, 1)],
                ..SegmentWork::default()
            };
            work.traffic[SharedMemory::Ddr as usize] = 640;
            work
        };
        let samples: Vec<Sample> = (0..4).map(|class| sample(1, &work(class), 60)).collect();
        let predicted = predict(&machine, &layout, &samples, ArrayRange::all(24));
        let mut simulated = record(24, 10, &SegmentWork::default());
        for array in &mut simulated.arrays {
            let step = GroupStep::Run(work(array.array % 4));
            array.steps = vec![(GroupSteps::One(step), 10)];
        }
        let simulated = engine::run(&machine, &layout, &simulated, false);
        let apart = simulated.end.0.abs_diff(predicted.end.0);
        assert!(apart * 50 < simulated.end.0, "{simulated:?} {predicted:?}");
        assert_eq!(predicted.traffic, simulated.traffic);
        assert_eq!(predicted.locks, simulated.locks);
    }
}
