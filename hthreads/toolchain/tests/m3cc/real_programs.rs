//! The programs of `examples/hthreads-programs`: right at each level of optimisation and number of
//! threads, and in simulated time near what the machine's memories and units can do.

use crate::bench::Results;
use crate::tree::{TREE, repository};
use device_sim::machine::{Machine, SharedMemory};
use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// The programs, and arguments besides the number of threads that make them short.
const PROGRAMS: &[(&str, &str)] = &[
    ("stream", ""),
    ("chase", ""),
    ("atax", ""),
    ("dgemm", "192"),
    ("dgemm_assembly", "252 288 256"),
    ("fft", ""),
    ("spmv", ""),
    ("stencil", ""),
    ("lbm", ""),
    ("nbody", ""),
    ("sort", ""),
];

fn build(level: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sources = repository("examples/hthreads-programs");
    TREE.succeed(&format!("cp {}/* .", sources.display()), folder.path());
    // As in `tests/programs/Makefile`.
    let link = "CC='gcc -Wl,--allow-shlib-undefined'";
    TREE.succeed(&format!("make -s OPT={level} {link}"), folder.path());
    folder
}

/// Runs a program; its output, or what is wrong.
fn try_run(
    folder: &Path,
    variables: &str,
    program: &str,
    threads: u32,
    more: &str,
) -> Result<String, String> {
    let line = format!("{variables} ./{program} {threads} {more}");
    let output = TREE.run(&line, folder);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = format!("{program}, {threads} threads: 0 wrong");
    match text.lines().last() == Some(last.as_str()) {
        true => Ok(text),
        false => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{line}: {text}{errors}"))
        }
    }
}

/// Runs all programs, built at a level, on these numbers of threads; what is wrong, by program.
pub fn results(level: &str, threads: &[u32]) -> Results {
    let folder = build(level);
    let mut results = Results::new();
    for (program, more) in PROGRAMS {
        let wrong = results.entry((*program).to_owned()).or_default();
        for threads in threads {
            let outcome = try_run(folder.path(), "", program, *threads, more);
            wrong.extend(outcome.err().map(|what| format!("{level}: {what}")));
        }
    }
    results
}

