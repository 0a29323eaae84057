//! Changes of small launches whose times can be computed by hand.

use super::*;
use crate::timing::cost::{Active, BlockCost, KernelCost, LaneWork, LoadShare, LoadedArgument};
use crate::timing::footprint::Footprint;
use crate::timing::launch_record::{ArrayRecord, GroupStep, GroupSteps, SegmentWork};
use crate::timing::launch_sizes::LaunchSizes;
use crate::timing::test_steps::{compute, load, wait};
use crate::units::Bytes;

/// A launch whose arrays do these steps, each with its number of repetitions.
fn launch(arrays: &[&[(&[GroupStep], u64)]]) -> LaunchRecord {
    let arrays = (0..).zip(arrays).map(|(array, steps)| ArrayRecord {
        array,
        steps: steps
            .iter()
            .map(|(steps, times)| (GroupSteps::from(steps.to_vec()), *times))
            .collect(),
        groups: steps.iter().map(|(_, times)| times).sum(),
    });
    LaunchRecord {
        arrays: arrays.collect(),
        code_bytes: 0,
    }
}

/// The cycles of a launch, without starting and completing it.
fn cycles(record: &LaunchRecord) -> u64 {
    let machine = Machine::mt3000();
    let layout = CodeStackLayout::from(&machine.layout);
    let timing = engine::run(&machine, &layout, record, false);
    let started = timing
        .arrays
        .iter()
        .filter(|array| array.end > Cycles::ZERO);
    let of_arrays = started.map(|array| array.end - timing.start);
    of_arrays.max().unwrap_or_default().0
}

/// Parts of 100 KiB, which may be eight times as large.
const SIZES: LaunchSizes = LaunchSizes {
    groups: 0,
    work_items: 0,
    local_memory: Bytes(100 << 10),
    private_memory: Bytes(0),
    private_memory_limit: Bytes(700 << 10),
};

/// A launch of code with these costs and counters.
fn of_code<'a>(
    (cost, counts): (&'a KernelCost, &'a [u64]),
    record: &'a LaunchRecord,
) -> Launch<'a> {
    Launch {
        cost,
        counts,
        record,
        sizes: &SIZES,
        footprints: &[],
    }
}

/// The cycles of a launch under a change.
fn changed(change: Change, code: (&KernelCost, &[u64]), record: &LaunchRecord) -> Option<u64> {
    let machine = Machine::mt3000();
    let changed = apply(change, &machine, of_code(code, record));
    changed.map(|variant| cycles(&variant.record)).min()
}

fn without_code(change: Change, record: &LaunchRecord) -> Option<u64> {
    changed(change, (&KernelCost::default(), &[]), record)
}

#[test]
fn double_buffering_hides_transfers_that_take_less_time_than_code() {
    let alone = cycles(&launch(&[&[(&[load(1, 4096), wait(1)], 1)]]));
    let group = [load(1, 4096), wait(1), compute(10_000)];
    let record = launch(&[&[(&group, 10)]]);
    assert_eq!(cycles(&record), 10 * (alone + 10_000));
    // The first transfer; then the code, which also starts the transfers.
    let start = Machine::mt3000().dma.start.value;
    let expected = alone + 10 * 10_000 + 9 * start;
    assert_eq!(
        without_code(Change::DoubleBuffered, &record),
        Some(expected)
    );
    // Within a group: the second transfer during the code of the first.
    let group = [
        load(1, 4096),
        wait(1),
        compute(10_000),
        load(2, 4096),
        wait(2),
        compute(10_000),
    ];
    let record = launch(&[&[(&group, 1)]]);
    let expected = alone + 2 * 10_000 + start;
    assert_eq!(
        without_code(Change::DoubleBuffered, &record),
        Some(expected)
    );
}

