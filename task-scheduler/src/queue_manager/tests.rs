//! Times of tasks, by hand: a descriptor takes the manager 23 cycles, the choice of a task 46, and its end
//! 46; a transfer takes 20 cycles and one for 32 bytes.

use crate::{ArrivingTask, Descriptor, Settings, TaskStream, TaskTimes, run};
use device_sim::machine::{Description, Scheduling, Shipped};

/// The accelerator id of `vector_dot`.
const DOT: usize = 4;

/// The accelerator id of `fft_256`.
const FFT: usize = 7;

fn settings(changes: &[&str]) -> Settings {
    let mut machine = Description::select(Shipped::DSP).unwrap();
    for change in changes {
        machine
            .set(&format!("task_scheduler.queue_manager.{change}"))
            .unwrap();
    }
    let settings = Settings::new(&machine.machine().unwrap()).unwrap();
    settings.with_scheduling(Scheduling::Managed)
}

fn stream(changes: &[&str], units: usize) -> TaskStream {
    TaskStream::new(&settings(changes).with_units(units))
}

fn task(function: usize, cycles: u64, arrival: u64) -> ArrivingTask {
    ArrivingTask {
        function,
        cycles,
        arrival,
        waits_for: Vec::new(),
        descriptor: Descriptor::default(),
    }
}

fn moving(input: u64, output: u64) -> ArrivingTask {
    let descriptor = Descriptor {
        input,
        output,
        loaded: input,
        ..Descriptor::default()
    };
    ArrivingTask {
        descriptor,
        ..task(DOT, 1000, 0)
    }
}

/// The times of a task whose end is noted after that of its accelerator, and after that of a transfer.
fn noted(begin: u64, computed: u64, transfer: u64) -> TaskTimes {
    TaskTimes {
        end: computed + transfer + 46,
        ..TaskTimes::on(0, begin, computed)
    }
}

fn times(stream: &mut TaskStream, numbers: &[u64]) -> Vec<(u64, u64)> {
    let times = numbers.iter().map(|number| stream.times(*number));
    times.map(|times| (times.begin, times.end)).collect()
}

#[test]
fn a_task_is_read_selected_executed_and_noted() {
    let mut direct = stream(&[], 1);
    let number = direct.submit(task(DOT, 53, 100));
    let begin = 100 + 23 + 46;
    let expected = noted(begin, begin + 53, 0);
    assert_eq!(direct.times(number), expected);
    let mut trapped = stream(&["enqueue=trap"], 1);
    let number = trapped.submit(task(DOT, 53, 100));
    assert_eq!(trapped.times(number).begin, begin + 876);
}

#[test]
fn data_pass_through_the_managed_memory() {
    let mut stream = stream(&[], 1);
    let number = stream.submit(moving(3200, 320));
    let begin = 23 + 46 + 20 + 100;
    let end = begin + 1000 + 20 + 10 + 46;
    assert_eq!(times(&mut stream, &[number]), [(begin, end)]);
}

#[test]
fn a_task_in_steps_uses_what_memory_there_is() {
    let steps = |size: &str| {
        let mut stream = stream(&[&format!("memory.size={size}")], 1);
        let mut task = moving(65536, 4096);
        task.descriptor.step = Some(4096);
        task.descriptor.loaded = 1 << 20;
        let number = stream.submit(task);
        stream.times(number)
    };
    let written = 20 + 128;
    // All inputs: those of two steps take 256 cycles, the others 1792 during the 1000 of the task.
    let begin = 23 + 46 + 20 + 256;
    assert_eq!(steps("1MiB"), noted(begin, begin + 1792, written));
    // Those of two steps, which are loaded again for each product: 32768 cycles.
    let rest = 32768 - 256;
    assert_eq!(steps("16KiB"), noted(begin, begin + rest, written));
    // Those of one step, during which nothing is loaded.
    let (begin, rest) = (begin - 128, rest + 128);
    assert_eq!(steps("8KiB"), noted(begin, begin + rest + 1000, written));
    // Not even these.
    assert!(steps("4KiB").gave_up);
}

#[test]
fn tasks_wait_for_memory() {
    let mut stream = stream(&["memory.size=8KiB", "policy=power"], 2);
    let numbers = [
        stream.submit(moving(8192, 0)),
        stream.submit(moving(8192, 0)),
    ];
    let [first, second] = numbers.map(|number| stream.times(number));
    assert!(!second.gave_up);
    // The chunk is free when the end of the first is noted.
    assert_eq!(second.begin, first.end + 46 + 20 + 256);
}

