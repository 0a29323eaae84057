//! Custom devices: the machines `dsp` and `mma` have accelerators of fixed functions.

use crate::process::{compile, compile_example, run_with_arguments};
use crate::session::vendors;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("custom_devices"));

fn run(part: &str, more: &[(&str, &str)]) -> String {
    let mut variables = vec![("MOCL3_MACHINE", "dsp"), ("MOCL3_CHECK", "api,memory")];
    variables.extend(more);
    run_with_arguments(&PROGRAM, &[part], &variables)
}

#[test]
fn a_custom_device_has_built_in_kernels_and_no_compiler() {
    run("queries", &[]);
}

#[test]
fn what_a_custom_device_does_not_do_has_the_errors_of_the_specification() {
    run_with_arguments(&PROGRAM, &["errors"], &[("MOCL3_MACHINE", "dsp")]);
}

#[test]
fn buffers_go_from_clusters_to_accelerators_and_back() {
    for order in ["in_order", "out_of_order"] {
        run(order, &[]);
    }
}

/// Table II of the HTS paper, at 1 GHz.
#[test]
fn built_in_kernels_take_the_cycles_of_the_machine() {
    let printed = run("times", &[]);
    assert_eq!(
        printed,
        "real_fir 921\ncomplex_fir 3696\nadaptive_fir 4384\niir 2450\nvector_dot 53\n\
         vector_add 131\nvector_max 55\nfft_256 18673\ndct_64 874\ncorrelation 753\n"
    );
    let set = "accelerator.iir.cycles=2000cycles,task_scheduler.clock=500MHz";
    let printed = run("times", &[("MOCL3_MACHINE_SET", set)]);
    assert!(printed.contains("\niir 4000\n"), "{printed}");
    assert!(printed.contains("\nvector_dot 106\n"), "{printed}");
}

/// By hand, in cycles of 1 ns: a product of 64 x 64 matrices has 64 products of blocks, which take
/// 46 + 63 · 16 = 1054. A block of each matrix is there after 4 + 4096 / 256 = 20, the results need
/// 4 + 32768 / 256 = 132. With two buffers 63 · 1054 / 64 = 1037 of 63 · 20 are hidden.
#[test]
fn matrix_accelerators_load_blocks_during_products() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile_example("custom_device/matrix", folder.path());
    let run = |arguments: &[&str], set: &str| {
        let variables = [("MOCL3_MACHINE", "mma"), ("MOCL3_MACHINE_SET", set)];
        run_with_arguments(&program, arguments, &variables)
    };
    let set = "accelerator.matrix_multiply";
    let two = run(&["64", "64", "1"], "");
    assert!(two.contains(" 0 wrong elements, 1429 ns,"), "{two}");
    let one = run(&["64", "64", "1"], &format!("{set}.scratchpad=4096B"));
    assert!(one.contains(" 0 wrong elements, 2466 ns,"), "{one}");
    let fast = run(&["64", "64", "1"], &format!("{set}.dma.rate=1024B/cycle"));
    assert!(fast.contains(" 0 wrong elements, 1098 ns,"), "{fast}");
    // 17 rows are two blocks, 33 numbers three.
    let uneven = run(&["17", "33", "1"], "");
    assert!(uneven.contains(" 0 wrong elements,"), "{uneven}");
}

#[test]
fn the_example_restores_audio_samples() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile_example("custom_device/audio", folder.path());
    let printed = run_with_arguments(&program, &[], &[("MOCL3_MACHINE", "dsp")]);
    // The chord's partials have a few coefficients of a block each.
    let error = printed.split("error ").nth(1).unwrap();
    let error: f64 = error.split(' ').next().unwrap().parse().unwrap();
    assert!((0.01..0.04).contains(&error), "{printed}");
    let all = run_with_arguments(&program, &["", "64"], &[("MOCL3_MACHINE", "dsp")]);
    assert!(all.contains("compressed 0.9 times\nerror 0.000"), "{all}");
}

