//! `MOCL3_CHECK=uninitialised`: values of memory that was never written are reported where they
//! decide a branch, are part of an address, or reach global memory. The same kernels with memory
//! that is written report nothing.

use crate::checked;
use crate::process::compile;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("uninitialised_checks"));

/// A step and a body with an error, what is reported of it with the column, and the same without.
struct Case {
    wrong: &'static str,
    found: (&'static str, u32),
    right: &'static str,
}

const fn case(wrong: &'static str, found: &'static str, column: u32, right: &'static str) -> Case {
    Case {
        wrong,
        found: (found, column),
        right,
    }
}

/// 32 work-items in groups of 16.
#[rustfmt::skip]
const CASES: &[Case] = &[
    case(
        "none|out[i] = in[i];",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "write|out[i] = in[i];",
    ),
    case(
        "none|out[i] = in[i] + 1;",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "fill|out[i] = in[i] + 1;",
    ),
    case(
        "copy of nothing|out[i] = in[i];",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "copy|out[i] = in[i];",
    ),
    case(
        "none|out[i] = -in[i];",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "rectangle|out[i] = -in[i];",
    ),
    case(
        "map for reading|out[i] = in[i];",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "map|out[i] = in[i];",
    ),
    // A pointer that may be null.
    case(
        "none|local int *p = i < 64 ? tile + l : (local int *)0; out[i] = *p;",
        "global memory or printf gets a value of argument `tile` (local, 64 bytes)", 59,
        "none|local int *p = i < 64 ? tile + l : (local int *)0; *p = i; out[i] = *p;",
    ),
    case(
        "none|out[i] = in[i] * 3;",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "part|out[i] = in[i] * 3;",
    ),
    case(
        "none|if (in[i] > 3) out[i] = 1;",
        "a condition depends on a value of argument `in` (global, 256 bytes)", 11,
        "write|if (in[i] > 3) out[i] = 1;",
    ),
    case(
        "none|out[i] = full[in[i] & 63];",
        "an address depends on a value of argument `in` (global, 256 bytes)", 10,
        "write|out[i] = full[in[i] & 63];",
    ),
    case(
        "none|out[(in[i] & 1) + i] = 1;",
        "an address depends on a value of argument `in` (global, 256 bytes)", 22,
        "none|out[(in[i] & 0) + i] = 1;",
    ),
    case(
        "none|out[i] = in[i] >> 8;",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "none|out[i] = (in[i] & 0xff00) & 0xff;",
    ),
    case(
        "none|short x = in[i]; out[i] = x;",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 25,
        "none|in[i] = i; short x = in[i]; out[i] = x;",
    ),
    case(
        "none|out[i] = i > 3 ? in[i] : 1;",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 8,
        "none|out[i] = i < 16 ? in[i] : 1;",
    ),
    case(
        "none|switch (in[i]) { case 0: out[i] = 1; break; case 5: out[i] = 2; }",
        "a condition depends on a value of argument `in` (global, 256 bytes)", 1,
        "write|switch (in[i]) { case 0: out[i] = 1; break; case 5: out[i] = 2; }",
    ),
    case(
        "none|int x; if (i == zero) x = 1; out[i] = x;",
        "global memory or printf gets a value of variable `x` (private, 4 bytes)", 37,
        "none|int x; if (i >= zero) x = 1; out[i] = x;",
    ),
    // A query compiles code before the launch.
    case(
        "query|int x; if (i == zero) x = 1; out[i] = x;",
        "global memory or printf gets a value of variable `x` (private, 4 bytes)", 37,
        "query|int x; if (i >= zero) x = 1; out[i] = x;",
    ),
    case(
        "none|int x; if (x == 7) out[i] = 1;",
        "a condition depends on a value of variable `x` (private, 4 bytes)", 14,
        "none|int x = 0; if (x == 7) out[i] = 1;",
    ),
    case(
        "none|int s; for (int n = 0; n < i; ++n) s += n; out[i] = s;",
        "global memory or printf gets a value of variable `s` (private, 4 bytes)", 51,
        "none|int s = 0; for (int n = 0; n < i; ++n) s += n; out[i] = s;",
    ),
    case(
        "none|int a[4]; a[zero] = 1; out[i] = a[zero + 1];",
        "global memory or printf gets a value of variable `a` (private, 16 bytes)", 31,
        "none|int a[4]; a[zero] = 1; a[zero + 1] = 2; out[i] = a[zero + 1];",
    ),
    case(
        "none|int a[4]; for (int n = 0; n < 3; ++n) a[n] = n; out[i] = a[i & 3];",
        "global memory or printf gets a value of variable `a` (private, 16 bytes)", 56,
        "none|int a[4]; for (int n = 0; n < 4; ++n) a[n] = n; out[i] = a[i & 3];",
    ),
    case(
        "none|out[i] = tile[l];",
        "global memory or printf gets a value of argument `tile` (local, 64 bytes)", 8,
        "none|tile[l] = i; out[i] = tile[l];",
    ),
    case(
        "none|if (l < 8) tile[l] = i; barrier(1); out[i] = tile[15 - l];",
        "global memory or printf gets a value of argument `tile` (local, 64 bytes)", 44,
        "none|tile[l] = i; barrier(1); out[i] = tile[15 - l];",
    ),
    case(
        "none|local int own[16]; if (l) own[l] = i; barrier(1); out[i] = own[l];",
        "global memory or printf gets a value of variable `own` (local, 64 bytes)", 58,
        "none|local int own[16]; own[l] = i; barrier(1); out[i] = own[l];",
    ),
    case(
        "none|event_t e = async_work_group_copy(tile, in + 32, 16, 0); wait_group_events(1, &e); out[i] = tile[l];",
        "global memory or printf gets a value of argument `tile` (local, 64 bytes)", 91,
        "none|event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e); out[i] = tile[l];",
    ),
    case(
        "none|int4 x; x.s012 = i; out[i] = x.s3;",
        "global memory or printf gets a value of variable `x` (private, 16 bytes)", 28,
        "none|int4 x; x.s012 = i; out[i] = x.s2;",
    ),
    case(
        "none|vstore4(vload4(0, in + 14), 0, out + 4 * (i & 7));",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 1,
        "none|vstore4(vload4(0, in + 12), 0, out + 4 * (i & 7));",
    ),
    case(
        "none|out[i] = points[i].x;",
        "global memory or printf gets a value of argument `points` (global, 1024 bytes)", 8,
        "none|points[i] = (float3)(1, 2, i); points[i] = points[i] + 1; out[i] = points[i].z;",
    ),
    case(
        "none|points[i].x = i; out[i] = points[i].y;",
        "global memory or printf gets a value of argument `points` (global, 1024 bytes)", 25,
        "none|points[i].x = i; points[i].zy = 2; out[i] = points[i].z;",
    ),
    case(
        "none|Record r; r.tag = 1; records[i] = r; out[i] = records[i].number;",
        "global memory or printf gets a value of argument `records` (global, 2048 bytes)", 45,
        "none|Record r; r.tag = 1; r.number = i; r.point = 0; records[i] = r; Record q = records[i]; out[i] = q.number;",
    ),
    case(
        "none|Bytes b; b.bytes[zero] = i; out[i] = b.number;",
        "global memory or printf gets a value of variable `b` (private, 4 bytes)", 36,
        "none|Bytes b; b.bytes[zero] = i; out[i] = b.bytes[0];",
    ),
    case(
        "none|atomic_add(&in[zero + 20], 1);",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 1,
        "none|atomic_add(&in[zero], 1); atomic_xchg(&in[20], 1);",
    ),
    case(
        "none|int x; int *p = i ? &x : &l; out[i] = *p;",
        "global memory or printf gets a value", 37,
        "none|int x = 1; int *p = i ? &x : &l; out[i] = *p;",
    ),
    case(
        "none|global int *q[2]; q[0] = out; q[1] = in + 32; out[i] = in[i];",
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 54,
        "none|global int *q[2]; q[0] = out; q[1] = in; q[1][i] = 1; out[i] = in[i];",
    ),
    case(
        r#"none|printf("%d", in[32]);"#,
        "global memory or printf gets a value of argument `in` (global, 256 bytes)", 1,
        r#"none|printf("%d", in[0]);"#,
    ),
];

/// What a process that checks says of kernels, and what they computed.
fn run(kernels: &[&str], lanes: Option<&str>) -> (Vec<(String, u32)>, String) {
    let (errors, computed) = checked::run(&PROGRAM, kernels, lanes, "uninitialised");
    (checked::found(&errors), computed)
}

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let (line, column) = case.found;
        let (reported, _) = run(&[case.wrong], lanes);
        let expected = [(
            format!("uninitialised: {line} that was never written"),
            column,
        )];
        assert_eq!(reported, expected, "{} with lanes {lanes:?}", case.wrong);
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    assert_eq!(run(&right, lanes).0, [], "with lanes {lanes:?}");
}

#[test]
fn values_are_found_in_code_by_default() {
    check(None);
}

#[test]
fn values_are_found_without_lanes() {
    check(Some("0"));
}

#[test]
fn values_are_found_in_8_lanes() {
    check(Some("8"));
}

#[test]
fn values_are_found_in_16_lanes() {
    check(Some("16"));
}

#[test]
fn values_are_found_in_32_lanes() {
    check(Some("32"));
}

/// The program continues with the value, which is reported once.
#[test]
fn a_value_that_was_reported_is_defined_afterwards() {
    let kernels = ["none|in[i + 16] = in[i + 32]; out[i] = in[i + 16];"];
    let (reported, _) = run(&kernels, None);
    assert_eq!(reported.len(), 1, "{reported:?}");
}