#[test]
fn policies_order_the_queue() {
    let order = |policy: &str| {
        let mut stream = stream(&[&format!("policy={policy}")], 1);
        let mut numbers = Vec::new();
        for (cycles, priority) in [(900, 0), (500, 1), (400, 3), (600, 2)] {
            let mut task = task(DOT, cycles, 0);
            task.descriptor.priority = priority;
            numbers.push(stream.submit(task));
        }
        let mut order: Vec<u64> = numbers.clone();
        let begins: Vec<u64> = numbers.iter().map(|n| stream.times(*n).begin).collect();
        order.sort_by_key(|number| begins[*number as usize - 1]);
        order
    };
    // The first one begins before the others arrive.
    assert_eq!(order("fifo"), [1, 2, 3, 4]);
    assert_eq!(order("lifo"), [1, 4, 3, 2]);
    assert_eq!(order("priority"), [1, 3, 4, 2]);
    assert_eq!(order("shortest"), [1, 3, 2, 4]);
}

#[test]
fn a_policy_can_be_written() {
    let longest = ["policy=fifo", "policies.fifo.order.expression=-cycles"];
    let mut stream = stream(&longest, 1);
    let numbers = [100, 200, 300].map(|cycles| stream.submit(task(DOT, cycles, 0)));
    let begins = numbers.map(|number| stream.times(number).begin);
    assert!(begins[2] < begins[1]);
    let mut machine = Description::select(Shipped::DSP).unwrap();
    let unknown = "task_scheduler.queue_manager.policies.lifo.order.expression=age";
    machine.set(unknown).unwrap();
    let error = Settings::new(&machine.machine().unwrap()).unwrap_err();
    assert!(error.to_string().contains("`age` is no number of a task"));
}

#[test]
fn tasks_are_given_up_when_a_processor_is_faster() {
    let mut stream = stream(&["slowdown=4"], 1);
    let numbers: Vec<u64> = (0..8).map(|_| stream.submit(task(DOT, 1000, 0))).collect();
    let all: Vec<TaskTimes> = numbers.iter().map(|n| stream.times(*n)).collect();
    let gave_up: Vec<bool> = all.iter().map(|times| times.gave_up).collect();
    // A routine takes 4000 cycles. The fifth task would wait for 4000 cycles, less 161 for the manager,
    // which has read four descriptors and selected one, and take 1000 more.
    let expected = [false, false, false, false, true, false, false, false];
    assert_eq!(gave_up, expected);
    let begin = 23 + 46 + 4 * 23 + 46;
    assert_eq!(all[4].begin, begin);
    // At its end, the fourth accelerator's task ends as well, and the manager selects the next one first.
    assert_eq!(all[4].end, begin + 4000 + 46 + 46);
}

#[test]
fn power_has_a_cap() {
    let most_at_work = |cap: &str| {
        let cap = format!("power_cap={cap}");
        let mut stream = stream(&["policy=power", &cap], 4);
        let mut numbers = Vec::new();
        for number in 0..20 {
            let function = [DOT, FFT][number % 2];
            numbers.push(stream.submit(task(function, 5000, 0)));
        }
        let all: Vec<TaskTimes> = numbers.iter().map(|n| stream.times(*n)).collect();
        let at = |time| {
            let at_work = all.iter().filter(|times| !times.gave_up);
            let at_work = at_work.filter(|times| (times.begin..times.begin + 5000).contains(&time));
            at_work.count()
        };
        let most = all.iter().map(|times| at(times.begin)).max().unwrap();
        (most, all.iter().filter(|times| times.gave_up).count())
    };
    assert_eq!(most_at_work("800mW"), (8, 0));
    assert_eq!(most_at_work("300mW"), (3, 0));
    // No accelerator may ever work.
    assert_eq!(most_at_work("50mW"), (0, 20));
}

#[test]
fn accelerators_of_a_tile_act_as_one() {
    let mut stream = stream(&["policy=wide"], 4);
    let mut wide = task(DOT, 1000, 0);
    wide.descriptor.divided = vec![500, 334, 250, 200];
    let number = stream.submit(wide);
    let times = stream.times(number);
    let begin = 23 + 46;
    let expected = TaskTimes {
        others: vec![1, 2, 3],
        ..noted(begin, begin + 250, 0)
    };
    assert_eq!(times, expected);
}

/// Two tasks, the second of which reads what the first has written.
fn pair(stream: &mut TaskStream, is_chain: bool) -> [u64; 2] {
    let mut first = moving(0, 3200);
    first.descriptor.is_followed = is_chain;
    let first = stream.submit(first);
    let mut second = moving(3200, 0);
    second.function = FFT;
    second.waits_for = vec![first];
    second.descriptor.follows = is_chain.then_some(first);
    [first, stream.submit(second)]
}

#[test]
fn a_chain_is_executed_when_its_last_task_is() {
    let mut single = stream(&[], 1);
    let [first, second] = pair(&mut single, false);
    let written = 69 + 1000 + 120 + 46;
    let begin = written + 46 + 120;
    let found = times(&mut single, &[first, second]);
    assert_eq!(found, [(69, written), (begin, begin + 1000 + 46)]);
    // Without the two transfers, and without the end of the first task between.
    let mut chained = stream(&[], 1);
    let [first, second] = pair(&mut chained, true);
    let begin = 69 + 1000 + 46;
    let end = begin + 1000 + 46;
    let found = times(&mut chained, &[first, second]);
    assert_eq!(found, [(69, end), (begin, end)]);
}

