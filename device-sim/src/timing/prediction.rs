//! Predicts the timing of a launch from a sample of its work-groups, without simulating how the arrays
//! compete: an analytic twin of `engine`.
//!
//! One array performs the sample alone; that is simulated, since transfers overlap with code. A group of
//! the launch takes the mean of the sample's. What the arrays share is a fluid: those that run at a
//! time request each memory and lock at constant rates, and all of them slow down in proportion where
//! the sum exceeds what the resource serves.

use super::cost::{GroupDependence, KernelCost};
use super::engine;
use super::launch_record::{GroupStep, LaunchRecord, SegmentWork, Volume};
use super::launch_report::{LaunchReport, LaunchSizes};
use super::launch_timing::{Activity, ArrayTiming, CyclesByActivity, LaunchTiming};
use crate::array_range::ArrayRange;
use crate::machine::{CodeStackLayout, Machine, SharedMemory};
use crate::units::{Bytes, Cycles};
use std::collections::BTreeMap;

/// Most groups of a sample: their mean is within a few percent where groups at the borders of the
/// index space do less.
const MOST_SAMPLED: u64 = 64;

/// The numbers of the groups of a launch that a sample has: few, and spread evenly over all dimensions
/// of the index space.
pub fn sampled_groups(groups: u64, dependence: GroupDependence) -> Vec<u64> {
    match dependence {
        GroupDependence::None => (0..groups.min(1)).collect(),
        GroupDependence::GroupId if groups <= MOST_SAMPLED => (0..groups).collect(),
        // Multiples of the golden ratio: no period of the index space coincides with their distances.
        GroupDependence::GroupId => (0..MOST_SAMPLED)
            .map(|place| {
                let fraction = place
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .wrapping_add(1 << 63);
                ((u128::from(fraction) * u128::from(groups)) >> 64) as u64
            })
            .collect(),
    }
}

/// Work-groups of a launch of which one array has performed a few.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// What the array did.
    pub record: &'a LaunchRecord,
    /// Work-groups that it performed; not 0.
    pub sampled: u64,
    /// Work-groups of the launch.
    pub groups: u64,
    /// The arrays of the launch.
    pub arrays: ArrayRange,
}

impl Sample<'_> {
    /// A sum over the sample, scaled to `groups` work-groups.
    pub fn scaled(&self, sum: u64, groups: u64) -> u64 {
        let scaled = u128::from(sum) * u128::from(groups) / u128::from(self.sampled.max(1));
        scaled.try_into().unwrap_or(u64::MAX)
    }

    /// A sum over the sample, scaled to all work-groups.
    pub fn of_launch(&self, sum: u64) -> u64 {
        self.scaled(sum, self.groups)
    }
}

/// A memory or lock that the arrays of a launch share.
#[derive(Clone, Copy, Debug)]
struct Shared {
    /// What arrays do while they wait for it.
    activity: Activity,
    /// Cycles that it needs to serve one group.
    of_group: f64,
    /// Cycles that it needs to serve what an array requests once.
    of_array: f64,
}

/// The report of a launch of these sizes, of which a sample has these sums of all counters.
pub fn report(
    machine: &Machine,
    layout: &CodeStackLayout,
    cost: &KernelCost,
    (sample, counts): (&Sample<'_>, &[u64]),
    sizes: &LaunchSizes,
) -> LaunchReport {
    let counts = counts.iter().map(|count| sample.of_launch(*count));
    let counts: Vec<u64> = counts.collect();
    LaunchReport::new(cost, predict(machine, layout, sample), sizes, &counts)
}

/// The timing of a launch.
pub fn predict(machine: &Machine, layout: &CodeStackLayout, sample: &Sample<'_>) -> LaunchTiming {
    let alone = engine::run(machine, layout, sample.record, false);
    let volume = sample.record.volume(machine.memory.port.line.value);
    let shared = shared(machine, layout, sample, &volume);
    let clock = machine.clock();
    let used = sample.arrays.count().min(sample.groups);
    let begin = |place: u64| clock.cycles(machine.launch.time_to_start(place));
    let mut arrays = Vec::with_capacity(sample.arrays.count() as usize);
    let mut requests = Vec::with_capacity(used as usize);
    for (place, array) in (0..used).zip(sample.arrays.numbers()) {
        let groups = (sample.groups - place).div_ceil(sample.arrays.count());
        let cycles = own_cycles(&alone, sample, groups);
        arrays.push(ArrayTiming {
            array,
            begin: begin(place + 1),
            end: Cycles::ZERO,
            cycles,
        });
        requests.push(groups);
    }
    let (delayed, activity) = delays(&arrays, &requests, &shared);
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
    let unused = sample.arrays.numbers().skip(used as usize);
    arrays.extend(unused.map(|array| ArrayTiming {
        array,
        cycles: CyclesByActivity::single(Activity::Idle, end),
        ..ArrayTiming::default()
    }));
    let bytes = |sum: Bytes| Bytes(sample.of_launch(sum.0));
    let mut transferred_on_chip = volume.transferred_lines.map(bytes);
    let transferred_lines = std::mem::take(&mut transferred_on_chip[SharedMemory::Ddr as usize]);
    LaunchTiming {
        start,
        end,
        arrays,
        traffic: volume.traffic.map(bytes),
        transfers: sample.of_launch(volume.transfers),
        transferred: bytes(volume.transferred),
        transferred_lines,
        transferred_on_chip,
        locks: sample.of_launch(volume.locks),
        code_fetch: alone.code_fetch.saturating_mul(used),
        dma_waits: alone
            .dma_waits
            .iter()
            .map(|waits| Cycles(sample.of_launch(waits.0)))
            .collect(),
        ..LaunchTiming::default()
    }
}

/// What an array spends on `groups` groups that it does not share resources for.
fn own_cycles(alone: &LaunchTiming, sample: &Sample<'_>, groups: u64) -> CyclesByActivity {
    let mut cycles = CyclesByActivity::default();
    let Some(array) = alone.arrays.first() else {
        return cycles;
    };
    for (activity, sampled) in array.cycles.iter() {
        if matches!(activity, Activity::Launch | Activity::Idle) {
            continue;
        }
        // The code is fetched once.
        let once = match activity {
            Activity::Memory => alone.code_fetch.min(sampled),
            _ => Cycles::ZERO,
        };
        let scaled = sample.scaled((sampled - once).0, groups);
        cycles[activity] = once.saturating_add(Cycles(scaled));
    }
    cycles
}

/// What the arrays share, without what takes no time.
fn shared(
    machine: &Machine,
    layout: &CodeStackLayout,
    sample: &Sample<'_>,
    volume: &Volume,
) -> Vec<Shared> {
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
        Shared {
            activity: match lines > traffic {
                true => Activity::DmaWait,
                false => Activity::Memory,
            },
            of_group: cycles(traffic.saturating_add(lines)) / sampled,
            of_array: match memory == code_memory {
                true => cycles(code),
                false => 0.0,
            },
        }
    });
    let locks = acquisitions(sample.record)
        .into_values()
        .map(|acquired| Shared {
            activity: Activity::LockWait,
            of_group: acquired as f64 * machine.locks.occupied() as f64 / sampled,
            of_array: 0.0,
        });
    let all = memories.chain(locks);
    all.filter(|shared| shared.of_group + shared.of_array > 0.0)
        .collect()
}

