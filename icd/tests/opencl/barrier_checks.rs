//! Barriers and asynchronous copies that not all work-items of a group reach, or not all alike.
//! `MOCL3_CHECK=barriers` reports them; without it the result is the same for each kind of
//! vectorisation. The same kernels without the error report nothing.

use crate::checked;
use crate::memory_checks::PROGRAM;

/// A kernel's body with an error, what is reported of it, what it computes, and a body without the
/// error.
struct Case {
    wrong: &'static str,
    /// First lines of the reports, and the columns of their places.
    found: &'static [(&'static str, u32)],
    /// What work-items of the first group compute.
    computed: fn(i32) -> i32,
    right: &'static str,
}

/// 32 work-items in groups of 16; `in` and `out` of 64 ints, which begin as their indices; `tile` of
/// 16 ints.
const CASES: &[Case] = &[
    // A barrier in an `if`.
    Case {
        wrong: "tile[l] = i; if (l < 5) { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[l + 8]; }",
        found: &[(
            "divergent-barrier: `barrier` reached by 5 of 16 work-items of a group; work-item local (5,0,0) has returned",
            27,
        )],
        computed: |i| if i < 5 { i + 8 } else { i },
        right: "tile[l] = i; if (i < 16) { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[15 - l]; }",
    },
    // After a `return` of some.
    Case {
        wrong: "tile[l] = i; if (in[i] % 16 > 11) return; barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[15 - l];",
        found: &[(
            "divergent-barrier: `barrier` reached by 12 of 16 work-items of a group; work-item local (12,0,0) has returned",
            43,
        )],
        computed: |i| if i < 12 { 15 - i } else { i },
        right: "tile[l] = i; if (in[i] % 16 > 15) return; barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[15 - l];",
    },
    // Different numbers of rounds of a loop.
    Case {
        wrong: "for (int j = 0; j < l; ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[l]; }",
        found: &[(
            "divergent-barrier: `barrier` reached by 15 of 16 work-items of a group; work-item local (0,0,0) has returned",
            44,
        )],
        computed: |i| i + i * (i - 1) / 2,
        right: "for (int j = 0; j < in[5]; ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[15 - l]; }",
    },
    // In the last round only some.
    Case {
        wrong: "for (int j = 0; j < 4 + (l & 1); ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); }",
        found: &[(
            "divergent-barrier: `barrier` reached by 8 of 16 work-items of a group; work-item local (0,0,0) has returned",
            54,
        )],
        computed: |i| i + 6 + 3 * (i & 1),
        right: "for (int j = 0; j < 4 + (get_group_id(0) & 1); ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE); }",
    },
    // Different barriers in the branches.
    Case {
        wrong: "tile[l] = i; if (l < 7) { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[l + 8]; } else { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[l - 7]; }",
        found: &[(
            "divergent-barrier: `barrier` reached by 7 of 16 work-items of a group; work-item local (7,0,0) is at `barrier` in program.cl:6:88",
            27,
        )],
        computed: |i| if i < 7 { i + 8 } else { i - 7 },
        right: "tile[l] = i; if (i < 16) { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[15 - l]; } else { barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[l ^ 1]; }",
    },
    // Some work-items are a barrier behind.
    Case {
        wrong: "if (l < 4) barrier(CLK_LOCAL_MEM_FENCE); for (int j = 0; j != 3; ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[l]; }",
        found: &[
            (
                "divergent-barrier: `barrier` reached by 4 of 16 work-items of a group; work-item local (4,0,0) is at `barrier` in program.cl:6:86",
                12,
            ),
            (
                "divergent-barrier: `barrier` reached by 4 of 16 work-items of a group; work-item local (4,0,0) has returned",
                86,
            ),
        ],
        computed: |i| i + 3,
        right: "if (i < 16) barrier(CLK_LOCAL_MEM_FENCE); for (int j = 0; j != 3; ++j) { tile[l] = j; barrier(CLK_LOCAL_MEM_FENCE); out[i] += tile[l]; }",
    },
    // A copy that not all make.
    Case {
        wrong: "tile[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); if (l > 5) { event_t e = async_work_group_copy(tile, in + 3, 16, 0); wait_group_events(1, &e); } out[i] = tile[l];",
        found: &[(
            "divergent-barrier: `async_work_group_copy` reached by 10 of 16 work-items of a group; work-item local (0,0,0) has returned",
            69,
        )],
        computed: |i| if i < 6 { 0 } else { i + 3 },
        right: "if (i < 16) { event_t e = async_work_group_copy(tile, in + 3, 16, 0); wait_group_events(1, &e); } out[i] = tile[l];",
    },
    // Different pointers, sizes, strides and events: the first work-item's copy is made.
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in + l, 16, 0); wait_group_events(1, &e); out[i] = tile[l];",
        found: &[(
            "divergent-arguments: `async_work_group_copy` with another source in work-item local (1,0,0) than in work-item local (0,0,0)",
            13,
        )],
        computed: |i| i,
        right: "event_t e = async_work_group_copy(tile, in + get_group_id(0), 16, 0); wait_group_events(1, &e); out[i] = tile[l];",
    },
    Case {
        wrong: "event_t e = async_work_group_copy(tile + (l & 4), in, 8, 0); wait_group_events(1, &e); out[i] = tile[l & 7];",
        found: &[(
            "divergent-arguments: `async_work_group_copy` with another destination in work-item local (4,0,0) than in work-item local (0,0,0)",
            13,
        )],
        computed: |i| i & 7,
        right: "event_t e = async_work_group_copy(tile + (l & 16), in, 8, 0); wait_group_events(1, &e); out[i] = tile[l & 7];",
    },
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in + 2, 8 + (l & 8), 0); wait_group_events(1, &e); out[i] = tile[l & 7];",
        found: &[(
            "divergent-arguments: `async_work_group_copy` with another size in work-item local (8,0,0) than in work-item local (0,0,0)",
            13,
        )],
        computed: |i| (i & 7) + 2,
        right: "event_t e = async_work_group_copy(tile, in + 2, 8 + (in[l] & 64), 0); wait_group_events(1, &e); out[i] = tile[l & 7];",
    },
    Case {
        wrong: "event_t e = async_work_group_strided_copy(tile, in, 16, 3 - (l & 1), 0); wait_group_events(1, &e); out[i] = tile[l];",
        found: &[(
            "divergent-arguments: `async_work_group_strided_copy` with another source stride in work-item local (1,0,0) than in work-item local (0,0,0)",
            13,
        )],
        computed: |i| 3 * i,
        right: "event_t e = async_work_group_strided_copy(tile, in, 16, 3 - (in[l] & 64), 0); wait_group_events(1, &e); out[i] = tile[l];",
    },
    Case {
        wrong: "event_t e[2]; e[0] = async_work_group_copy(tile, in, 8, 0); e[1] = async_work_group_copy(tile + 8, in, 8, 0); wait_group_events(1, e + (l & 1)); out[i] = tile[l];",
        found: &[(
            "divergent-arguments: `wait_group_events` with another event in work-item local (1,0,0) than in work-item local (0,0,0)",
            111,
        )],
        computed: |i| i & 7,
        right: "event_t e[2]; e[0] = async_work_group_copy(tile, in, 8, 0); e[1] = async_work_group_copy(tile + 8, in, 8, e[0]); wait_group_events(1, e + (l & 1)); out[i] = tile[l];",
    },
    Case {
        wrong: "event_t e[2]; e[0] = async_work_group_copy(tile, in, 8, 0); e[1] = async_work_group_copy(tile + 8, in, 8, 0); wait_group_events(1 + (l & 1), e); out[i] = tile[l];",
        found: &[(
            "divergent-arguments: `wait_group_events` with another number of events in work-item local (1,0,0) than in work-item local (0,0,0)",
            111,
        )],
        computed: |i| i & 7,
        right: "event_t e[2]; e[0] = async_work_group_copy(tile, in, 8, 0); e[1] = async_work_group_copy(tile + 8, in, 8, 0); wait_group_events(2 - (l & 16), e); out[i] = tile[l];",
    },
];