#[test]
fn transfers_out_of_local_memory_stay_where_they_are() {
    let store = match load(1, 4096) {
        GroupStep::Transfer {
            times,
            between,
            event,
            rows,
            row_bytes,
            memory,
            second,
            sites,
            ..
        } => GroupStep::Transfer {
            times,
            between,
            event,
            rows,
            row_bytes,
            to_scratchpad: false,
            memory,
            second,
            sites,
        },
        other => panic!("{other:?}"),
    };
    let record = launch(&[&[(&[compute(100), store, wait(1)], 5)]]);
    assert_eq!(without_code(Change::DoubleBuffered, &record), None);
}

#[test]
fn one_transfer_is_started_once() {
    let mut rows = load(1, 64);
    if let GroupStep::Transfer { times, .. } = &mut rows {
        *times = 100;
    }
    let record = launch(&[&[(&[rows, wait(1)], 1)]]);
    let one = without_code(Change::FewerTransfers, &record).expect("it applies");
    let start = Machine::mt3000().dma.start.value;
    assert!(cycles(&record) >= 100 * start);
    assert!(one < cycles(&record));
    let single = launch(&[&[(&[load(1, 64), wait(1)], 1)]]);
    assert_eq!(without_code(Change::FewerTransfers, &single), None);
}

#[test]
fn work_is_divided_among_all_arrays() {
    let record = launch(&[
        &[(&[compute(100_000)], 6)],
        &[(&[compute(100_000)], 1)],
        &[],
        &[],
    ]);
    assert_eq!(cycles(&record), 600_000);
    // 7 groups of 4 arrays: 1.75 each; arrays begin one after another.
    let balanced = without_code(Change::Balanced, &record).expect("it applies");
    let last_begin = {
        let one: &[(&[GroupStep], u64)] = &[(&[compute(1)], 1)];
        let all = launch(&[one; 4]);
        cycles(&all) - 1
    };
    assert_eq!(balanced, last_begin + 175_000);
    assert_eq!(
        without_code(Change::Balanced, &launch(&[&[(&[compute(5)], 1)]])),
        None
    );
}

/// The code of one block with this number of runs, whose lanes a counter counts.
fn cost(lanes: LaneWork) -> KernelCost {
    KernelCost {
        blocks: vec![BlockCost {
            compute: 100,
            lanes: vec![lanes],
            ..BlockCost::default()
        }],
        counters: 2,
        lanes: 16,
        ..KernelCost::default()
    }
}

#[test]
fn inactive_lanes_are_not_run() {
    let cost = cost(LaneWork {
        operations: 10,
        ..LaneWork::new(Active::Counted(1))
    });
    let record = launch(&[&[(&[compute(1000)], 1)]]);
    let time = |active| changed(Change::AllLanesActive, (&cost, &[10, active]), &record);
    assert_eq!(time(40), Some(250));
    assert_eq!(time(160), None);
}

#[test]
fn unused_bytes_of_lines_are_not_moved() {
    let cost = cost(LaneWork {
        traffic: [0, 0, 64],
        unused: 60,
        ..LaneWork::new(Active::Always(16))
    });
    let record = launch(&[&[(
        &[GroupStep::Run(SegmentWork {
            outside: 1600,
            traffic: [0, 0, 1024],
            ..SegmentWork::default()
        })],
        1,
    )]]);
    let machine = Machine::mt3000();
    let mut changed = apply(
        Change::Coalesced,
        &machine,
        of_code((&cost, &[1, 0]), &record),
    );
    let steps = &changed.next().expect("it applies").record.arrays[0].steps[0].0;
    let GroupStep::Run(work) = &steps[0] else {
        panic!("{steps:?}");
    };
    assert_eq!((work.outside, work.traffic), (100, [0, 0, 64]));
}

#[test]
fn groups_take_locks_once() {
    let locked = GroupStep::Run(SegmentWork {
        compute: 10,
        locks: vec![(3, 256)],
        ..SegmentWork::default()
    });
    let record = launch(&[&[(&[locked], 4)]]);
    let lock = Machine::mt3000().locks.occupied();
    assert_eq!(cycles(&record), 4 * (10 + 256 * lock));
    let once = without_code(Change::OneLockPerGroup, &record);
    assert_eq!(once, Some(4 * (10 + lock)));
}

