//! Cycles computed by hand, dependencies, speculation, stalls, and determinism.

use crate::interpreter::{Interpreter, Step, TaskStep};
use crate::{Fault, Outcome, Settings, Stall, TaskRecord, run};
use device_sim::machine::{Description, Scheduling, Shipped};
use std::collections::HashMap;
use task_isa::Program;

fn settings(scheduling: Scheduling, units: usize) -> Settings {
    let machine = Description::select(Shipped::DSP).unwrap().machine();
    let settings = Settings::new(&machine.unwrap()).unwrap();
    Settings {
        scheduling,
        records: true,
        ..settings.with_units(units)
    }
}

fn program(source: &str, settings: &Settings) -> Program {
    task_isa::assemble(source, &settings.names().unwrap()).unwrap()
}

fn outcome(source: &str, scheduling: Scheduling, units: usize) -> Outcome {
    let settings = settings(scheduling, units);
    run(&program(source, &settings), &settings).unwrap()
}

/// Independent tasks of one function.
fn independent(function: &str, count: u32) -> String {
    (0..count)
        .map(|task| format!("{function} {:x} 1 {:x} 1 0 0 0 0\n", task * 2, task * 2 + 1))
        .collect()
}

#[test]
fn a_task_takes_the_cycles_of_table_ii_and_those_of_the_pipeline() {
    // Queue 1, look-up 1, station 1, delivery 1, bus 1.
    for (function, cycles) in [("real_fir", 921), ("fft_256", 18673), ("vector_dot", 53)] {
        let source = independent(function, 1);
        for scheduling in [Scheduling::Hardware, Scheduling::Speculative] {
            let outcome = outcome(&source, scheduling, 1);
            assert_eq!(outcome.cycles, cycles + 5, "{function}");
            assert_eq!(
                outcome.units.iter().map(|unit| unit.busy).sum::<u64>(),
                cycles
            );
        }
        assert_eq!(outcome(&source, Scheduling::Naive, 1).cycles, cycles + 876);
        // Accesses: queue, tracker and station, issue, end.
        let accesses = 1 + 2 + 2 + 2;
        let software = outcome(&source, Scheduling::Software, 1);
        assert_eq!(software.cycles, cycles + 876 + accesses * 23);
    }
}

#[test]
fn a_unit_runs_a_task_after_the_other() {
    let outcome = outcome(&independent("vector_dot", 10), Scheduling::Hardware, 1);
    // The announcement frees the accelerator: a task every 53 cycles, delivery and bus.
    assert_eq!(outcome.cycles, 5 + 53 + 9 * (53 + 2));
    assert_eq!(outcome.tasks, 10);
}

#[test]
fn several_units_run_tasks_at_a_time() {
    let source = independent("real_fir", 16);
    let one = outcome(&source, Scheduling::Hardware, 1).cycles;
    let sixteen = outcome(&source, Scheduling::Hardware, 16);
    // One task is decoded in a cycle.
    assert_eq!(sixteen.cycles, 5 + 921 + 15);
    assert!(one > 15 * sixteen.cycles);
    assert!(sixteen.units[..16].iter().all(|unit| unit.tasks == 1));
}

/// When each task ran.
fn times(outcome: &Outcome) -> HashMap<u64, &TaskRecord> {
    let records = outcome.records.iter();
    records.map(|record| (record.number, record)).collect()
}

#[test]
fn tasks_wait_for_what_they_read_overwrite_and_write() {
    for (second, waits) in [
        ("iir 13 1 40 1 0 0 0 0", true), // RAW: the last region of the output
        ("iir 14 1 40 1 0 0 0 0", false), // behind it
        ("iir 40 1 11 1 0 0 0 0", true), // WAR
        ("iir 40 1 12 1 0 0 0 0", true), // WAW
        ("iir 13 1 40 1 0 1 0 0", false), // of another process
    ] {
        let source = format!("real_fir 10 2 12 2 0 0 0 0\n{second}");
        for scheduling in [
            Scheduling::Software,
            Scheduling::Hardware,
            Scheduling::Speculative,
        ] {
            let outcome = outcome(&source, scheduling, 1);
            let times = times(&outcome);
            assert_eq!(times[&2].begin >= times[&1].end, waits, "{second}");
            let expected: &[u64] = if waits { &[1] } else { &[] };
            assert_eq!(times[&2].waited_for, expected, "{second}");
        }
    }
}