#[test]
fn a_formula_with_an_unknown_size_leaves_no_devices() {
    let output = Command::new(&*PROGRAM)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_MACHINE", "dsp")
        .env(
            "MOCL3_MACHINE_SET",
            "accelerator.iir.formula.expression=n * taps",
        )
        .output()
        .unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(
        log.contains("accelerator.iir.formula: `taps` is neither a size")
            && log.contains("no devices"),
        "{log}"
    );
}

/// By hand, from the begin of the last of three additions on 40 numbers until the chain has ended: 131 cycles,
/// 25 to write 160 bytes, 46 to note it. Of other schedulers it is only a task.
#[test]
fn chains_of_tasks_end_when_the_last_one_has() {
    for (scheduling, expected) in [("managed", 202), ("speculative", 131), ("naive", 131)] {
        let set = format!("task_scheduler.scheduling={scheduling}");
        let printed = run("chains", &[("MOCL3_MACHINE_SET", &set)]);
        assert_eq!(printed, format!("chain {expected}\n"), "{scheduling}");
    }
}

#[test]
fn a_bad_address_fails_its_task_alone() {
    for scheduling in ["managed", "speculative"] {
        let set = format!("task_scheduler.scheduling={scheduling}");
        // Unmapped memory has no definedness to check.
        let variables = [("MOCL3_MACHINE", "dsp"), ("MOCL3_MACHINE_SET", &*set)];
        run_with_arguments(&PROGRAM, &["bad_addresses"], &variables);
    }
}

/// Under load the task queue manager gives tasks up: their events and the recording say so, and no result is
/// wrong. The same ones in each run.
#[test]
fn tasks_are_given_up_and_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile_example("custom_device/task_queue", folder.path());
    let recording = folder.path().join("recording");
    for _ in 0..2 {
        let printed = run_with_arguments(
            &program,
            &["2000"],
            &[
                ("MOCL3_MACHINE", "dsp"),
                ("MOCL3_MACHINE_SET", "task_scheduler.scheduling=managed"),
                ("MOCL3_RECORD", recording.to_str().unwrap()),
            ],
        );
        let expected = "2000 tasks: 1780 executed by accelerators, 220 given up, 0 lost, 0 wrong\n\
                        a pair of additions: 6059 ns as single tasks, 5743 ns as a chain, all right\n";
        assert_eq!(printed, expected);
        let file = std::fs::read_dir(&recording).unwrap().next().unwrap();
        let file = file.unwrap().path();
        let process = recording::read_file(&file).unwrap().unwrap();
        let given_up = process.commands.iter().filter(|command| command.gave_up);
        assert_eq!(given_up.count(), 220);
        std::fs::remove_file(file).unwrap();
    }
}

/// By hand: the announcement of a task and the issue of one that waits for it take two cycles; an interrupt
/// takes 876, an access of the runtime system's data 23. The task queue manager takes 23 for a descriptor, and 46
/// to select a task or to note its end; a transfer takes 20 and one for 32 bytes.
#[test]
fn an_out_of_order_queue_runs_through_the_task_scheduler() {
    let of_hardware = [(0, 131), (133, 188), (2, 55), (190, 245), (247, 378)];
    for (scheduling, expected) in [
        ("hardware", of_hardware),
        ("speculative", of_hardware),
        (
            "naive",
            [
                (0, 131),
                (1007, 1062),
                (1938, 1991),
                (2867, 2922),
                (3798, 3929),
            ],
        ),
        (
            "software",
            [
                (0, 131),
                (1244, 1299),
                (253, 306),
                (3203, 3258),
                (4286, 4417),
            ],
        ),
        (
            "managed",
            [(0, 202), (273, 395), (92, 294), (466, 588), (664, 866)],
        ),
    ] {
        let set = format!("task_scheduler.scheduling={scheduling}");
        let printed = run("scheduling", &[("MOCL3_MACHINE_SET", &set)]);
        let names = [
            "vector_add",
            "vector_max",
            "vector_dot",
            "vector_max",
            "vector_add",
        ];
        let rows = names.iter().zip(expected);
        let rows = rows.map(|(name, (begin, end))| format!("{name} {begin} {end}\n"));
        assert_eq!(printed, rows.collect::<String>(), "{scheduling}");
    }
}
