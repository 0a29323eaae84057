//! Simulated time of programs: what they do against what the machine's description says it takes.

use crate::programs::build;
use crate::tree::TREE;
use device_sim::machine::{Machine, SharedMemory, Start};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::Activity;
use device_sim::units::Nanoseconds;
use recording::{Command, Process};
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Runs the program; its output, and its recording without what depends on the host.
pub fn record(folder: &Path, threads: u32, run: u32) -> (String, Process) {
    let name = format!("recording-{threads}-{run}");
    let variables = format!("MOCL3_RECORD={name} MOCL3_HOST_THREADS={threads}");
    let output = TREE.succeed(&format!("{variables} ./program"), folder);
    let mut processes = recording::read_folder(&folder.join(name)).unwrap();
    assert_eq!(processes.len(), 1);
    let mut process = processes.remove(0);
    assert!(process.end.is_some());
    process.header.pid = 0;
    process.header.host_threads = 0;
    process.end.iter_mut().for_each(|end| end.host_time = 0);
    for command in &mut process.commands {
        (command.host_begin, command.host_end) = (0, 0);
    }
    for call in &mut process.calls {
        (call.host_begin, call.host_end) = (0, 0);
    }
    (output, process)
}

/// The program on one host thread.
static RUN: LazyLock<(TempDir, String, Process)> = LazyLock::new(|| {
    let folder = build("timing", "-O2");
    let (output, process) = record(folder.path(), 1, 0);
    (folder, output, process)
});

fn process() -> &'static Process {
    &RUN.2
}

fn machine() -> Machine {
    Machine::mt3000()
}

/// The machine whose arrays `hthread_group_create` fires.
fn fired() -> Machine {
    let mut machine = machine();
    machine.launch.start = Start::Fire;
    machine
}

/// The launches of a kernel.
fn launches(kernel: &str) -> Vec<&'static Command> {
    let all = process().commands.iter();
    all.filter(|command| command.kernel.as_deref() == Some(kernel))
        .collect()
}

/// The only launch of a kernel.
fn launch(kernel: &str) -> &'static Command {
    let [launch] = launches(kernel)[..] else {
        panic!("{kernel}");
    };
    launch
}

fn report(launch: &Command) -> &LaunchReport {
    launch.report.as_deref().unwrap()
}

/// Two launches of a kernel on one array, of which the second did more.
fn pair(kernel: &str) -> [&'static LaunchReport; 2] {
    let [less, more] = launches(kernel)[..] else {
        panic!("{kernel}");
    };
    [report(less), report(more)]
}

/// Cycles of each array.
pub fn cycles(report: &LaunchReport, activity: Activity) -> Vec<u64> {
    let arrays = report.timing.arrays.iter();
    arrays.map(|array| array.cycles[activity].0).collect()
}

#[test]
fn a_recording_does_not_depend_on_the_host() {
    let (folder, output, process) = &*RUN;
    for (threads, run) in [(1, 1), (4, 0), (7, 0)] {
        let (again, recording) = record(folder.path(), threads, run);
        assert_eq!(again, *output, "{threads} threads");
        assert_eq!(recording, *process, "{threads} threads");
    }
    for command in &process.commands {
        let report = report(command);
        for array in &report.timing.arrays {
            assert_eq!(array.cycles.total(), report.timing.end);
        }
    }
    let waits = process.calls.iter();
    let waits = waits.filter(|call| call.function == "hthread_group_wait");
    assert_eq!(waits.count(), process.commands.len());
}

/// The start, the latency, a row, and the bytes at the channel's rate.
fn transfer(memory: SharedMemory) -> u64 {
    let machine = machine();
    let dma = &machine.dma;
    let latency = machine.memory.shared(memory).latency.value;
    dma.start.value + latency + dma.row.value + 4096 / dma.channel_rate.value
}

