//! What no lane runs is not charged (docs/machine-model.md, "Active lanes"): hand-computed bytes and
//! operations. A line has 64 bytes: a vector of 16 floats is one line, one of 16 doubles is two.

use super::recordings::recorded;
use crate::process::compile;

/// What a launch of `programs/active_lanes.c` does.
struct Expected {
    kernel: &'static str,
    /// Bytes of DDR that lanes load and store.
    bytes: u64,
    /// Floating-point operations, of single and of double precision.
    flops: [u64; 2],
    /// Whether all vector instructions have all lanes.
    full: bool,
}

const fn launch(kernel: &'static str, bytes: u64, flops: [u64; 2], full: bool) -> Expected {
    Expected {
        kernel,
        bytes,
        flops,
        full,
    }
}

/// 1000 work-items are 62 whole vectors and 8 lanes of another one.
const LAUNCHES: [Expected; 9] = [
    // 63 vectors load and store a line.
    launch("guarded", 63 * 128, [1000, 0], false),
    launch("guarded", 0, [0, 0], true),
    // 50 groups of 40 work-items, two vectors and a half: the half touches a line as well.
    launch("guarded", 50 * 3 * 128, [2000, 0], false),
    // Two lines loaded and two stored, but one of each for the 8 lanes.
    launch("guarded_double", 62 * 256 + 128, [0, 1000], false),
    // A line for each lane that loads, and one for each vector that stores.
    launch("guarded_gather", 1000 * 64 + 63 * 64, [0, 0], false),
    // The others are 8 lanes of one vector and 65 whole vectors.
    launch("both_sides", (63 + 66) * 128, [2048, 0], false),
    launch("both_sides", 128 * 128, [2048, 0], true),
    launch("odd_lanes", 128 * 128, [1024, 0], false),
    // Each vector has three iterations; each work-item adds 0 to 3 numbers.
    launch("divergent_loop", 128 * 4 * 64, [2048 / 4 * 6, 0], false),
];

/// Settings of the host's code, on which simulated time does not depend.
const SETTINGS: [&[(&str, &str)]; 4] = [
    &[],
    &[("MOCL3_LANES", "0")],
    &[("MOCL3_HOST_CPU", "x86-64")],
    &[("MOCL3_HOST_CPU", "x86-64-v3"), ("MOCL3_LANES", "8")],
];

#[test]
fn only_what_lanes_do_is_charged() {
    let program = compile("active_lanes");
    for setting in SETTINGS {
        let process = recorded(&program, setting);
        assert_eq!(process.commands.len(), LAUNCHES.len());
        for (command, expected) in process.commands.iter().zip(LAUNCHES) {
            let report = command.report.as_ref().unwrap();
            let totals = &report.totals;
            let bytes: u64 = report.timing.traffic.iter().map(|bytes| bytes.0).sum();
            let kernel = expected.kernel;
            assert_eq!(command.kernel.as_deref(), Some(kernel));
            assert_eq!(bytes, expected.bytes, "{kernel} {setting:?}");
            let flops = [totals.single_flops, totals.double_flops];
            assert_eq!(flops, expected.flops, "{kernel} {setting:?}");
            let full = totals.active_lanes == totals.lane_slots;
            assert_eq!(full, expected.full, "{kernel} {setting:?}: {totals:?}");
        }
    }
}

#[test]
fn a_side_that_no_lane_takes_has_no_cycles() {
    let process = recorded(&compile("active_lanes"), &[]);
    let other_side_cycles = |launch: usize| -> u64 {
        let report = process.commands[launch].report.as_ref().unwrap();
        let lines = report.lines.iter().filter(|line| {
            let file = &process.programs[0].files[0];
            let text = file.text.lines().nth(line.line as usize - 1).unwrap();
            text.contains("other side")
        });
        lines.map(|line| line.cycles.total().0).sum()
    };
    let of_both = |launch: &usize| LAUNCHES[*launch].kernel == "both_sides";
    let launches: Vec<usize> = (0..LAUNCHES.len()).filter(of_both).collect();
    assert!(other_side_cycles(launches[0]) > 0);
    assert_eq!(other_side_cycles(launches[1]), 0);
}
