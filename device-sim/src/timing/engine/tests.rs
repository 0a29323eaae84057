use super::cluster_resources::TRANSFER_SLICES;
use super::run;
use crate::machine::{CodeMemory, CodeStackLayout, Machine, SharedMemory, Source};
use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, LaunchRecord, SegmentWork};
use crate::timing::launch_timing::{Activity, ActivitySlice, LaunchTiming, TransferSlice};
use crate::timing::test_steps::{compute, load, machine, wait};
use crate::units::{Bytes, Cycles, Nanoseconds};

fn steps(steps: Vec<GroupStep>) -> GroupSteps {
    steps.into()
}

/// Arrays that all do the same.
fn record(arrays: u64, done: &[(GroupSteps, u64)]) -> LaunchRecord {
    let array = |array| ArrayRecord {
        array,
        steps: done.to_vec(),
        groups: done.iter().map(|(_, times)| times).sum(),
    };
    LaunchRecord {
        arrays: (0..arrays).map(array).collect(),
        code_bytes: 0,
    }
}

fn timing(machine: &Machine, record: &LaunchRecord) -> LaunchTiming {
    let timing = run(
        machine,
        &CodeStackLayout::from(&machine.layout),
        record,
        true,
    );
    check(record, &timing);
    let without = run(
        machine,
        &CodeStackLayout::from(&machine.layout),
        record,
        false,
    );
    assert!(without.slices.is_empty() && without.transfer_slices.is_empty());
    let expected = LaunchTiming {
        slices: Vec::new(),
        transfer_slices: Vec::new(),
        ..timing.clone()
    };
    assert_eq!(without, expected, "a timeline changes nothing");
    timing
}

/// What is so of each launch: shares and slices are all of each array's time.
fn check(record: &LaunchRecord, timing: &LaunchTiming) {
    assert_eq!(record.arrays.len(), timing.arrays.len());
    for array in &timing.arrays {
        assert_eq!(array.cycles.total(), timing.end);
        let own = |slice: &&ActivitySlice| slice.array == array.array;
        let mut end = 0;
        for slice in timing.slices.iter().filter(own) {
            assert_eq!(slice.begin.0, end);
            assert!(slice.end.0 > slice.begin.0);
            assert_eq!(slice.cycles.total(), slice.end - slice.begin);
            end = slice.end.0;
        }
        assert_eq!(end, timing.end.0, "array {}", array.array);
    }
    for transfer in &timing.transfer_slices {
        let array = &timing.arrays[transfer.array as usize];
        assert!(array.begin.0 <= transfer.begin.0 && transfer.end.0 <= array.end.0);
    }
}

fn share(timing: &LaunchTiming, array: usize, activity: Activity) -> u64 {
    timing.arrays[array].cycles[activity].0
}

/// Code that only loads or stores `bytes` of DDR.
fn stream(bytes: u64) -> GroupStep {
    GroupStep::Run(SegmentWork {
        traffic: [0, 0, bytes],
        ..SegmentWork::default()
    })
}

fn locked(lock: u32, times: u64) -> GroupStep {
    GroupStep::Run(SegmentWork {
        locks: vec![(lock, times)],
        ..SegmentWork::default()
    })
}

#[test]
fn code_takes_its_own_cycles_and_groups_add_up() {
    let machine = machine();
    let work = SegmentWork {
        compute: 100,
        scratchpad: 20,
        outside: 30,
        barrier: 4,
        ..SegmentWork::default()
    };
    let timing = timing(
        &machine,
        &record(2, &[(steps(vec![GroupStep::Run(work)]), 10)]),
    );
    assert_eq!((timing.start.0, timing.end.0), (0, 1540));
    for (activity, cycles) in [
        (Activity::Compute, 1000),
        (Activity::Scratchpad, 200),
        (Activity::Memory, 300),
        (Activity::Barrier, 40),
        (Activity::Idle, 0),
        (Activity::Launch, 0),
    ] {
        assert_eq!(share(&timing, 1, activity), cycles, "{activity:?}");
    }
}