#[test]
fn accesses_move_through_local_memory_while_code_runs() {
    let work = SegmentWork {
        compute: 100_000,
        outside: 400_000,
        traffic: [0, 0, 1 << 20],
        ..SegmentWork::default()
    };
    let record = launch(&[&[(&[GroupStep::Run(work)], 1)]]);
    let before = cycles(&record);
    assert!(before >= 500_000);
    let after = without_code(Change::Dma, &record).expect("it applies");
    // Not less than code with its accesses of AM, and than the bytes at the rate of a channel.
    let accesses = (1 << 20) / 128;
    assert!(after >= 100_000 + accesses, "{after}");
    assert!(after < before / 2, "{after} of {before}");
    assert_eq!(
        without_code(Change::Dma, &launch(&[&[(&[compute(9)], 1)]])),
        None
    );
}

#[test]
fn only_changes_that_save_time_are_alternatives() {
    let machine = Machine::mt3000();
    let layout = CodeStackLayout::from(&machine.layout);
    let of = |record: &LaunchRecord| {
        let end = engine::run(&machine, &layout, record, false).end;
        let code = (&KernelCost::default(), &[][..]);
        let all = alternatives(&machine, &layout, of_code(code, record), end);
        all.iter().map(|one| one.change).collect::<Vec<_>>()
    };
    let one: &[(&[GroupStep], u64)] = &[(&[compute(1000)], 1)];
    assert_eq!(of(&launch(&[one; 2])), []);
    let record = launch(&[&[(&[compute(100_000)], 3)], &[]]);
    assert_eq!(of(&record), [Change::Balanced]);
}

/// By hand: the fewer the transfers, the less often they are started and awaited.
#[test]
fn larger_transfers_are_started_less_often() {
    let alone = |bytes| cycles(&launch(&[&[(&[load(1, bytes), wait(1)], 1)]]));
    // A loop over 32 parts, after code.
    let parts = (1..=32).flat_map(|event| [load(event, 256), wait(event), compute(100)]);
    let group: Vec<GroupStep> = [compute(7)].into_iter().chain(parts).collect();
    let record = launch(&[&[(&group, 3)]]);
    let one = 7 + 32 * (alone(256) + 100);
    assert_eq!(cycles(&record), 3 * one);
    let larger = 7 + 8 * (alone(1024) + 400);
    let of_factor = |factor| larger_transfers(&record, factor).map(|record| cycles(&record));
    assert_eq!(of_factor(4), Some(3 * larger));
    let largest = 7 + 4 * (alone(2048) + 800);
    assert_eq!(
        without_code(Change::LargerTransfers, &record),
        Some(3 * largest)
    );
    // A part for each group: of 10, 8 are one.
    let record = launch(&[&[(&[load(1, 256), wait(1), compute(100)], 10)]]);
    assert_eq!(
        without_code(Change::LargerTransfers, &record),
        Some(alone(2048) + 800 + 2 * (alone(256) + 100))
    );
    // A transfer for each row: there are as many.
    let mut rows = load(1, 64);
    if let GroupStep::Transfer { times, .. } = &mut rows {
        *times = 16;
    }
    let record = launch(&[&[(&[rows.clone(), wait(1)], 8)]]);
    let larger = larger_transfers(&record, 8).expect("it applies");
    if let GroupStep::Transfer { times, .. } = &mut rows {
        *times = 128;
    }
    assert_eq!(larger.arrays[0].steps[0].0[0], rows);
    // Too few, and no transfers.
    let record = launch(&[&[(&[load(1, 256), wait(1), compute(100)], 1)]]);
    assert_eq!(without_code(Change::LargerTransfers, &record), None);
    let record = launch(&[&[(&[compute(100)], 10)]]);
    assert_eq!(without_code(Change::LargerTransfers, &record), None);
}

