use super::*;
use crate::dma::Transfer;
use crate::machine::SharedMemory;
use crate::timing::cost::{BlockCost, KernelCost, LoadedArgument};
use crate::timing::launch_record::SegmentWork;
use crate::timing::launch_timing::LaunchTiming;
use crate::units::Cycles;
use std::ffi::c_void;

fn cost() -> KernelCost {
    let block = |compute| BlockCost {
        compute,
        ..BlockCost::default()
    };
    KernelCost {
        blocks: vec![block(10), block(1)],
        counters: 2,
        ..KernelCost::default()
    }
}

/// A transfer of rows of 8 bytes to an address, where they lie end to end.
fn transfer(destination: usize, source_stride: u64, rows: u64, event: *const c_void) -> Transfer {
    Transfer {
        destination: std::ptr::without_provenance_mut(destination),
        destination_stride: 8,
        source: std::ptr::null(),
        source_stride,
        row_bytes: 8,
        rows,
        event,
    }
}

/// Copies a row out of local memory.
fn copy_row(shard: &mut RecorderShard) {
    let row = transfer(0x8000, 8, 1, std::ptr::null());
    shard.group_recorder().transfer(&row, 1);
}

/// Stores counters as timed code does.
fn set(shard: &RecorderShard, counters: &[u64]) {
    for (counter, number) in shard.counters().iter().zip(counters) {
        counter.store(*number, Relaxed);
    }
}

/// Runs groups of these numbers as one thread would; each counts its number.
fn run(
    recorder: &Recorder,
    groups: impl Iterator<Item = u64>,
    body: &dyn Fn(&mut RecorderShard, u64),
) {
    let mut shard = recorder.take_shard(1000..2000);
    for group in groups {
        set(&shard, &[0; 2]);
        body(&mut shard, group);
        recorder.end_group(&mut shard, group);
    }
    recorder.return_shard(shard);
}

fn record(
    groups: u64,
    threads: u64,
    body: &dyn Fn(&mut RecorderShard, u64),
) -> (LaunchRecord, Vec<u64>) {
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
    let recorder = Recorder::new(&kernel, ArrayRange::all(4), groups);
    for thread in 0..threads {
        // Backwards, and mixed.
        let own = (0..groups).rev().filter(|group| group % threads == thread);
        run(&recorder, own, body);
    }
    recorder.finish()
}

#[test]
fn sums_of_groups_without_events_do_not_depend_on_threads() {
    let body = |shard: &mut RecorderShard, group: u64| set(shard, &[1, group]);
    let record_of = |threads| record(10_000, threads, &body);
    let one = record_of(1);
    assert_eq!(one, record_of(3));
    let (one, counts) = one;
    let array = &one.arrays[1];
    assert_eq!(array.groups, 2500);
    assert!(array.steps.len() <= MAX_STEPS_PER_ARRAY as usize);
    let sum: u64 = (0..10_000).filter(|group| group % 4 == 1).sum();
    assert_eq!(counts, [10_000, (0..10_000).sum()]);
    let of_steps = array.steps.iter().map(|(steps, times)| match &steps[..] {
        [GroupStep::Run(work)] => work.compute * times,
        other => panic!("{other:?}"),
    });
    assert_eq!(of_steps.sum::<u64>(), 25_000 + sum);
}

#[test]
fn counters_of_groups_with_and_without_events_are_added() {
    let body = |shard: &mut RecorderShard, group: u64| {
        set(shard, &[1, group]);
        if group.is_multiple_of(3) {
            copy_row(shard);
        }
    };
    for threads in [1, 3] {
        let (_, counts) = record(1000, threads, &body);
        assert_eq!(counts, [1000, (0..1000).sum()]);
    }
}