#[test]
fn a_single_array_is_bound_by_its_outstanding_lines() {
    let machine = machine();
    // 16 lines of 64 bytes each 260 cycles.
    let timing = timing(&machine, &record(1, &[(steps(vec![stream(1 << 20)]), 1)]));
    assert_eq!(timing.end.0, (1 << 20) / 1024 * 260);
    assert_eq!(share(&timing, 0, Activity::Memory), timing.end.0);
    assert_eq!(timing.traffic.map(|bytes| bytes.0), [0, 0, 1 << 20]);
}

#[test]
fn all_arrays_together_have_the_bandwidth_of_ddr() {
    let machine = machine();
    for arrays in [10, 24] {
        let bytes = 1 << 20;
        let timing = timing(
            &machine,
            &record(arrays, &[(steps(vec![stream(bytes)]), 1)]),
        );
        let least = (arrays * bytes * 2).div_ceil(71);
        assert!(timing.end.0 >= least);
        let over = (timing.end.0 - least) * 1000 / least;
        assert!(over < 10, "{arrays} arrays: {over} per mille too slow");
        // All arrays are served at the same rate.
        let first = timing.arrays.iter().map(|array| array.end.0).min().unwrap();
        assert!(
            first * 100 > timing.end.0 * 98,
            "{first} of {}",
            timing.end.0
        );
    }
}

/// An array with little traffic is not delayed by arrays that use all of the bandwidth.
#[test]
fn code_with_little_traffic_is_not_held_up() {
    let machine = machine();
    let mut all = record(24, &[(steps(vec![stream(1 << 20)]), 1)]);
    let little = SegmentWork {
        compute: 1_000_000,
        traffic: [0, 0, 256 << 10],
        ..SegmentWork::default()
    };
    all.arrays[7].steps = vec![(steps(vec![GroupStep::Run(little)]), 1)];
    let timing = timing(&machine, &all);
    assert!(timing.end.0 > 600_000, "the others stream all that time");
    assert_eq!(timing.arrays[7].end.0, 1_000_000);
}

#[test]
fn cutting_code_does_not_change_what_it_takes() {
    let mut machine = machine();
    let work = SegmentWork {
        compute: 12_345,
        scratchpad: 777,
        outside: 9_999,
        barrier: 13,
        traffic: [4_000, 130, 70_000],
        locks: vec![(3, 5), (4, 11)],
    };
    let record = record(1, &[(steps(vec![GroupStep::Run(work)]), 3)]);
    let cut = timing(&machine, &record);
    machine.memory.port.outstanding.value *= 1 << 10;
    machine.memory.ddr.latency.value = 1;
    let whole = timing(&machine, &record);
    assert_eq!(cut.arrays, whole.arrays);
    assert_eq!(cut.end.0, 3 * (12_345 + 777 + 9_999 + 13 + 16 * 324));
}

#[test]
fn the_same_record_gives_the_same_outcome() {
    let machine = Machine::mt3000();
    let mut one = record(
        24,
        &[
            (
                steps(vec![load(1, 9_000), stream(5_000), wait(1), locked(2, 3)]),
                40,
            ),
            (steps(vec![stream(77_777), compute(500)]), 7),
        ],
    );
    for (number, array) in one.arrays.iter_mut().enumerate() {
        array.steps.rotate_left(number % 2);
    }
    one.code_bytes = 5000;
    let first = timing(&machine, &one);
    assert_eq!(first, timing(&machine, &one));
    assert_eq!(first.transfers, 24 * 40);
    assert_eq!(first.transferred.0, 24 * 40 * 9_000);
    assert_eq!(first.locks, 24 * 40 * 3);
}

