//! Kernels whose cycles, bytes, lanes and waits are computed by hand: what `mocl3 stat` shows does not
//! depend on the host's code.

use bench::built_library::built_library;
use std::process::Command;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_validation");

/// The host's code without lanes, with fewer, as it is by default, and without AVX-512 or AVX2.
const SETTINGS: [&[(&str, &str)]; 6] = [
    &[],
    &[("MOCL3_LANES", "0")],
    &[("MOCL3_LANES", "8")],
    &[("MOCL3_HOST_CPU", "x86-64-v3")],
    &[("MOCL3_HOST_CPU", "x86-64"), ("MOCL3_HOST_THREADS", "1")],
    &[("MOCL3_HOST_CPU", "x86-64-v2"), ("MOCL3_LANES", "32")],
];

/// The tables, which the program prints only if all numbers are those computed by hand.
fn tables(variables: &[(&str, &str)]) -> String {
    let output = Command::new(EXECUTABLE)
        .arg("--by-hand")
        .env("OCL_ICD_VENDORS", built_library(EXECUTABLE))
        .env_remove("MOCL3_MACHINE")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{variables:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn stat_shows_what_is_computed_by_hand_on_each_host() {
    let expected = tables(SETTINGS[0]);
    let kernels = expected.lines().filter(|line| line.starts_with("| `"));
    assert!(
        kernels
            .take_while(|line| line.matches('|').count() == 14)
            .count()
            >= 40
    );
    for setting in &SETTINGS[1..] {
        assert_eq!(tables(setting), expected, "{setting:?}");
    }
}