/// The first group's part of what a body computes, and what is reported of it.
fn run(bodies: &[&str], lanes: Option<&str>, checks: &str) -> (Vec<(String, u32)>, String) {
    let (errors, computed) = checked::run(&PROGRAM, bodies, lanes, checks);
    (checked::found(&errors), computed)
}

fn first_group(output: &str) -> Vec<i32> {
    let numbers = output.split_whitespace().take(16);
    numbers.map(|number| number.parse().unwrap()).collect()
}

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let computed: Vec<i32> = (0..16).map(case.computed).collect();
        let expected: Vec<_> = case
            .found
            .iter()
            .map(|(line, column)| ((*line).to_owned(), *column))
            .collect();
        for checks in ["barriers", "memory,barriers"] {
            let (reported, output) = run(&[case.wrong], lanes, checks);
            assert_eq!(reported, expected, "{} with lanes {lanes:?}", case.wrong);
            assert_eq!(first_group(&output), computed, "{}", case.wrong);
        }
        let (reported, output) = run(&[case.wrong], lanes, "0");
        assert_eq!(reported, []);
        assert_eq!(first_group(&output), computed, "{} unchecked", case.wrong);
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    let (reported, checked) = run(&right, lanes, "barriers");
    assert_eq!(reported, [], "with lanes {lanes:?}");
    assert_eq!(checked, run(&right, lanes, "0").1);
}