#[test]
fn a_transfer_takes_its_start_latency_row_and_bytes() {
    let machine = machine();
    let timing = timing(
        &machine,
        &record(1, &[(steps(vec![load(1, 1600), wait(1)]), 2)]),
    );
    let each = 62 + 260 + 8 + 100;
    assert_eq!(timing.end.0, 2 * each);
    assert_eq!(share(&timing, 0, Activity::DmaWait), 2 * each);
    let second = &timing.transfer_slices[1];
    assert_eq!(
        (second.begin.0, second.end.0, second.waited_for),
        (each + 62, 2 * each, Some(Cycles(each + 62)))
    );
    assert_eq!((second.bytes.0, second.channel), (1600, 0));
}

#[test]
fn short_rows_take_longer_than_one_long_one() {
    let machine = machine();
    let of = |rows, row_bytes| {
        let transfer = GroupStep::Transfer {
            times: 1,
            between: SegmentWork::default(),
            event: 1,
            rows,
            row_bytes,
            to_scratchpad: false,
            memory: SharedMemory::Ddr,
            second: None,
            sites: [(1, 1)].into(),
        };
        let timing = timing(&machine, &record(1, &[(steps(vec![transfer, wait(1)]), 1)]));
        assert_eq!(timing.transferred.0, rows * row_bytes);
        timing.end.0
    };
    assert_eq!(of(1, 6400), 62 + 260 + 8 + 400);
    assert_eq!(of(100, 64), 62 + 260 + 800 + 400);
    // Whole lines: 6400 of 64 bytes, 71 bytes in two cycles, and 8 cycles for each row.
    assert_eq!(of(6400, 1), 62 + 260 + 6400 * 8 + 400);
}

#[test]
fn two_buffers_are_faster_than_one() {
    let machine = machine();
    let (bytes, work) = (16_000, 1_000);
    let moved = 260 + 8 + bytes / 16;
    let single = vec![load(1, bytes), wait(1), compute(work)];
    let single = timing(&machine, &record(1, &[(steps(single), 20)]));
    assert_eq!(single.end.0, 20 * (62 + moved + work));
    let mut double = vec![load(1, bytes)];
    for event in 1..=20 {
        if event < 20 {
            double.push(load(event + 1, bytes));
        }
        double.extend([wait(event), compute(work)]);
    }
    let double = timing(&machine, &record(1, &[(steps(double), 1)]));
    assert_eq!(share(&double, 0, Activity::Compute), 20 * work);
    // The first is waited for in full; from then on a transfer, which is longer than the
    // computation, is in flight all the time.
    assert!(double.end.0 < single.end.0 * 60 / 100, "{}", double.end.0);
    assert!(double.end.0 > 20 * (bytes / 16));
}

#[test]
fn transfers_wait_for_an_idle_channel() {
    let mut machine = machine();
    machine.dma.channels.value = 2;
    machine.dma.rate.value = 1000;
    let loads = vec![load(1, 1600), load(2, 1600), load(3, 1600), wait(3)];
    let timing = timing(&machine, &record(1, &[(steps(loads), 1)]));
    let channels: Vec<u64> = timing
        .transfer_slices
        .iter()
        .map(|one| one.channel)
        .collect();
    assert_eq!(channels, [0, 1, 0]);
    let begin = |number: usize| timing.transfer_slices[number].begin.0;
    assert_eq!([begin(0), begin(1)], [62, 124]);
    assert_eq!(begin(2), timing.transfer_slices[0].end.0);
    assert_eq!(timing.end.0, 62 + 2 * 368);
}

#[test]
fn only_the_named_event_is_waited_for() {
    let machine = machine();
    let some = vec![load(1, 64_000), load(2, 64), wait(2), compute(10)];
    let timing = timing(&machine, &record(1, &[(steps(some), 1)]));
    let [long, short] = &timing.transfer_slices[..] else {
        panic!("two transfers");
    };
    assert!(short.end.0 < long.end.0);
    assert_eq!(short.waited_for, Some(Cycles(124)));
    // No code waits for the long one, but the array does not end before it.
    assert_eq!(long.waited_for, None);
    assert_eq!(timing.end.0, long.end.0);
    assert_eq!(share(&timing, 0, Activity::Compute), 10);
    assert_eq!(share(&timing, 0, Activity::DmaWait), timing.end.0 - 10);
    // What never began is not waited for.
    let nothing = record(1, &[(steps(vec![wait(9), compute(5), wait(0)]), 3)]);
    assert_eq!(self::timing(&machine, &nothing).end.0, 15);
}