#[test]
fn the_papers_loop_runs_its_iterations_out_of_order() {
    let listing = include_str!("../../task-isa/listings/loop.asm");
    // Each iteration writes a region that the next one writes too: 75 to 77, 77 to 79, ...
    let chained = outcome(listing, Scheduling::Hardware, 4);
    assert_eq!(chained.tasks, 4);
    assert!(chained.cycles > 4 * 2450);
    let apart = listing.replace("lend 0 4 2", "lend 0 4 3");
    let parallel = outcome(&apart, Scheduling::Hardware, 4);
    assert_eq!(parallel.tasks, 4);
    assert!(parallel.cycles < 2 * 2450, "{}", parallel.cycles);
}

/// A branch on memory, and a task on either path.
fn branch(value: u64) -> String {
    format!(
        ".reads 93 {value:x}
         mov 3 0 a 0 0 0 0 0
         if 93 a 3 0 0 0 d 0 # less than or equal to 3
         fft_256 10 1 11 1 0 0 0 0
         jump 0 0 2 0 0 0 0 0
         iir 20 1 21 1 0 0 0 0"
    )
}

#[test]
fn branches_are_speculated_to_be_not_taken() {
    let functions = |outcome: &Outcome| {
        let ended = outcome.records.iter().filter(|record| !record.is_aborted);
        ended.map(|record| record.function).collect::<Vec<_>>()
    };
    let (iir, fft) = (3, 7);
    let not_taken = branch(4);
    let speculative = outcome(&not_taken, Scheduling::Speculative, 1);
    let waiting = outcome(&not_taken, Scheduling::Hardware, 1);
    assert_eq!(functions(&speculative), [fft]);
    assert_eq!(functions(&waiting), [fft]);
    // The read of memory is overlapped.
    assert!(waiting.cycles >= speculative.cycles + 100);
    let taken = branch(3);
    let speculative = outcome(&taken, Scheduling::Speculative, 1);
    let waiting = outcome(&taken, Scheduling::Hardware, 1);
    assert_eq!(functions(&speculative), [iir]);
    assert_eq!(functions(&waiting), [iir]);
    assert_eq!((speculative.mispredicted, speculative.aborted), (1, 1));
    assert_eq!(speculative.cycles, waiting.cycles);
    let fft = &speculative.records[0];
    assert!(fft.is_aborted && fft.end - fft.begin < 18673);
}

#[test]
fn a_branch_on_an_output_watches_the_bus() {
    let source = |kind: &str| {
        format!(
            "real_fir 10 1 93 1 0 0 0 0
             if 93 a 2 0 0 0 {kind} 0
             iir 20 1 21 1 0 0 0 0"
        )
    };
    // Conditions: not equal, which does not hold.
    let bus = outcome(&source("6"), Scheduling::Hardware, 1);
    let memory = outcome(&source("5"), Scheduling::Hardware, 1);
    assert_eq!(bus.cycles, 5 + 921 + 1 + 2450 + 4);
    // The task that reads memory passes through the pipeline while it waits.
    assert_eq!(memory.cycles, bus.cycles + 100 + 2);
    let speculative = outcome(&source("6"), Scheduling::Speculative, 1);
    assert!(speculative.cycles < 2470, "{}", speculative.cycles);
}

#[test]
fn branches_within_speculation_are_undone_with_it() {
    // The outer branch jumps; the inner one and its loop are on the wrong path.
    let source = ".reads 1 1\n.reads 2 0 7
        if 1 0 6 0 0 0 5 0
        if 2 0 1 0 0 0 1 0
        lbeg ffff 4 0 0 0 0 0 0
        vector_dot 30 1 31 1 0 0 0 0
        lend 0 4 0 0 0 0 0 0
        task f0 0 0 0 0 0 0 0 0
        real_fir 10 1 11 1 0 0 0 0";
    let speculative = outcome(source, Scheduling::Speculative, 2);
    let waiting = outcome(source, Scheduling::Hardware, 2);
    assert_eq!((speculative.tasks, waiting.tasks), (1, 1));
    assert!(speculative.aborted > 2);
    assert_eq!(speculative.cycles, waiting.cycles);
}

