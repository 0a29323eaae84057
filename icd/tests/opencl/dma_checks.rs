//! `MOCL3_CHECK=dma`: accesses of memory that an asynchronous copy has not ended with are reported
//! with both places, and copies that are never waited for.

use crate::checked::{self, PLACE};
use crate::process::compile;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("race_checks"));

/// A body with errors, what is said of each with its column and that of the copy, and the same
/// without errors.
struct Case {
    wrong: &'static str,
    findings: &'static [(&'static str, &'static [u32])],
    right: &'static str,
}

/// 32 work-items in groups of 16.
#[rustfmt::skip]
const CASES: &[Case] = &[
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in, 16, 0); out[i] = tile[l]; wait_group_events(1, &e);",
        findings: &[("read of 4 bytes at byte 0 of argument `tile` (local, 64 bytes) before the asynchronous \
                      copy to it has been waited for", &[62, 13])],
        right: "event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e); out[i] = tile[l];",
    },
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in, 16, 0); in[l] = 2; wait_group_events(1, &e);",
        findings: &[("write of 4 bytes at byte 0 of argument `in` (global, 256 bytes) before the asynchronous \
                      copy from it has been waited for", &[59, 13])],
        right: "event_t e = async_work_group_copy(tile, in, 16, 0); out[i] = in[l]; in[16 + i] = 2; \
                wait_group_events(1, &e);",
    },
    Case {
        wrong: "async_work_group_copy(tile, in, 16, 0); out[i] = 1;",
        findings: &[("the asynchronous copy into argument `tile` is never waited for", &[1])],
        right: "event_t e = async_work_group_copy(tile, in, 16, 0); out[i] = 1; wait_group_events(1, &e);",
    },
    // One of two.
    Case {
        wrong: "local int other[16]; event_t e = async_work_group_copy(tile, in, 16, 0); \
                event_t f = async_work_group_copy(other, in, 16, 0); wait_group_events(1, &e); \
                out[i] = tile[l] + other[15 - l]; wait_group_events(1, &f);",
        findings: &[("read of 4 bytes at byte 60 of variable `other` (local, 64 bytes) before the \
                      asynchronous copy to it has been waited for", &[172, 86])],
        right: "local int other[16]; event_t e = async_work_group_copy(tile, in, 16, 0); \
                async_work_group_copy(other, in, 16, e); wait_group_events(1, &e); \
                out[i] = tile[l] + other[15 - l];",
    },
    // Vectors; the first half of a double buffer.
    Case {
        wrong: "local int4 both[2][4]; event_t e = async_work_group_copy(both[1], (global int4 *)in, 4, 0); \
                if (l < 4) out[i] = both[1][l].x; wait_group_events(1, &e);",
        findings: &[("read of 4 bytes at byte 64 of variable `both` (local, 128 bytes) before the \
                      asynchronous copy to it has been waited for", &[113, 36])],
        right: "local int4 both[2][4]; event_t e = async_work_group_copy(both[1], (global int4 *)in, 4, 0); \
                if (l < 4) { both[0][l] = i; out[i] = both[0][l].x; } wait_group_events(1, &e);",
    },
    // Rows of a strided copy, and what is between them.
    Case {
        wrong: "tile[l] = i; barrier(1); event_t e = async_work_group_strided_copy(out + 32 * g, tile, 16, 2, 0); \
                out[32 * g + 2 * l] = 5; wait_group_events(1, &e);",
        findings: &[("write of 4 bytes at byte 0 of argument `out` (global, 256 bytes) before the asynchronous \
                      copy to it has been waited for", &[119, 38])],
        right: "tile[l] = i; barrier(1); event_t e = async_work_group_strided_copy(out + 32 * g, tile, 16, 2, 0); \
                out[32 * g + 2 * l + 1] = 5; wait_group_events(1, &e);",
    },
    // Several errors.
    Case {
        wrong: "local int other[16]; event_t e = async_work_group_copy(tile, in, 16, 0); \
                async_work_group_copy(other, in, 16, 0); int x = tile[l]; in[l] = 2; \
                wait_group_events(1, &e); out[i] = x + tile[15 - l];",
        findings: &[
            ("read of 4 bytes at byte 0 of argument `tile` (local, 64 bytes) before the asynchronous copy to it \
              has been waited for", &[123, 34]),
            ("write of 4 bytes at byte 0 of argument `in` (global, 256 bytes) before the asynchronous copy from it \
              has been waited for", &[138, 34]),
            ("the asynchronous copy into variable `other` is never waited for", &[74]),
            ("write of 4 bytes at byte 0 of argument `in` (global, 256 bytes) before the asynchronous copy from it \
              has been waited for", &[138, 74]),
        ],
        right: "local int other[16]; event_t e = async_work_group_copy(tile, in, 16, 0); \
                e = async_work_group_copy(other, in, 16, e); int x = in[l]; wait_group_events(1, &e); \
                out[i] = x + tile[15 - l];",
    },
    // Two copies.
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in, 16, 0); e = async_work_group_copy(out, tile, 16, e); \
                wait_group_events(1, &e);",
        findings: &[("an asynchronous copy accesses what another one writes, which has not been waited for", &[57, 13])],
        right: "event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e); \
                e = async_work_group_copy(out, tile, 16, 0); wait_group_events(1, &e);",
    },
];

/// First line and columns of each finding.
fn found(output: &str) -> Vec<(String, Vec<u32>)> {
    let column = |line: &str| {
        let (_, column) = line.split_once(PLACE)?;
        column.trim().parse().ok()
    };
    output
        .split("dma: ")
        .skip(1)
        .map(|finding| {
            let mut lines = finding.lines();
            let message = lines.next().unwrap_or_default().to_owned();
            (message, lines.filter_map(column).collect())
        })
        .collect()
}

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let (errors, _) = checked::run(&PROGRAM, &[case.wrong], lanes, "dma");
        let expected: Vec<(String, Vec<u32>)> = case
            .findings
            .iter()
            .map(|(message, columns)| ((*message).to_owned(), columns.to_vec()))
            .collect();
        assert_eq!(found(&errors), expected, "{errors} with lanes {lanes:?}");
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    let (errors, checked) = checked::run(&PROGRAM, &right, lanes, "dma");
    assert_eq!(errors, "", "with lanes {lanes:?}");
    let (_, unchecked) = checked::run(&PROGRAM, &right, lanes, "0");
    assert_eq!(checked, unchecked);
}

#[test]
fn the_value_of_a_write_is_shown() {
    let body = "event_t e = async_work_group_copy(tile, in, 16, 0); in[l] = l - 20; wait_group_events(1, &e);";
    for lanes in ["0", "16"] {
        let (errors, _) = checked::run(&PROGRAM, &[body], Some(lanes), "dma");
        assert!(
            errors.contains("\n      value: -20 (0xffffffec)\n"),
            "{errors}"
        );
    }
}

#[test]
fn early_accesses_are_found_in_code_by_default() {
    check(None);
}

#[test]
fn early_accesses_are_found_without_lanes() {
    check(Some("0"));
}

#[test]
fn early_accesses_are_found_in_8_lanes() {
    check(Some("8"));
}

#[test]
fn early_accesses_are_found_in_32_lanes() {
    check(Some("32"));
}