/// A loop that starts transfers is one step: the first has begun to move when the others are
/// started.
#[test]
fn transfers_one_after_the_other_move_while_they_are_started() {
    let machine = machine();
    let of = |times: u64, row_bytes: u64, cycles: u64| {
        let transfers = GroupStep::Transfer {
            times,
            between: SegmentWork {
                compute: cycles,
                ..SegmentWork::default()
            },
            event: 1,
            rows: 1,
            row_bytes,
            to_scratchpad: true,
            memory: SharedMemory::Ddr,
            second: None,
            sites: [(1, 1)].into(),
        };
        let timing = timing(
            &machine,
            &record(1, &[(steps(vec![transfers, wait(1)]), 1)]),
        );
        assert_eq!(
            (timing.transfers, timing.transferred.0),
            (times, times * row_bytes)
        );
        assert_eq!(share(&timing, 0, Activity::Compute), cycles);
        assert_eq!(share(&timing, 0, Activity::DmaWait), timing.end.0 - cycles);
        timing.end.0
    };
    // Bound by the channel: 8 cycles a row, and 16 bytes in a cycle.
    assert_eq!(of(4, 6400, 100), 62 + 260 + 4 * 408);
    // Bound by what starts them.
    assert_eq!(of(4, 64, 1000), 62 + 260 + 3 * 62 + 1000);
}

/// Events are a group's own: number 1 of the next group is another one.
#[test]
fn the_events_of_a_group_are_its_own() {
    let machine = machine();
    let mut array = record(1, &[(steps(vec![load(1, 64_000)]), 1)]);
    array.arrays[0]
        .steps
        .push((steps(vec![load(1, 64), wait(1), compute(7)]), 1));
    let timing = timing(&machine, &array);
    let second = &timing.transfer_slices[1];
    assert_eq!(second.waited_for, Some(Cycles(124)));
    assert!(second.end.0 < timing.transfer_slices[0].end.0);
    assert_eq!(timing.end.0, timing.transfer_slices[0].end.0);
}

#[test]
fn transfers_of_all_arrays_share_ddr() {
    let machine = machine();
    let bytes = 1 << 20;
    let loads = steps(vec![load(1, bytes), wait(1)]);
    let timing = timing(&machine, &record(24, &[(loads, 1)]));
    let least = (24 * bytes * 2) / 71;
    assert!(timing.end.0 > least && timing.end.0 < least * 101 / 100);
    let first = timing.arrays.iter().map(|array| array.end.0).min().unwrap();
    assert!(
        first * 100 > timing.end.0 * 98,
        "{first} of {}",
        timing.end.0
    );
}

#[test]
fn locks_serialise() {
    let machine = machine();
    let each = machine.locks.occupied();
    let one = timing(&machine, &record(1, &[(steps(vec![locked(5, 100)]), 1)]));
    assert_eq!(one.end.0, 100 * each);
    assert_eq!(share(&one, 0, Activity::LockWait), one.end.0);
    let all = timing(&machine, &record(24, &[(steps(vec![locked(5, 100)]), 1)]));
    assert_eq!(all.end.0, 24 * 100 * each);
    assert_eq!(all.locks, 2400);
    let mut apart = record(24, &[]);
    for (number, array) in apart.arrays.iter_mut().enumerate() {
        array.steps = vec![(steps(vec![locked(number as u32, 100)]), 1)];
    }
    assert_eq!(timing(&machine, &apart).end.0, 100 * each);
}