#[test]
fn wrong_instructions_count_only_if_they_are_executed() {
    let source = |value: u32| {
        format!(
            ".reads 1 {value}
             if 1 0 2 0 0 0 5 0
             task f0 0 0 0 0 0 0 0 0
             iir 1 1 2 1 0 0 0 0"
        )
    };
    assert_eq!(outcome(&source(1), Scheduling::Speculative, 1).tasks, 1);
    for scheduling in [
        Scheduling::Naive,
        Scheduling::Software,
        Scheduling::Hardware,
        Scheduling::Speculative,
    ] {
        let settings = settings(scheduling, 1);
        let error = run(&program(&source(0), &settings), &settings).unwrap_err();
        assert_eq!(
            (error.instruction, error.fault),
            (2, Fault::NoFunction(0xf0))
        );
    }
}

#[test]
fn programs_that_do_not_end_are_stopped() {
    for scheduling in [
        Scheduling::Naive,
        Scheduling::Software,
        Scheduling::Hardware,
        Scheduling::Speculative,
    ] {
        let settings = Settings {
            instruction_limit: 1000,
            ..settings(scheduling, 1)
        };
        let program = program("jump 0 0 0 0 0 0 0 0", &settings);
        let error = run(&program, &settings).unwrap_err();
        assert_eq!(error.fault, Fault::Endless(1000));
    }
}

#[test]
fn full_structures_stall() {
    let stalls = |source: &str, change: fn(&mut Settings)| {
        let mut settings = settings(Scheduling::Speculative, 1);
        change(&mut settings);
        let outcome = run(&program(source, &settings), &settings).unwrap();
        let largest = Stall::ALL[..7].iter();
        let largest = largest.max_by_key(|(stall, _)| outcome.stalls.get(*stall));
        largest.unwrap().0
    };
    let many = independent("real_fir", 60);
    assert_eq!(
        stalls(&many, |settings| settings.scheduler.tracker = 4),
        Stall::Tracker
    );
    assert_eq!(
        stalls(&many, |settings| settings.scheduler.window = 4),
        Stall::Window
    );
    assert_eq!(
        stalls(&many, |settings| settings.scheduler.push = 5000),
        Stall::QueueEmpty
    );
    // Behind a branch that is decided late, outputs need transactional memory.
    let late = format!("fft_256 800 1 900 1 0 0 0 0\nif 900 0 2 0 0 0 6 0\n{many}");
    assert_eq!(
        stalls(&late, |settings| settings.scheduler.look_up_buffer = 2),
        Stall::LookUpBuffer
    );
    assert_eq!(
        stalls(&late, |settings| settings.scheduler.transactional_memory =
            2),
        Stall::LookUpBuffer
    );
    let branches = "fft_256 800 1 900 1 0 0 0 0\n".to_owned() + &"if 900 0 1 0 0 0 6 0\n".repeat(3);
    assert_eq!(
        stalls(&branches, |settings| settings.scheduler.speculation_ids = 1),
        Stall::SpeculationIds
    );
}

#[test]
fn outputs_stay_in_transactional_memory_until_room_is_needed() {
    // Each round is decided before the next one begins; the outputs of one round fit.
    let mut source = String::new();
    for round in 0..4 {
        let region = 0x1000 + round;
        source += &format!("real_fir 800 1 {region:x} 1 0 0 0 0\nif {region:x} 0 2 0 0 0 6 0\n");
        for task in 0..4 {
            source += &format!(
                "vector_dot 1 1 {:x} 1 0 0 0 0\n",
                0x100 * (round + 1) + task
            );
        }
    }
    let mut settings = settings(Scheduling::Speculative, 4);
    settings.scheduler.look_up_buffer = 6;
    let outcome = run(&program(&source, &settings), &settings).unwrap();
    assert_eq!((outcome.tasks, outcome.aborted), (20, 0));
    assert!(outcome.copied_back >= 8, "{}", outcome.copied_back);
    assert!(outcome.stalls.get(Stall::LookUpBuffer) >= outcome.copied_back * 16);
    settings.scheduler.look_up_buffer = 64;
    let larger = run(&program(&source, &settings), &settings).unwrap();
    assert_eq!(larger.copied_back, 0);
    assert!(larger.cycles < outcome.cycles);
}