#[test]
fn transfers_take_the_time_of_their_memories() {
    for (kernel, memory, lines) in [
        ("load_from_ddr", SharedMemory::Ddr, (4096, 0)),
        ("load_from_gsm", SharedMemory::Gsm, (0, 4096)),
    ] {
        let report = report(launch(kernel));
        assert_eq!(cycles(report, Activity::DmaWait), [transfer(memory)]);
        let timing = &report.timing;
        assert_eq!(timing.transferred.0, 4096);
        let on_chip = timing.transferred_on_chip[SharedMemory::Gsm as usize].0;
        assert_eq!((timing.transferred_lines.0, on_chip), lines);
    }
}

/// Arrays are started one after the other; the first waits longest. The pipeline runs empty, and the
/// message to the unit and back takes as long as one to a lock.
#[test]
fn barriers_end_when_the_last_thread_has_come() {
    let machine = machine();
    let fired = fired();
    let begin = |number| fired.clock().cycles(fired.launch.time_to_start(number)).0;
    let own = machine.array.latency.barrier.value + machine.locks.take.value;
    let expected: Vec<u64> = (1..=5)
        .map(|number| begin(5) - begin(number) + own)
        .collect();
    assert_eq!(cycles(report(launch("meet")), Activity::Barrier), expected);
    let late = launch("too_late");
    assert_eq!(late.status, -14);
    let waited = report(late).timing.arrays[0].cycles[Activity::Barrier].0;
    assert_eq!(waited, 1200 + machine.array.latency.barrier.value);
}

#[test]
fn locks_are_taken_one_after_the_other() {
    let locks = machine().locks;
    let held = locks.take.value + locks.release.value;
    let alone = report(launch("lock_alone"));
    assert_eq!(cycles(alone, Activity::LockWait), [held; 3]);
    assert_eq!(alone.timing.locks, 3);
    // Each waits for those before it, which hold the lock for its release and a little code.
    let together = cycles(report(launch("lock_together")), Activity::LockWait);
    assert_eq!(together[0], held);
    let longer = together[1] - together[0];
    assert_eq!(together[2] - together[1], longer);
    assert!((held..held + 20).contains(&longer), "{together:?}");
}

/// A chain waits for each result; four loads and stores of AM have two units.
#[test]
fn loops_take_what_their_operations_take() {
    let multiply_add = machine().array.latency.vector_multiply_add.value;
    for (kernel, each) in [("dependent", multiply_add), ("independent", 4 / 2)] {
        let [short, long] = pair(kernel);
        let code = |report| {
            let of = |activity| cycles(report, activity)[0];
            of(Activity::Compute) + of(Activity::Scratchpad)
        };
        assert_eq!(code(long) - code(short), 1000 * each, "{kernel}");
        let flops = long.totals.double_flops - short.totals.double_flops;
        assert_eq!((flops, long.lanes), (1000 * 2 * 16, 16));
    }
}

/// Lanes access AM only.
#[test]
fn a_loop_that_stores_vectors_does_not_wait_for_memory() {
    let [short, long] = pair("clear");
    let waits = |report| cycles(report, Activity::Memory)[0];
    assert_eq!(waits(long), waits(short));
    let near = |report: &LaunchReport| report.totals.scratchpad_bytes.0;
    assert_eq!(near(long) - near(short), 1000 * 128);
}

#[test]
fn bytes_are_those_of_the_memories() {
    let more = |kernel| {
        let [less, more] = pair(kernel);
        let outside = |memory| {
            let of = |report: &LaunchReport| report.timing.traffic[memory as usize].0;
            of(more) - of(less)
        };
        let (gsm, ddr) = (outside(SharedMemory::Gsm), outside(SharedMemory::Ddr));
        let near = more.totals.scratchpad_bytes.0 - less.totals.scratchpad_bytes.0;
        (ddr, gsm, near)
    };
    let bytes = 256 * 8;
    assert_eq!(more("sum_ddr"), (bytes, 0, 0));
    assert_eq!(more("sum_gsm"), (0, bytes, 0));
    assert_eq!(more("sum_sm"), (0, 0, bytes));
}