/// The third task waits for the first one too, whose END is that of the chain.
#[test]
fn tasks_of_a_chain_may_wait_for_all_before() {
    let mut stream = stream(&[], 1);
    let mut chain = moving(0, 0);
    chain.descriptor.is_followed = true;
    let first = stream.submit(chain.clone());
    chain.descriptor.follows = Some(first);
    chain.waits_for = vec![first];
    let second = stream.submit(chain.clone());
    chain.descriptor.follows = Some(second);
    chain.descriptor.is_followed = false;
    chain.waits_for = vec![first, second];
    let third = stream.submit(chain);
    let ends = [first, second, third].map(|number| stream.times(number).end);
    assert_eq!([ends[0], ends[1]], [ends[2]; 2]);
}

/// Another task of the queue is between two of a chain: it waits for the first one, and the second one for it.
#[test]
fn a_chain_that_waits_for_itself_ends() {
    let mut stream = stream(&[], 1);
    let mut first = moving(0, 3200);
    first.descriptor.is_followed = true;
    let first = stream.submit(first);
    let mut between = task(FFT, 500, 0);
    between.waits_for = vec![first];
    let between = stream.submit(between);
    let mut second = moving(3200, 0);
    second.waits_for = vec![first, between];
    second.descriptor.follows = Some(first);
    let second = stream.submit(second);
    let [first, between, second] = [first, between, second].map(|number| stream.times(number));
    assert!(first.end < between.begin && between.end < second.begin);
}

#[test]
fn a_chain_that_is_cut_off_ends() {
    let mut stream = stream(&[], 1);
    let mut first = moving(0, 3200);
    first.descriptor.is_followed = true;
    let first = stream.submit(first);
    assert!(stream.times(first).end >= 69 + 1000);
}

#[test]
fn a_queue_expands() {
    let begin_of_last = |queue: &str| {
        let mut stream = stream(&[&format!("queue={queue}"), "policy=power"], 1);
        let numbers: Vec<u64> = (0..9).map(|_| stream.submit(task(DOT, 50, 0))).collect();
        numbers.into_iter().map(|n| stream.times(n).begin).max()
    };
    // Of the nine tasks, one begins at once; room for two grows to eight.
    assert_eq!(
        begin_of_last("2").unwrap(),
        begin_of_last("8").unwrap() + 2 * 2000
    );
}

#[test]
fn nothing_is_lost_under_load() {
    let mut stream = stream(&["slowdown=3"], 2);
    let mut random = fastrand::Rng::with_seed(11);
    let (mut ended, mut gave_up, mut last, mut chained) = (0, 0, 0, None);
    for number in 0..100_000_u64 {
        let now = number * 100;
        stream.advance(now);
        let mut task = task(random.usize(..10), random.u64(1..3000), now);
        task.descriptor.input = random.u64(..20_000);
        task.descriptor.loaded = task.descriptor.input;
        task.descriptor.output = random.u64(..20_000);
        if random.u64(..4) == 0 && number > 8 {
            task.waits_for = vec![number - random.u64(..8)];
        }
        if let Some(before) = chained {
            task.waits_for.push(before);
            task.descriptor.follows = Some(before);
        }
        task.descriptor.is_followed = random.u64(..6) == 0;
        let is_followed = task.descriptor.is_followed;
        last = stream.submit(task);
        chained = is_followed.then_some(last);
        for (_, times) in stream.take_ended() {
            assert!(times.end > times.begin);
            ended += 1;
            gave_up += u64::from(times.gave_up);
        }
    }
    stream.advance(u64::MAX);
    let rest = stream.take_ended();
    gave_up += rest.iter().filter(|(_, times)| times.gave_up).count() as u64;
    assert_eq!(ended + rest.len(), last as usize);
    assert!((1000..99_000).contains(&gave_up), "{gave_up}");
}

#[test]
fn a_program_takes_the_times_of_its_tasks() {
    let settings = settings(&[]).with_records(true);
    let source = "vector_dot 1 1 2 1 0 0 0 0000\nvector_max 2 1 3 1 1 0 0 0000\n\
                  if 3 1 2 0 2 0 6 0000\nvector_add 4 1 5 1 3 0 0 0000\n";
    let program = task_isa::assemble(source, &settings.names().unwrap()).unwrap();
    let outcome = run(&program, &settings).unwrap();
    let first = 23 + 46 + 53 + 46;
    let second = first + 46 + 55 + 46;
    // The branch waits for the second task and reads memory; the third one is enqueued a cycle later.
    let third = second + 100 + 1 + 23 + 46 + 131 + 46;
    let mut ends: Vec<u64> = outcome.records.iter().map(|record| record.end).collect();
    ends.sort_unstable();
    assert_eq!(ends, [first, second, third]);
    assert_eq!((outcome.tasks, outcome.given_up), (3, 0));
    assert_eq!(outcome.cycles, third);
}