/// Steps of kernels with many counters are kept as cost sums, those of others as counters.
#[test]
fn records_do_not_depend_on_the_number_of_counters() {
    let record = |counters| {
        let cost = KernelCost { counters, ..cost() };
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost)));
        assert_eq!(kernel.counter_costs().keeps_counters(), counters == 2);
        let recorder = Recorder::new(&kernel, ArrayRange::all(4), 300);
        // Ten times the second block costs as much as once the first one.
        run(&recorder, 0..300, &|shard, group| match group % 3 {
            0 => set(shard, &[1, 0]),
            1 => set(shard, &[0, 10]),
            _ => set(shard, &[0, group]),
        });
        let (record, counts) = recorder.finish();
        (record, counts[..2].to_vec())
    };
    assert_eq!(record(2), record(20));
}

/// The report of code alone, which has no record, is that of the record.
#[test]
fn code_takes_as_long_with_and_without_a_record() {
    let machine = Arc::new(Machine::mt3000());
    let layout = CodeStackLayout::from(&machine.layout);
    let report = |details| {
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
        let recorder = Recorder::new(&kernel, ArrayRange::all(4), 1000);
        for thread in 0..2 {
            let own = (0..1000).filter(|group| group % 2 == thread);
            run(&recorder, own, &|shard, group| {
                set(shard, &[group % 7, group])
            });
        }
        let sizes = LaunchSizes {
            groups: 1000,
            ..LaunchSizes::default()
        };
        let report = recorder.report(&machine, layout, sizes, details);
        LaunchReport::clone(report.get())
    };
    let code = report(Details::default());
    let recorded = report(Details {
        timeline: true,
        ..Details::default()
    });
    assert!(
        code.timing
            .arrays
            .iter()
            .all(|array| array.end > code.timing.start)
    );
    let without_slices = LaunchTiming {
        slices: Vec::new(),
        ..recorded.timing
    };
    assert_eq!(code.timing, without_slices);
}

#[test]
fn repeated_groups_are_recorded_as_if_they_had_run() {
    let record = |repeats: bool, counters, copies: bool, ranges: [&[Range<u64>]; 2]| {
        let cost = KernelCost { counters, ..cost() };
        let kernel = Arc::new(TimedKernel::new(Arc::new(cost)));
        let recorder = Recorder::new(&kernel, ArrayRange::all(4), 400);
        for own in ranges {
            let mut shard = recorder.take_shard(1000..2000);
            for group in own.iter().cloned().flatten() {
                if repeats && recorder.can_repeat(&shard) {
                    recorder.repeat_group(&mut shard, group);
                    continue;
                }
                set(&shard, &[0, 3]);
                if copies {
                    let transfer = transfer(1500, 16, 2, std::ptr::null());
                    shard.group_recorder().transfer(&transfer, 1);
                    set(&shard, &[2, 5]);
                }
                recorder.end_group(&mut shard, group);
            }
            recorder.return_shard(shard);
        }
        recorder.finish()
    };
    // By one shard, by two, and not all of them: a launch can be stopped.
    let threads: [[&[Range<u64>]; 2]; 3] = [
        [&[0..9, 9..400], &[]],
        [&[0..3, 9..201, 390..400], &[3..9, 201..390]],
        [&[0..30, 33..37], &[51..52, 60..77]],
    ];
    for ranges in threads {
        for (counters, copies) in [(2, false), (2, true), (20, false), (20, true)] {
            assert_eq!(
                record(true, counters, copies, ranges),
                record(false, counters, copies, ranges),
                "{counters} counters, {copies}, {ranges:?}"
            );
        }
    }
}