#[test]
fn the_devices_clock_is_simulated() {
    let output = &RUN.1;
    let line = output.lines().next().unwrap();
    let numbers: Vec<u64> = line.split(' ').map(|one| one.parse().unwrap()).collect();
    let [slept @ .., asked] = &numbers[..] else {
        panic!("{output}");
    };
    let machine = machine();
    let sleep = machine.clock().cycles(Nanoseconds(5000)).0;
    assert!(slept.iter().all(|one| *one == slept[0]), "{output}");
    assert!((sleep..sleep + 200).contains(&slept[0]), "{output}");
    assert!(
        *asked > 5 && *asked < transfer(SharedMemory::Ddr),
        "{output}"
    );
    // The last thread ends the wait of the others a microsecond after it has begun.
    let [first, .., last] = &report(launch("hand_over")).timing.arrays[..] else {
        panic!("several arrays");
    };
    assert!(first.end >= last.begin + machine.clock().cycles(Nanoseconds(1000)));
    assert!(first.end.0 < last.end.0 + 2_000);
}

/// What a kernel reads from the performance monitor is what recordings have, and `mocl3 stat` shows.
#[test]
fn events_agree_with_the_recording() {
    let folder = build("profile", "-O2");
    let (output, process) = record(folder.path(), 1, 0);
    let numbers = output.split_whitespace().map_while(|one| one.parse().ok());
    let counts: Vec<u64> = numbers.take(26).collect();
    let [less, more] = &process.commands[..] else {
        panic!("two launches");
    };
    let (less, more) = (report(less), report(more));
    let issued: u64 = counts[15..].iter().sum();
    let instructions = more.totals.operations - less.totals.operations;
    // Units of one kind take turns, so that each may be ahead by one.
    assert!(
        issued.abs_diff(instructions) <= 4,
        "{issued} {instructions}"
    );
    // Three fused products and sums in each of 1,000 iterations.
    assert_eq!(counts[21..24], [1000; 3]);
    let all = |report: &LaunchReport| report.timing.arrays[0].cycles.total().0;
    assert_eq!(counts[0], all(more) - all(less));
    // Cycles are stalls, waits between packets, and packets with instructions; the loop loads nothing.
    assert_eq!(counts[11..14].iter().sum::<u64>(), counts[0]);
    assert_eq!(counts[1], 1000);
    let others = [2, 4, 5, 6, 7, 8, 9, 10, 11, 14].map(|event: usize| counts[event]);
    assert_eq!(others, [0; 10]);
}

/// Interrupts take what the machine's description says, on any number of the host's threads.
#[test]
fn interrupts_take_the_time_of_launches() {
    let folder = build("interrupt_times", "-O2");
    let (output, process) = record(folder.path(), 1, 0);
    for (threads, run) in [(1, 1), (4, 0), (7, 0)] {
        let again = record(folder.path(), threads, run);
        assert_eq!(
            again,
            (output.clone(), process.clone()),
            "{threads} threads"
        );
    }
    let numbers = output.split_whitespace().map(|one| one.parse().unwrap());
    let cycles: Vec<u64> = numbers.collect();
    let machine = machine();
    let clock = machine.clock();
    let there = clock.cycles(machine.launch.time_to_notify_host()).0;
    let launch = &machine.launch;
    let back = clock.cycles(launch.time_to_interrupt_array().unwrap()).0;
    let host = clock.cycles(Nanoseconds(machine.host.enqueue.value)).0;
    // The handler, the loop that waits, and what reading the clock takes.
    let code = 1_000;
    for round_trip in &cycles[..3] {
        let least = there + host + back;
        assert!(
            (least..least + 3 * host + code).contains(round_trip),
            "{output}"
        );
    }
    // The last thread comes after a millisecond; the interrupt was taken before.
    let sleep = clock.cycles(Nanoseconds(1_000_000)).0;
    assert!((sleep..2 * sleep).contains(&cycles[3]), "{output}");
    // The first thread begins when an interrupt that was sent then would arrive, and gets the third one. The
    // others begin later, when theirs have arrived.
    assert!((2 * host..3 * host).contains(&cycles[6]), "{output}");
    assert!(cycles[7..].iter().all(|wait| *wait < 100), "{output}");
}
