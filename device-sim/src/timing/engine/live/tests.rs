use super::LiveLaunch;
use crate::machine::{CodeStackLayout, Machine, SharedMemory};
use crate::timing::engine;
use crate::timing::launch_record::{ArrayRecord, GroupStep, LaunchRecord};
use crate::timing::launch_timing::Activity;
use crate::timing::test_steps::{compute, load_from, machine, wait};
use crate::units::Cycles;

fn copy(memory: SharedMemory, bytes: u64) -> [GroupStep; 2] {
    [load_from(memory, 1, bytes), wait(1)]
}

fn live<'m>(machine: &'m Machine, arrays: &[u64]) -> LiveLaunch<'m> {
    let layout = CodeStackLayout::from(&machine.layout);
    LiveLaunch::new(machine, &layout, arrays, 0, true)
}

/// Advances until an array has performed its steps; its place and the time.
fn due(launch: &mut LiveLaunch<'_>) -> (usize, u64) {
    loop {
        assert!(launch.next_event().is_some(), "no array waits for steps");
        if let Some(place) = launch.advance() {
            return (place, launch.now().0);
        }
    }
}

#[test]
fn arrays_meet_at_the_time_of_the_last() {
    let machine = machine();
    let mut launch = live(&machine, &[4, 7]);
    launch.add(0, vec![compute(100)]);
    launch.add(1, vec![compute(30)]);
    assert_eq!(due(&mut launch), (1, 30));
    assert_eq!(due(&mut launch), (0, 100));
    for place in 0..2 {
        launch.proceed(place, Cycles(100), Activity::Barrier);
        let message = GroupStep::Spend {
            activity: Activity::LockWait,
            cycles: 40,
        };
        launch.add(place, vec![message, compute(1)]);
    }
    assert_eq!(due(&mut launch), (0, 141));
    assert_eq!(due(&mut launch), (1, 141));
    launch.end(0, Activity::Idle);
    launch.end(1, Activity::Idle);
    let timing = launch.finish(Activity::Idle);
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
    let mut launch = live(&machine, &[0, 1, 2, 3, 4]);
    for step in &steps {
        for place in 0..5 {
            launch.add(place, vec![step.clone()]);
        }
    }
    assert_eq!(launch.finish(Activity::Idle), expected);
}

/// One row of N bytes: the start, the latency, the row's overhead, and N at the channel's rate.
#[test]
fn a_transfer_takes_the_latency_of_its_memory() {
    let machine = machine();
    for (memory, latency) in [(SharedMemory::Gsm, 60), (SharedMemory::Ddr, 260)] {
        let mut launch = live(&machine, &[0]);
        launch.add(0, copy(memory, 1024).into());
        let timing = launch.finish(Activity::Idle);
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
    let mut launch = live(&machine, &[0, 1]);
    launch.add(0, vec![compute(100)]);
    launch.add(1, vec![compute(500)]);
    assert_eq!(due(&mut launch), (0, 100));
    let timing = launch.finish(Activity::Barrier);
    assert_eq!(timing.end, Cycles(500));
    assert_eq!(timing.arrays[0].end, Cycles(100));
}