/// With two buffers, the transfer of a part is started before the code of the part before it.
#[test]
fn larger_transfers_stay_ahead_of_code() {
    let bodies = (2..=33).flat_map(|event| [load(event, 256), wait(event - 1), compute(1000)]);
    let group: Vec<GroupStep> = [load(1, 256)].into_iter().chain(bodies).collect();
    let record = launch(&[&[(&group, 1)]]);
    let changed = larger_transfers(&record, 8).expect("there is a loop");
    let [(steps, 1)] = &changed.arrays[0].steps[..] else {
        panic!("{changed:?}");
    };
    let expected = (0..4).flat_map(|body| {
        let event = 2 + 8 * body;
        let awaited = if body == 0 { 1 } else { event - 8 };
        [load(event, 2048), wait(awaited), compute(8000)]
    });
    let expected: Vec<GroupStep> = [load(1, 256)].into_iter().chain(expected).collect();
    assert_eq!(steps[..], expected);
}

/// Two arguments, of which a group loads 1,000 and 64,000 bytes 100 and 2 times; half and a quarter of the
/// cycles for DDR are theirs.
#[test]
fn copies_replace_loads_by_one_transfer_for_each_group() {
    let argument = |name: &str, outside, local| LoadedArgument {
        name: name.into(),
        shares: vec![LoadShare {
            block: 0,
            outside,
            local,
        }],
    };
    let cost = KernelCost {
        blocks: vec![BlockCost {
            outside: 40,
            ..BlockCost::default()
        }],
        loaded_arguments: vec![argument("a", 1 << 15, 2), argument("b", 1 << 14, 1)],
        ..KernelCost::default()
    };
    let footprint = |different, times| {
        Some(Footprint {
            loaded: times * different,
            different,
            rows: different / 1000,
        })
    };
    let footprints = [footprint(1000, 100), footprint(64_000, 2)];
    let code = |compute, scratchpad, outside| {
        GroupStep::Run(SegmentWork {
            compute,
            scratchpad,
            outside,
            ..SegmentWork::default()
        })
    };
    // Each step is the code of two groups.
    let mut record = launch(&[&[(&[code(2000, 0, 80_000)], 3)]]);
    record.arrays[0].groups = 6;
    let machine = Machine::mt3000();
    let times = |footprints: &[Option<Footprint>]| {
        let launch = Launch {
            footprints,
            ..of_code((&cost, &[6000]), &record)
        };
        let variants = apply(Change::LocalCopies, &machine, launch);
        variants
            .map(|Variant { record, copies }| {
                let names: String = copies.into_iter().map(|copy| copy.argument).collect();
                (names, cycles(&record))
            })
            .collect::<Vec<_>>()
    };
    let expected = |loads: &[GroupStep], scratchpad, outside| {
        let group = [loads, &[wait(1), code(1000, scratchpad, outside)]].concat();
        cycles(&launch(&[&[(&group, 6)]]))
    };
    let of_a = expected(&[load(1, 1000)], 2000, 20_000);
    let rows = || repeated_load(64, 1000);
    let of_b = expected(&[rows()], 1000, 30_000);
    let of_both = expected(&[load(1, 1000), rows()], 3000, 10_000);
    assert!(of_both < of_a && of_a < cycles(&record));
    let named = |name: &str, cycles| (name.to_owned(), cycles);
    assert_eq!(
        times(&footprints),
        [named("a", of_a), named("b", of_b), named("ab", of_both)]
    );
    // What does not fit, or is not known, is not copied.
    assert_eq!(times(&[footprint(701 << 10, 1), None]), []);
    let mut large = footprints;
    large[1] = footprint(700 << 10, 1);
    assert_eq!(times(&large).len(), 2);
}

/// Transfers of `bytes` that a loop starts.
fn repeated_load(number: u64, bytes: u64) -> GroupStep {
    let mut transfers = load(1, bytes);
    if let GroupStep::Transfer { times, .. } = &mut transfers {
        *times = number;
    }
    transfers
}
