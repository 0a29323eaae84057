use super::{LiveCluster, LiveLaunch};
use crate::machine::{CodeStackLayout, Machine, SharedMemory};
use crate::timing::engine;
use crate::timing::launch_record::{ArrayRecord, GroupStep, LaunchRecord};
use crate::timing::launch_timing::Activity;
use crate::timing::test_steps::{compute, load_from, machine, wait};
use crate::units::Cycles;

fn copy(memory: SharedMemory, bytes: u64) -> [GroupStep; 2] {
    [load_from(memory, 1, bytes), wait(1)]
}

/// A cluster with a launch on these arrays.
fn live<'m>(machine: &'m Machine, arrays: &[u64]) -> (LiveCluster<'m>, LiveLaunch<'m>) {
    let mut cluster = LiveCluster::new(machine);
    let launch = begin(&mut cluster, machine, 0, arrays);
    (cluster, launch)
}

/// A launch that is handed to the device at a time.
fn begin<'m>(
    cluster: &mut LiveCluster<'m>,
    machine: &'m Machine,
    base: u64,
    arrays: &[u64],
) -> LiveLaunch<'m> {
    let layout = CodeStackLayout::from(&machine.layout);
    cluster.begin(Cycles(base), machine, &layout, arrays, 0, true)
}

/// Advances until an array has performed its steps; its place and the time.
fn due(cluster: &mut LiveCluster<'_>) -> (usize, u64) {
    loop {
        assert!(cluster.next_event().is_some(), "no array waits for steps");
        if let Some(place) = cluster.advance() {
            return (place, cluster.now().0);
        }
    }
}

#[test]
fn arrays_meet_at_the_time_of_the_last() {
    let machine = machine();
    let (mut cluster, mut launch) = live(&machine, &[4, 7]);
    cluster.add(&mut launch, 0, vec![compute(100)]);
    cluster.add(&mut launch, 1, vec![compute(30)]);
    assert_eq!(due(&mut cluster), (1, 30));
    assert_eq!(due(&mut cluster), (0, 100));
    for place in 0..2 {
        cluster.proceed(place, Cycles(100), Activity::Barrier);
        let message = GroupStep::Spend {
            activity: Activity::LockWait,
            cycles: 40,
        };
        cluster.add(&mut launch, place, vec![message, compute(1)]);
    }
    assert_eq!(due(&mut cluster), (0, 141));
    assert_eq!(due(&mut cluster), (1, 141));
    cluster.end(0, Activity::Idle);
    cluster.end(1, Activity::Idle);
    let timing = cluster.finish(launch, Activity::Idle);
    assert_eq!(timing.end, Cycles(141));
    let [first, second] = &timing.arrays[..] else {
        panic!("{timing:?}");
    };
    assert_eq!((first.array, second.array), (4, 7));
    assert_eq!(first.cycles[Activity::Compute], Cycles(101));
    assert_eq!(second.cycles[Activity::Barrier], Cycles(70));
    assert_eq!(second.cycles[Activity::LockWait], Cycles(40));
    for array in &timing.arrays {
        assert_eq!(array.cycles.total(), timing.end);
    }
}

/// Without meetings it is what the simulation after the launch gives.
#[test]
fn steps_that_are_added_later_take_as_long_as_those_that_are_recorded() {
    let machine = machine();
    let layout = CodeStackLayout::from(&machine.layout);
    let mut steps = vec![compute(50)];
    steps.extend(copy(SharedMemory::Ddr, 100_000));
    steps.push(compute(7));
    let record = LaunchRecord {
        arrays: (0..5)
            .map(|array| ArrayRecord {
                array,
                steps: vec![(steps.clone().into(), 1)],
                groups: 1,
            })
            .collect(),
        code_bytes: 0,
    };
    let expected = engine::run(&machine, &layout, &record, true);
    let (mut cluster, mut launch) = live(&machine, &[0, 1, 2, 3, 4]);
    for step in &steps {
        for place in 0..5 {
            cluster.add(&mut launch, place, vec![step.clone()]);
        }
    }
    assert_eq!(cluster.finish(launch, Activity::Idle), expected);
}