#[test]
fn launches_take_what_is_published() {
    let machine = Machine::mt3000();
    let empty = |arrays| timing(&machine, &record(arrays, &[(steps(vec![]), 1)]));
    let all = empty(24);
    assert_eq!(all.end.0, 480_000, "400 us");
    assert_eq!(
        all.start.0,
        machine.clock().cycles(Nanoseconds(70_500)).0,
        "the first array begins"
    );
    assert_eq!(
        all.arrays[23].begin.0,
        machine.clock().cycles(Nanoseconds(60_000 + 24 * 10_500)).0
    );
    assert_eq!(share(&all, 23, Activity::Idle), 0);
    let waits = all.arrays[23].begin.0 - all.arrays[0].begin.0;
    assert_eq!(share(&all, 0, Activity::Idle), waits);
    assert_eq!(share(&all, 0, Activity::Launch), all.end.0 - waits);
    assert_eq!(
        empty(1).end.0,
        machine.clock().cycles(Nanoseconds(112_500)).0
    );
}

#[test]
fn arrays_without_groups_are_not_started() {
    let machine = Machine::mt3000();
    let mut some = record(24, &[(steps(vec![compute(1000)]), 1)]);
    for array in &mut some.arrays[2..] {
        *array = ArrayRecord {
            array: array.array,
            ..ArrayRecord::default()
        };
    }
    let timing = timing(&machine, &some);
    let launch = machine.clock().cycles(Nanoseconds(60_000 + 2 * 10_500)).0
        + machine.clock().cycles(Nanoseconds(40_000 + 2 * 2_000)).0;
    assert_eq!(timing.end.0, launch + 1000);
    let third = &timing.arrays[2];
    assert_eq!((third.array, third.begin.0, third.end.0), (2, 0, 0));
    assert_eq!(share(&timing, 2, Activity::Idle), timing.end.0);
    let nothing = self::timing(&machine, &record(3, &[]));
    assert_eq!(
        nothing.end.0,
        machine.clock().cycles(Nanoseconds(60_000)).0
            + machine.clock().cycles(Nanoseconds(40_000)).0
    );
}

#[test]
fn code_is_fetched_once_and_sooner_from_gsm() {
    let machine = machine();
    let mut all = record(24, &[(steps(vec![compute(10_000)]), 50)]);
    let none = timing(&machine, &all).end.0;
    all.code_bytes = 6400;
    let from = |code, all: &LaunchRecord| {
        let layout = CodeStackLayout {
            code,
            ..CodeStackLayout::from(&machine.layout)
        };
        let timing = run(&machine, &layout, all, true);
        check(all, &timing);
        timing.end.0 - none
    };
    let (ddr, gsm) = (from(CodeMemory::Ddr, &all), from(CodeMemory::Gsm, &all));
    // 100 lines, two at a time.
    assert_eq!((ddr, gsm), (50 * 260, 50 * 60));
    assert_eq!(timing(&machine, &all).traffic, [Bytes::ZERO; 3]);
    // Blocks of code that the cache does not hold have the cycles that fetching them takes.
    all.code_bytes = (32 << 10) + 4;
    assert_eq!(from(CodeMemory::Ddr, &all), 0);
}

#[test]
fn timelines_are_bounded() {
    let machine = machine();
    let group = vec![
        load(1, 64),
        compute(2000),
        wait(1),
        stream(6400),
        locked(1, 1),
    ];
    let timing = timing(&machine, &record(24, &[(steps(group), 2000)]));
    assert_eq!(timing.transfers, 48_000);
    assert!(timing.slices.len() <= 10_000, "{}", timing.slices.len());
    assert!(timing.slices.len() >= 1_000, "{}", timing.slices.len());
    assert!(timing.transfer_slices.len() <= TRANSFER_SLICES);
}

#[test]
fn calibrated_numbers_say_so() {
    let costs = Machine::mt3000().launch.costs;
    assert_eq!(costs.interrupt.source, Source::Calibrated);
    assert!(costs.interrupt.note.contains("400 us"));
}

