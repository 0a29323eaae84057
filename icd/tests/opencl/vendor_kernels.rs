//! The vendor's library: built-in kernels of clusters.

use crate::process::{compile, compile_example, run_with_arguments};
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("vendor_kernels"));

fn run(part: &str) -> String {
    run_with_arguments(&PROGRAM, &[part], &[("MOCL3_CHECK", "api,memory")])
}

#[test]
fn clusters_have_the_library() {
    run("queries");
}

#[test]
fn wrong_sizes_and_memory_have_the_errors_of_the_specification() {
    run_with_arguments(&PROGRAM, &["errors"], &[]);
}

/// Simulated times, on 24 arrays and on 6 of them; they are the same in each run.
#[test]
fn launches_are_timed_on_the_arrays_of_their_device() {
    let times = || -> Vec<u64> {
        let printed = run_with_arguments(&PROGRAM, &["times"], &[]);
        printed.lines().map(|line| line.parse().unwrap()).collect()
    };
    let found = times();
    let [all, six] = found[..] else {
        panic!("{found:?}");
    };
    // Launches take less on few arrays, products longer: 268 MFLOP are 388 us on 6 arrays at their peak.
    assert!(six > all / 4 && six > 388_000, "{found:?}");
    assert_eq!(found, times());
}

/// Conjugate gradients by products of a sparse matrix.
#[test]
fn the_example_solves_equations() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile_example("vendor_kernels/solve", folder.path());
    let printed = run_with_arguments(&program, &["40"], &[("MOCL3_CHECK", "api")]);
    assert!(printed.contains("1600 equations solved"), "{printed}");
    assert!(printed.ends_with(": right\n"), "{printed}");
}