/// One row of N bytes: the start, the latency, the row's overhead, and N at the channel's rate.
#[test]
fn a_transfer_takes_the_latency_of_its_memory() {
    let machine = machine();
    for (memory, latency) in [(SharedMemory::Gsm, 60), (SharedMemory::Ddr, 260)] {
        let (mut cluster, mut launch) = live(&machine, &[0]);
        cluster.add(&mut launch, 0, copy(memory, 1024).into());
        let timing = cluster.finish(launch, Activity::Idle);
        assert_eq!(timing.end, Cycles(62 + latency + 8 + 1024 / 16));
        let on_chip = timing.transferred_on_chip[memory as usize].0;
        let lines = [on_chip, timing.transferred_lines.0];
        assert_eq!(lines.iter().sum::<u64>(), 1024);
        assert_eq!(on_chip > 0, memory == SharedMemory::Gsm);
    }
}

#[test]
fn a_launch_that_breaks_off_ends_after_what_is_known() {
    let machine = machine();
    let (mut cluster, mut launch) = live(&machine, &[0, 1]);
    cluster.add(&mut launch, 0, vec![compute(100)]);
    cluster.add(&mut launch, 1, vec![compute(500)]);
    assert_eq!(due(&mut cluster), (0, 100));
    let timing = cluster.finish(launch, Activity::Barrier);
    assert_eq!(timing.end, Cycles(500));
    assert_eq!(timing.arrays[0].end, Cycles(100));
}

/// Two launches load at DDR's rate, of which each has a half while both do.
#[test]
fn launches_that_overlap_share_memories() {
    let machine = machine();
    let load = || copy(SharedMemory::Ddr, 1 << 20).to_vec();
    let arrays: Vec<u64> = (0..8).collect();
    let of = |cluster: &mut LiveCluster<'_>, launch: &mut LiveLaunch<'_>| {
        for place in launch.places() {
            cluster.add(launch, place, load());
        }
    };
    let (mut cluster, mut launch) = live(&machine, &arrays);
    of(&mut cluster, &mut launch);
    let alone = cluster.finish(launch, Activity::Idle);

    let half = alone.end.0 / 2;
    let (mut cluster, mut first) = live(&machine, &arrays);
    let mut second = begin(
        &mut cluster,
        &machine,
        half,
        &[8, 9, 10, 11, 12, 13, 14, 15],
    );
    of(&mut cluster, &mut first);
    of(&mut cluster, &mut second);
    let first = cluster.finish(first, Activity::Idle);
    let second = cluster.finish(second, Activity::Idle);
    // The first one has half of its bytes left when the second one begins: both need as long as twice as many.
    for (timing, expected) in [(&first, 3 * half), (&second, 3 * half)] {
        let difference = timing.end.0.abs_diff(expected);
        assert!(difference * 100 < expected * 3, "{} {expected}", timing.end);
        let cycles: Vec<Cycles> = timing
            .arrays
            .iter()
            .map(|array| array.cycles.total())
            .collect();
        assert_eq!(cycles, [timing.end; 8]);
    }
    assert_eq!(second.transfer_slices.len(), 8);
    let ends = second.transfer_slices.iter().map(|slice| slice.end);
    assert_eq!(ends.max(), Some(second.end));
}

/// After an idle cluster, or one whose launches have been finished, a launch takes as long as the first one.
#[test]
fn launches_one_after_the_other_do_not_share() {
    let machine = machine();
    let mut cluster = LiveCluster::new(&machine);
    let mut timing = |base: u64| {
        let mut launch = begin(&mut cluster, &machine, base, &[0, 1, 2]);
        for place in launch.places() {
            cluster.add(&mut launch, place, copy(SharedMemory::Ddr, 12_345).into());
        }
        cluster.finish(launch, Activity::Idle)
    };
    let first = timing(7);
    assert_eq!(timing(1_000_003), first);
    assert_eq!(timing(500_009), first);
}

/// The places of arrays that have ended are used again, when none of their events is left.
#[test]
fn overlapping_launches_take_no_more_places_than_run_at_once() {
    let machine = machine();
    let mut cluster = LiveCluster::new(&machine);
    let mut last = begin(&mut cluster, &machine, 0, &[0, 1]);
    for turn in 1..100 {
        let mut next = begin(&mut cluster, &machine, turn * 10, &[0, 1]);
        let place = next.places().start;
        cluster.add(&mut next, place, vec![compute(15)]);
        let timing = cluster.finish(last, Activity::Idle);
        assert_eq!(timing.arrays.len(), 2);
        last = next;
    }
    assert!(cluster.arrays.len() <= 6, "{}", cluster.arrays.len());
}