/// The report of groups that are known to be equal does not depend on the threads, and is that of the groups
/// one by one.
#[test]
fn reports_of_equal_groups_are_those_of_the_groups_one_by_one() {
    let machine = Arc::new(Machine::mt3000());
    let layout = CodeStackLayout::from(&machine.layout);
    let report = |kernel: &Arc<TimedKernel>, groups: u64, work: u64, threads: u64, repeats| {
        let recorder = Recorder::new(kernel, ArrayRange::all(4), groups);
        for thread in 0..threads {
            let own = groups * thread / threads..groups * (thread + 1) / threads;
            let mut shard = recorder.take_shard(1000..2000);
            for group in own {
                if repeats && recorder.can_repeat(&shard) {
                    recorder.repeat_group(&mut shard, group);
                    continue;
                }
                set(&shard, &[2, work]);
                recorder.end_group(&mut shard, group);
            }
            recorder.return_shard(shard);
        }
        let sizes = LaunchSizes {
            groups,
            ..LaunchSizes::default()
        };
        let report = recorder.report(&machine, layout, sizes, Details::default());
        LaunchReport::clone(report.get())
    };
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
    for (groups, work) in [(400, 1), (400, 2), (399, 1), (1, 1), (1000, 7)] {
        let fresh = Arc::new(TimedKernel::new(Arc::new(cost())));
        let expected = report(&fresh, groups, work, 1, false);
        for threads in [1, 2, 1] {
            let found = report(&kernel, groups, work, threads, true);
            assert_eq!(found, expected, "{groups} {work} {threads}");
        }
    }
}

/// Launches of one kernel use the same shards, whatever they are like.
#[test]
fn nothing_is_left_of_launches_before() {
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
    let record = |kernel: &Arc<TimedKernel>, arrays: u64, groups: u64, copies: bool| {
        let arrays = ArrayRange::all(arrays);
        let recorder = Recorder::new(kernel, arrays, groups);
        run(&recorder, 0..groups, &|shard, group| {
            set(shard, &[group, 1]);
            if copies {
                copy_row(shard);
                shard.counters()[1].store(9, Relaxed);
            }
        });
        recorder.finish()
    };
    for (arrays, groups, copies) in [
        (24, 1000, false),
        (2, 5, true),
        (24, 30, true),
        (3, 7, false),
        (24, 2000, false),
        (1, 1, false),
    ] {
        let fresh = Arc::new(TimedKernel::new(Arc::new(cost())));
        assert_eq!(
            record(&kernel, arrays, groups, copies),
            record(&fresh, arrays, groups, copies),
            "{groups} groups on {arrays} arrays"
        );
    }
}

/// Launches that repeat have the report of the first one; all others have their own.
#[test]
fn reports_of_repeated_launches_are_those_of_their_work() {
    let machine = Arc::new(Machine::mt3000());
    let layout = CodeStackLayout::from(&machine.layout);
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
    let report = |kernel: &Arc<TimedKernel>, arrays, groups, long, copies: &[u64], threads| {
        let recorder = Recorder::new(kernel, ArrayRange::all(arrays), groups);
        for thread in 0..threads {
            let own = (0..groups).rev().filter(|group| group % threads == thread);
            run(&recorder, own, &|shard, group| {
                set(shard, &[1 + u64::from(group == long), 1]);
                if copies.contains(&group) {
                    copy_row(shard);
                }
            });
        }
        let sizes = LaunchSizes {
            groups,
            ..LaunchSizes::default()
        };
        recorder
            .report(&machine, layout, sizes, Details::default())
            .get()
            .clone()
    };
    let launches: [(u64, u64, u64, &[u64]); 7] = [
        (24, 10, 1, &[]),
        (24, 10, 2, &[]),
        (12, 10, 1, &[]),
        (24, 11, 1, &[]),
        (24, 10, 1, &[3]),
        (24, 10, 1, &[4]),
        (24, 10, 1, &[3, 4]),
    ];
    let mut known = Vec::new();
    for (arrays, groups, long, copies) in launches {
        let fresh = Arc::new(TimedKernel::new(Arc::new(cost())));
        let first = report(&kernel, arrays, groups, long, copies, 1);
        assert_eq!(first, report(&fresh, arrays, groups, long, copies, 1));
        known.push((first, arrays, groups, long, copies));
    }
    for (first, arrays, groups, long, copies) in known {
        for threads in [1, 3] {
            let again = report(&kernel, arrays, groups, long, copies, threads);
            assert!(Arc::ptr_eq(&first, &again));
        }
    }
}