fn expect_right(level: &str, threads: &[u32]) {
    let results = results(level, threads);
    let wrong: Vec<&String> = results.values().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// `cargo xtask ht-bench` runs them at all levels.
#[test]
fn they_are_right_without_optimisation() {
    expect_right("-O0", &[7]);
}

#[test]
fn they_are_right_with_optimisation() {
    expect_right("-O2", &[1, 7, 24]);
}

/// Neither in their kernels, nor of what they leave.
#[test]
fn they_have_no_findings() {
    let folder = build("-O2");
    for (program, more) in PROGRAMS {
        let line = format!("MOCL3_CHECK=all ./{program} 7 {more}");
        let output = TREE.run(&line, folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && errors.is_empty(),
            "{line}: {errors}"
        );
    }
}

static TIMED: LazyLock<TempDir> = LazyLock::new(|| build("-O2"));

/// What a program says that it achieves on 24 threads in simulated time.
fn figures(program: &str, threads: u32, more: &str) -> HashMap<String, f64> {
    let variables = format!("MOCL3_RECORD=recording-{program}-{threads}");
    let output = try_run(TIMED.path(), &variables, program, threads, more).unwrap();
    let lines = output.lines().filter(|line| !line.ends_with(" wrong"));
    let figures = lines.filter_map(|line| line.split_once(": "));
    figures
        .map(|(what, value)| {
            let number = value.split(' ').next().unwrap();
            println!("{program}, {threads} threads, {what}: {value}");
            (what.to_owned(), number.parse().unwrap_or_default())
        })
        .collect()
}

/// Rows pass through AM in two sets of buffers: all threads together use what a memory has, apart from
/// the first and the last row.
#[test]
fn streams_use_the_bandwidth_of_their_memories() {
    let machine = Machine::mt3000();
    let found = figures("stream", 24, "");
    for (name, memory, least) in [
        ("DDR", SharedMemory::Ddr, 0.95),
        ("GSM", SharedMemory::Gsm, 0.75),
        ("HBSM", SharedMemory::Hbsm, 0.85),
    ] {
        let peak = machine.memory.shared(memory).bandwidth.value as f64 / 1e9;
        for kind in ["copy", "scale", "add", "triad"] {
            let share = found[&format!("{name} {kind}")] / peak;
            assert!((least..=1.0).contains(&share), "{name} {kind}: {share}");
        }
    }
    // Two units of 128 bytes load and store lanes, so that AM is ahead of all others.
    let cycles = machine
        .clock()
        .cycles(device_sim::units::Nanoseconds(1_000_000_000));
    let peak = 24.0 * 256.0 * cycles.0 as f64 / 1e9;
    let [am, sm] = ["AM triad", "SM triad"].map(|name| found[name]);
    assert!(am < peak && am > 5.0 * sm, "{am} of {peak}, {sm}");
    // One array cannot request as much as DDR delivers to all.
    let alone = figures("stream", 1, "");
    assert!(alone["DDR triad"] < 0.9 * found["DDR triad"], "{alone:?}");
}

#[test]
fn chases_wait_for_the_latency_of_their_memories() {
    let machine = Machine::mt3000();
    for threads in [1, 24] {
        let found = figures("chase", threads, "");
        for (name, memory) in [
            ("DDR", SharedMemory::Ddr),
            ("GSM", SharedMemory::Gsm),
            ("HBSM", SharedMemory::Hbsm),
        ] {
            let latency = machine.memory.shared(memory).latency.value as f64;
            let more = found[name] - latency;
            assert!((0.0..8.0).contains(&more), "{name}: {}", found[name]);
        }
        let latency = machine.memory.sm.load_latency.value as f64;
        assert!((latency..latency + 4.0).contains(&found["SM"]), "{found:?}");
    }
}

/// The peak of an array is 115.2 GFLOP/s. With micro-kernels in assembly, 91.4 % of it is published for as
/// many products in a part as here, on one core and on eight (GEMM paper on FT-M7032). Compiled C reaches less.
#[test]
fn matrix_products_are_near_the_peak() {
    for (program, threads, size, least) in [
        ("dgemm", 1, "384", 0.7),
        ("dgemm", 24, "1536", 0.65),
        ("dgemm_assembly", 1, "504 144 1024", 0.88),
        ("dgemm_assembly", 8, "504 576 1024", 0.84),
    ] {
        let found = figures(program, threads, size)[program];
        let share = found / (115.2 * f64::from(threads));
        assert!(
            (least..0.95).contains(&share),
            "{program}, {threads} threads: {share}"
        );
    }
}

/// They move eight bytes to and from DDR for each result, and little else.
#[test]
fn stencils_are_bound_by_memory() {
    let peak = Machine::mt3000().memory.ddr.bandwidth.value as f64 / 1e9;
    for (program, least) in [("stencil", 0.7), ("lbm", 0.5)] {
        let output = try_run(TIMED.path(), "MOCL3_RECORD=r", program, 24, "").unwrap();
        let rate = output.lines().find(|line| line.ends_with("GB/s")).unwrap();
        println!("{rate}");
        let rate: f64 = rate.split(' ').nth(1).unwrap().parse().unwrap();
        let share = rate / peak;
        assert!((least..=1.0).contains(&share), "{program}: {share}");
    }
}

/// Each thread has as much work, which stays in its array.
#[test]
fn work_in_the_arrays_scales_with_threads() {
    let rate = |threads| figures("nbody", threads, "")["nbody"];
    let speedup = rate(24) / rate(1);
    assert!((20.0..24.5).contains(&speedup), "{speedup}");
}