/// How long the other arrays delay each array, which runs these groups, and what most of it is spent on.
fn delays(arrays: &[ArrayTiming], groups: &[u64], shared: &[Shared]) -> (Vec<Cycles>, Activity) {
    let own: Vec<f64> = arrays
        .iter()
        .map(|array| (array.cycles.total().0 as f64).max(1.0))
        .collect();
    // Per cycle of its own, the array needs each resource for this part of a cycle.
    let demand = |array: usize, shared: &Shared| {
        (shared.of_group * groups[array] as f64 + shared.of_array) / own[array]
    };
    let mut delays = vec![Cycles::ZERO; arrays.len()];
    let mut limited = CyclesByActivity::default();
    let mut now = 0.0;
    // Cycles of its own that each running array has left.
    let mut running: Vec<(usize, f64)> = Vec::new();
    let mut next = 0;
    while next < arrays.len() || !running.is_empty() {
        let (mut speed, mut activity) = (1.0, None);
        for resource in shared {
            let demands = running.iter().map(|(array, _)| demand(*array, resource));
            let demanded: f64 = demands.sum();
            if demanded * speed > 1.0 {
                (speed, activity) = (demanded.recip(), Some(resource.activity));
            }
        }
        let begin = arrays.get(next).map(|array| array.begin.0 as f64);
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
                let elapsed = until - arrays[*array].begin.0 as f64;
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

    /// Simulated and predicted timing of `groups` such groups on each of 24 arrays.
    fn both(groups: u64, work: &SegmentWork) -> (LaunchTiming, LaunchTiming) {
        let machine = Machine::mt3000();
        let layout = CodeStackLayout::from(&machine.layout);
        let simulated = engine::run(&machine, &layout, &record(24, groups, work), false);
        let sampled = record(1, 2, work);
        let sample = Sample {
            record: &sampled,
            sampled: 2,
            groups: 24 * groups,
            arrays: ArrayRange::all(24),
        };
        (simulated, predict(&machine, &layout, &sample))
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
    fn samples_are_spread_over_all_dimensions() {
        assert_eq!(sampled_groups(0, GroupDependence::None), []);
        assert_eq!(sampled_groups(9, GroupDependence::None), [0]);
        assert_eq!(sampled_groups(3, GroupDependence::GroupId), [0, 1, 2]);
        for (columns, rows) in [(64, 64), (1000, 1), (3, 1000), (1 << 20, 1 << 20)] {
            let groups = sampled_groups(columns * rows, GroupDependence::GroupId);
            let mean = |of: &dyn Fn(u64) -> f64| {
                groups.iter().map(|group| of(*group)).sum::<f64>() / groups.len() as f64
            };
            for mean in [
                mean(&|group| ((group % columns) as f64 + 0.5) / columns as f64),
                mean(&|group| ((group / columns) as f64 + 0.5) / rows as f64),
            ] {
                assert!((mean - 0.5).abs() < 0.04, "{columns} x {rows}: {mean}");
            }
        }
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
        let sampled = record(1, 1, &work);
        let sample = Sample {
            record: &sampled,
            sampled: 1,
            groups: 3,
            arrays: ArrayRange::all(24),
        };
        let mut simulated = record(24, 0, &work);
        for array in &mut simulated.arrays {
            array.steps.truncate(usize::from(array.array < 3));
            array.groups = u64::from(array.array < 3);
            for (_, times) in &mut array.steps {
                *times = 1;
            }
        }
        let simulated = engine::run(&machine, &layout, &simulated, false);
        assert_eq!(predict(&machine, &layout, &sample), simulated);
    }
}