/// Of two arguments, one is loaded more than local memory can hold, and the launches differ in which one.
#[test]
fn launches_that_load_other_arguments_have_their_own_report() {
    let machine = Arc::new(Machine::mt3000());
    let layout = CodeStackLayout::from(&machine.layout);
    let argument = |name: &str| LoadedArgument {
        name: name.into(),
        shares: Vec::new(),
    };
    let cost = KernelCost {
        loaded_arguments: vec![argument("a"), argument("b")],
        ..cost()
    };
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost)));
    let report = |exceeded| {
        let recorder = Recorder::new(&kernel, ArrayRange::all(24), 1);
        run(&recorder, 0..1, &|shard, group| {
            let footprints = recorder.footprints(shard, group).expect("it is recorded");
            footprints.load(1 - exceeded, 0, 4);
            for place in 0..10_000 {
                footprints.load(exceeded, 4096 * place, 4);
            }
        });
        let details = Details {
            alternatives: true,
            ..Details::default()
        };
        let report = recorder.report(&machine, layout, LaunchSizes::default(), details);
        Arc::clone(report.get())
    };
    let reports = [0, 1, 0].map(report);
    assert!(!Arc::ptr_eq(&reports[0], &reports[1]));
    assert!(Arc::ptr_eq(&reports[0], &reports[2]));
}

/// Several threads need a report at the same time; one of them computes it.
#[test]
fn a_report_is_computed_once() {
    let machine = Arc::new(Machine::mt3000());
    let layout = CodeStackLayout::from(&machine.layout);
    let kernel = Arc::new(TimedKernel::new(Arc::new(cost())));
    let recorder = Recorder::new(&kernel, ArrayRange::all(24), 100);
    run(&recorder, 0..100, &|shard, group| set(shard, &[group, 1]));
    let report = recorder.report(&machine, layout, LaunchSizes::default(), Details::default());
    assert!(!report.is_known());
    let reports = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(|| Arc::clone(report.get())));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(report.is_known());
    assert!(reports[0].timing.end > Cycles::ZERO);
    assert!(reports.iter().all(|other| Arc::ptr_eq(other, &reports[0])));
}

#[test]
fn groups_with_events_keep_their_order() {
    let body = |shard: &mut RecorderShard, group: u64| {
        let start = |shard: &mut RecorderShard, event| {
            let number = shard
                .group_recorder()
                .transfer(&transfer(1500, 16, 2, event), 3);
            std::ptr::without_provenance(number)
        };
        shard.counters()[0].store(100, Relaxed);
        let event = start(shard, std::ptr::null());
        shard.counters()[1].store(5, Relaxed);
        // Belongs to the same event, and is started just after it.
        let same = start(shard, event);
        assert_eq!(event, same);
        shard.counters()[1].store(5 + group % 2 * 1000, Relaxed);
        shard.group_recorder().wait(event, 2);
    };
    let (record, _) = record(8, 2, &body);
    let run = |compute| {
        GroupStep::Run(SegmentWork {
            compute,
            ..SegmentWork::default()
        })
    };
    let transfers = GroupStep::Transfer {
        times: 2,
        between: SegmentWork {
            compute: 5,
            ..SegmentWork::default()
        },
        event: 1,
        rows: 2,
        row_bytes: 8,
        to_scratchpad: true,
        memory: SharedMemory::Ddr,
        second: None,
        sites: [(3, 2)].into(),
    };
    let wait = GroupStep::Wait { event: 1, site: 2 };
    let even = [run(1000), transfers.clone(), wait.clone()];
    let odd = [run(1000), transfers, run(1000), wait];
    for (array, expected) in record.arrays.iter().zip([&even[..], &odd, &even, &odd]) {
        let [(steps, 2)] = &array.steps[..] else {
            panic!("{array:?}");
        };
        assert_eq!(steps[..], *expected);
    }
}