#[test]
fn errors_are_found_in_code_by_default() {
    check(None);
}

#[test]
fn errors_are_found_without_lanes() {
    check(Some("0"));
}

#[test]
fn errors_are_found_in_8_lanes() {
    check(Some("8"));
}

#[test]
fn errors_are_found_in_16_lanes() {
    check(Some("16"));
}

#[test]
fn errors_are_found_in_32_lanes() {
    check(Some("32"));
}

/// The same results with instructions of other processors.
#[test]
fn results_do_not_depend_on_the_host() {
    for level in ["x86-64", "x86-64-v3"] {
        for case in CASES {
            let mut command = checked::command(&PROGRAM, &[case.wrong], None);
            let output = command.env("MOCL3_HOST_CPU", level).output().unwrap();
            let output = String::from_utf8(output.stdout).unwrap();
            let computed: Vec<i32> = (0..16).map(case.computed).collect();
            assert_eq!(first_group(&output), computed, "{} {level}", case.wrong);
        }
    }
}

#[test]
fn the_first_work_item_at_the_barrier_is_named() {
    let body = "if (l > 5) barrier(CLK_LOCAL_MEM_FENCE);";
    let mut command = checked::command(&PROGRAM, &[body], None);
    let output = command.env("MOCL3_CHECK", "barriers").output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let item = "work-item: global (6,0,0), local (6,0,0), group (0,0,0)";
    assert!(errors.contains(item), "{errors}");
    assert!(errors.contains(body), "{errors}");
}

/// A function's barrier is another one in each call.
#[test]
fn barriers_of_functions_are_distinguished_by_their_calls() {
    let body = "void meet(int); meet(l < 9); } void arrive(void) { barrier(CLK_LOCAL_MEM_FENCE); } \
                void meet(int yes) { if (yes) arrive(); else arrive();";
    let mut command = checked::command(&PROGRAM, &[body], None);
    let output = command.env("MOCL3_CHECK", "barriers").output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let message = "`barrier` reached by 9 of 16 work-items of a group; \
                   work-item local (9,0,0) is at `barrier`";
    assert!(errors.contains(message), "{errors}");
    assert!(errors.contains("function `arrive`"), "{errors}");
}
