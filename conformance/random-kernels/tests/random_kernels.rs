//! Some random kernels on MOCL3, in processes of their own.

use harness::built::run_seeds;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_random-kernels");

/// Enough to notice what breaks many kernels; `cargo xtask random-kernels` runs more.
const KERNELS: &str = "200";

/// With lanes, over which compilation takes longer.
const KERNELS_WITH_LANES: &str = "50";

#[test]
fn kernels_give_what_the_interpreter_gives() {
    let arguments = ["random-kernels", "--kernels", KERNELS, "--seed", "1"];
    run_seeds(EXECUTABLE, &arguments, &[]);
}

#[test]
fn kernels_with_lanes_give_the_same() {
    let arguments = [
        "random-kernels",
        "--kernels",
        KERNELS_WITH_LANES,
        "--seed",
        "1001",
    ];
    for lanes in ["4", "16"] {
        run_seeds(EXECUTABLE, &arguments, &[("MOCL3_LANES", lanes)]);
    }
}