/// A program with all instructions, of `seed`.
fn random_program(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let functions = ["real_fir", "vector_dot", "vector_max", "iir", "dct_64"];
    let mut source = String::from("mov 2 0 a 0 0 0 0 0\n");
    for region in 0..8 {
        let values: Vec<_> = (0..3).map(|_| random(4).to_string()).collect();
        source += &format!(".reads {region:x} {}\n", values.join(" "));
    }
    for _ in 0..60 {
        source += &match random(10) {
            0 => format!(
                "if {:x} a {:x} 0 0 0 {:x} 0\n",
                random(8),
                1 + random(4),
                random(4) * 4 + 1 + random(2)
            ),
            1 => format!(
                "lbeg {:x} 4 0 0 0 0 0 0\niir {1:x} 1 {1:x} 1 0 0 0 0\nlend 0 4 0 0 0 0 0 0\n",
                random(4),
                random(16)
            ),
            _ => format!(
                "{} {:x} {:x} {:x} {:x} 0 0 0 0\n",
                functions[random(5) as usize],
                random(16),
                random(4),
                random(16),
                random(4)
            ),
        };
    }
    source
}

/// The tasks of a program in its order.
fn steps(program: &Program, settings: &Settings) -> Vec<TaskStep> {
    let registers = settings.scheduler.registers;
    let functions = settings.functions.len();
    let mut interpreter = Interpreter::new(program, functions, registers, 1 << 20);
    let mut steps = Vec::new();
    loop {
        match interpreter.step().unwrap() {
            Step::Task(task) => steps.push(task),
            Step::Branch(branch) => {
                if let Some(place) = branch.taken_to {
                    interpreter.state.place = place;
                }
            }
            Step::End => return steps,
            Step::Register | Step::Jump | Step::RegisterBranch { .. } => {}
        }
    }
}

/// Compares each pair of tasks, which the memory tracker does not. Outputs of speculative tasks have
/// places of their own, so that only tasks that read them have to wait.
fn check_order(steps: &[TaskStep], records: &[&TaskRecord], is_speculative: bool) {
    for (place, second) in steps.iter().enumerate() {
        for (first, before) in steps[..place].iter().zip(records) {
            let waits = first.output.overlap(second.input)
                || !is_speculative && first.input.overlap(second.output)
                || !is_speculative && first.output.overlap(second.output);
            assert!(!waits || before.end <= records[place].begin);
        }
    }
}

#[test]
fn all_schedulers_run_the_same_tasks_in_an_order_that_dependencies_allow() {
    for seed in 0..200 {
        let source = random_program(seed);
        let naive = outcome(&source, Scheduling::Naive, 1);
        for (scheduling, units) in [
            (Scheduling::Software, 2),
            (Scheduling::Hardware, 1),
            (Scheduling::Hardware, 3),
            (Scheduling::Speculative, 1),
            (Scheduling::Speculative, 3),
        ] {
            let mut settings = settings(scheduling, units);
            if seed % 2 == 1 {
                settings.scheduler.window = 3;
                settings.scheduler.tracker = 6;
                settings.scheduler.stations = 2;
                settings.scheduler.look_up_buffer = 3;
                settings.scheduler.transactional_memory = 6;
                settings.scheduler.speculation_ids = 2;
            }
            let program = program(&source, &settings);
            let outcome = run(&program, &settings).unwrap();
            assert_eq!(outcome, run(&program, &settings).unwrap(), "seed {seed}");
            let mut ended: Vec<_> = outcome.records.iter().collect();
            ended.retain(|record| !record.is_aborted);
            ended.sort_by_key(|record| record.number);
            let functions = |records: &[&TaskRecord]| {
                let functions = records.iter().map(|record| record.function);
                functions.collect::<Vec<_>>()
            };
            let expected: Vec<_> = naive.records.iter().collect();
            assert_eq!(functions(&ended), functions(&expected), "seed {seed}");
            assert_eq!(outcome.tasks, naive.tasks);
            let is_speculative = scheduling == Scheduling::Speculative;
            check_order(&steps(&program, &settings), &ended, is_speculative);
            let busy: u64 = outcome.units.iter().map(|unit| unit.busy).sum();
            let recorded = outcome
                .records
                .iter()
                .map(|record| record.end - record.begin);
            assert_eq!(busy, recorded.sum::<u64>(), "seed {seed}");
        }
    }
}