/// Numbers that look random, always the same ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn work(&mut self) -> SegmentWork {
        SegmentWork {
            compute: self.below(500),
            scratchpad: self.below(100),
            outside: self.below(300),
            barrier: self.below(9),
            traffic: [self.below(2) * 640, 0, self.below(3) * self.below(9_000)],
            locks: (0..self.below(3))
                .map(|lock| (lock as u32, self.below(4)))
                .collect(),
        }
    }

    fn step(&mut self) -> GroupStep {
        let times = 1 + self.below(3) * self.below(4);
        match self.below(4) {
            0 => GroupStep::Run(self.work()),
            1 => wait(self.below(5) as u32),
            _ => GroupStep::Transfer {
                times,
                between: match times {
                    1 => SegmentWork::default(),
                    _ => self.work(),
                },
                event: self.below(4) as u32 + 1,
                rows: self.below(6),
                row_bytes: self.below(3_000),
                to_scratchpad: self.below(2) == 0,
                memory: SharedMemory::Ddr,
                second: None,
                sites: [(1, 1)].into(),
            },
        }
    }
}

#[test]
fn whatever_arrays_do_adds_up() {
    let mut numbers = Numbers(1);
    let mut machine = Machine::mt3000();
    for _ in 0..60 {
        machine.dma.channels.value = 1 + numbers.below(4);
        let mut some = record(1 + numbers.below(24), &[]);
        some.code_bytes = numbers.below(40_000);
        for array in &mut some.arrays {
            for _ in 0..numbers.below(4) {
                let group = (0..numbers.below(12)).map(|_| numbers.step()).collect();
                array.steps.push((steps(group), numbers.below(20)));
            }
            array.groups = array.steps.iter().map(|(_, times)| times).sum();
        }
        let timing = timing(&machine, &some);
        assert_eq!(timing, self::timing(&machine, &some));
        // Nothing is faster than the memory, or than an array's own operations.
        let moved = timing.traffic[2].0 + timing.transferred.0;
        assert!((timing.end.0 - timing.start.0) * 71 / 2 + 71 > moved);
        for (record, array) in some.arrays.iter().zip(&timing.arrays) {
            let mut own = 0;
            for (steps, times) in &record.steps {
                let cycles = steps.iter().map(|step| match step {
                    GroupStep::Run(work) => work.compute,
                    GroupStep::Transfer { between, .. } => between.compute,
                    GroupStep::Wait { .. } | GroupStep::Spend { .. } => 0,
                });
                own += cycles.sum::<u64>() * times;
            }
            assert_eq!(array.cycles[Activity::Compute].0, own);
        }
        let moves: Vec<_> = timing.transfer_slices.iter().collect();
        assert!(moves.len() as u64 <= timing.transfers);
        let bytes = moves.iter().map(|one| one.bytes.0).sum::<u64>();
        assert!(bytes == timing.transferred.0 || moves.len() == TRANSFER_SLICES);
        // A channel moves one thing at a time.
        for (number, one) in moves.iter().enumerate().take(200) {
            let same =
                |other: &&&TransferSlice| (other.array, other.channel) == (one.array, one.channel);
            if let Some(after) = moves[number + 1..].iter().find(same) {
                assert!(after.begin.0 >= one.end.0, "{one:?}, {after:?}");
            }
        }
    }
}

/// Accesses under a lock are made while it is held, so that its cycles contain theirs. Those of the
/// first piece precede the first lock: 4 cycles for two lines at DDR's rate.
#[test]
fn latencies_are_not_charged_again_after_locks() {
    let machine = machine();
    let work = SegmentWork {
        locks: vec![(0, 10)],
        traffic: [0, 0, 10 * 128],
        ..SegmentWork::default()
    };
    let timing = timing(
        &machine,
        &record(1, &[(steps(vec![GroupStep::Run(work)]), 1)]),
    );
    assert_eq!(timing.end.0, 4 + 10 * machine.locks.occupied());
}
