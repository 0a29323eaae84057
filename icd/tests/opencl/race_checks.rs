//! `MOCL3_CHECK=races`: accesses of the same memory by several work-items, of which one writes, are
//! reported with both places unless a barrier or an atomic operation orders them.

use crate::checked::{self, PLACE};
use crate::process::compile;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("race_checks"));

/// A body with races, the object that they are in, the columns of both accesses (which of several
/// conflicts is found depends on the order of work-items), and the same without.
struct Case {
    wrong: &'static str,
    object: &'static str,
    columns: &'static [[u32; 2]],
    right: &'static str,
}

const fn case(
    wrong: &'static str,
    object: &'static str,
    columns: &'static [[u32; 2]],
    right: &'static str,
) -> Case {
    Case {
        wrong,
        object,
        columns,
        right,
    }
}

/// 32 work-items in groups of 16.
#[rustfmt::skip]
const CASES: &[Case] = &[
    case("out[0] = i;", "argument `out` (global, 256 bytes)", &[[8, 8]], "out[i] = i;"),
    // Several work-items may store the same value.
    case("out[i / 2] = i;", "argument `out` (global, 256 bytes)", &[[12, 12]], "out[0] = 77;"),
    case("out[i] = out[i + 1];", "argument `out` (global, 256 bytes)", &[[8, 10]],
        "out[i] = out[i + 32];"),
    // Between groups.
    case("out[l] = i;", "argument `out` (global, 256 bytes)", &[[8, 8]], "out[i] = l;"),
    case("out[i] = i; barrier(2); in[i] = out[i ^ 16];", "argument `out` (global, 256 bytes)", &[[8, 33]],
        "out[i] = i; barrier(2); in[i] = out[i ^ 15];"),
    case("out[i] = i; barrier(1); in[i] = out[i ^ 15];", "argument `out` (global, 256 bytes)", &[[8, 33]],
        "out[i] = i; barrier(3); in[i] = out[i ^ 15];"),
    // Two arguments of the same memory.
    case("out[i] = same[i + 1];", "(global, 256 bytes)", &[[8, 10]], "out[i] = same[i + 32];"),
    case("tile[l] = i; out[i] = tile[15 - l];", "argument `tile` (local, 64 bytes)", &[[9, 23]],
        "tile[l] = i; barrier(1); out[i] = tile[15 - l];"),
    case("tile[l] = i; barrier(2); out[i] = tile[15 - l];", "argument `tile` (local, 64 bytes)", &[[9, 35]],
        "tile[l] = i; out[i] = tile[l];"),
    case("local int own[16]; own[l / 2] = l; out[i] = 1;", "variable `own` (local, 64 bytes)", &[[31, 31]],
        "local int own[16]; own[l] = l; out[i] = 1;"),
    // A tree without a barrier in its loop, and one within a function.
    case("tile[l] = i; barrier(1); for (int n = 8; n; n /= 2) if (l < n) tile[l] += tile[l + n]; \
          if (!l) out[i] = tile[0];", "argument `tile` (local, 64 bytes)", &[[72, 72], [72, 75]],
        "tile[l] = i; for (int n = 8; n; n /= 2) { barrier(1); if (l < n) tile[l] += tile[l + n]; } \
         if (!l) out[i] = tile[0];"),
    case("volatile local int *v = tile; v[l] = i; out[i] = v[l ^ 1];", "argument `tile` (local, 64 bytes)",
        &[[36, 50]], "volatile local int *v = tile; v[l] = i; barrier(1); out[i] = v[l ^ 1];"),
    case("atomic_inc(out); if (i == 3) out[0] = 100;", "argument `out` (global, 256 bytes)", &[[1, 37]],
        "atomic_inc(out); atomic_add(out, 5); atomic_max(out + 1, i);"),
    case("tile[l] = i + 5; out[i] = atomic_dec(tile);", "argument `tile` (local, 64 bytes)", &[[9, 27]],
        "tile[l] = i + 5; barrier(1); out[i] = atomic_dec(tile);"),
    // A lock, and the last group.
    case("if (in[9] == 9) out[0] = i;", "argument `out` (global, 256 bytes)", &[[24, 24]],
        "if (i < 4) while (atomic_cmpxchg(flag, 0, 1) == 0) { out[0] += i; atomic_xchg(flag, 0); break; }"),
    case("out[i] = i; if (i > 30) out[40] = out[0];", "argument `out` (global, 256 bytes)", &[[8, 35]],
        "out[i] = i; mem_fence(2); if (atomic_inc(flag) == 31) { int s = 0; \
         for (int k = 0; k < 32; ++k) s += out[k]; out[40] = s; }"),
    case("bytes[i / 2] = i;", "argument `bytes` (global, 256 bytes)", &[[14, 14]], "bytes[i] = i;"),
    case("points[l / 2].x = i;", "argument `points` (global, 256 bytes)", &[[17, 17]], "if (i < 16) points[i] = points[i];"),
    // Components of one vector.
    case("points[i / 2].x = i;", "argument `points` (global, 256 bytes)", &[[17, 17]],
        "if (i & 1) points[i / 2].x = i; else { points[i / 2].zy = i; out[i] = points[i / 2].zz.x; }"),
    case("records[i] = records[(i + 1) & 31];", "argument `records` (global, 256 bytes)", &[[14, 14]],
        "records[i] = records[i]; records[i].tag = i; out[i] = records[i].number;"),
    // Bytes of each work-item, unless the launch has them overlap; atomic operations alone; reads
    // alone between barriers.
    case("out[g * 15 + l] = i;", "argument `out` (global, 256 bytes)", &[[17, 17]], "out[g * 16 + l] = i;"),
    case("atomic_inc(out); in[i] = same[0];", "(global, 256 bytes)", &[[1, 26]],
        "atomic_inc(out + (i & 3)); in[i] = same[i + 32];"),
    case("for (int k = 0; k < 2; ++k) { tile[l] = k; barrier(1); out[i] = tile[15 - l]; }",
        "argument `tile` (local, 64 bytes)", &[[39, 65]],
        "for (int k = 0; k < 2; ++k) { tile[l] = k; barrier(1); out[i] = tile[15 - l]; barrier(1); }"),
    // Asynchronous copies.
    case("event_t e = async_work_group_copy(tile, in, 16, 0); out[i] = tile[l]; wait_group_events(1, &e);",
        "argument `tile` (local, 64 bytes)", &[[13, 62]],
        "event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e); out[i] = tile[l];"),
    case("tile[l] = i; event_t e = async_work_group_copy(out + 16 * g, tile, 16, 0); wait_group_events(1, &e);",
        "argument `tile` (local, 64 bytes)", &[[9, 26]],
        "tile[l] = i; barrier(1); event_t e = async_work_group_copy(out + 16 * g, tile, 16, 0); \
         wait_group_events(1, &e);"),
    case("tile[l] = 1; barrier(1); event_t e = async_work_group_copy(out, tile, 16, 0); wait_group_events(1, &e);",
        "argument `out` (global, 256 bytes)", &[[38, 38]],
        "event_t e = async_work_group_copy(tile, out, 16, 0); wait_group_events(1, &e);"),
    // Pointers into one of two objects.
    case("global int *p = l & 1 ? out : in; p[0] = i;", "write of 4 bytes", &[[40, 40]],
        "global int *p = l & 1 ? out : in; p[i] = i;"),
];

/// The races of which a process reports: object and columns, the lower one first.
fn found(output: &str) -> BTreeSet<(String, [u32; 2])> {
    let column = |line: &str| -> Option<u32> {
        let (_, column) = line.split_once(PLACE)?;
        column.trim().parse().ok()
    };
    let mut found = BTreeSet::new();
    for finding in output.split("data-race: ").skip(1) {
        let mut lines = finding.lines();
        let message = lines.next().unwrap_or_default().to_owned();
        let mut columns: Vec<u32> = lines.filter_map(column).collect();
        columns.sort_unstable();
        let ends = [columns.first(), columns.last()];
        let ends = ends.map(|end| *end.unwrap_or_else(|| panic!("{output}")));
        found.insert((message, ends));
    }
    found
}

/// The races of which a process that checks reports.
fn run(kernels: &[&str], lanes: Option<&str>) -> BTreeSet<(String, [u32; 2])> {
    let (errors, _) = checked::run(&PROGRAM, kernels, lanes, "races");
    let found = found(&errors);
    assert!(found.is_empty() == errors.is_empty(), "{errors}");
    found
}

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let races = run(&[case.wrong], lanes);
        assert!(
            races
                .iter()
                .all(|(message, _)| message.contains(case.object)),
            "{}: {races:?}",
            case.wrong
        );
        let columns: BTreeSet<[u32; 2]> = races.into_iter().map(|(_, columns)| columns).collect();
        let known: BTreeSet<[u32; 2]> = case.columns.iter().copied().collect();
        assert!(
            !columns.is_empty() && columns.is_subset(&known),
            "{} with lanes {lanes:?}: {columns:?}",
            case.wrong
        );
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    assert_eq!(run(&right, lanes), BTreeSet::new(), "with lanes {lanes:?}");
}

#[test]
fn races_are_found_in_code_by_default() {
    check(None);
}

#[test]
fn races_are_found_without_lanes() {
    check(Some("0"));
}

#[test]
fn races_are_found_in_8_lanes() {
    check(Some("8"));
}

#[test]
fn races_are_found_in_32_lanes() {
    check(Some("32"));
}

/// The value is that of the work-item which is named.
#[test]
fn the_value_of_a_write_is_shown() {
    for (body, value) in [
        (
            "out[0] = i + 100;",
            (|i| format!("{}", i + 100)) as fn(u32) -> String,
        ),
        ("((global float *)out)[i / 4] = i + 0.5f;", |i| {
            format!("{i}.5")
        }),
        ("tile[i & 1] = -1 - (int)i;", |i| {
            format!("{} ({:#x})", -1 - i.cast_signed(), u32::MAX - i)
        }),
        (
            "if (i == 3) out[0] = 5; else atomic_add(out, i + 9);",
            |i| format!("{}", if i == 3 { 5 } else { i + 9 }),
        ),
    ] {
        for lanes in ["0", "16"] {
            let (errors, _) = checked::run(&PROGRAM, &[body], Some(lanes), "races");
            let after = |name: &str| {
                errors
                    .split_once(name)
                    .map(|(_, rest)| rest)
                    .unwrap_or_default()
            };
            let item = after("work-item: global (").split(',').next().unwrap();
            let expected = value(item.parse().unwrap());
            let shown = after("value: ").lines().next().unwrap();
            assert_eq!(shown, expected, "{body}, {lanes} lanes: {errors}");
        }
    }
}

/// Which work-items race is the same in each run, with any number of threads.
#[test]
fn findings_are_the_same_each_time() {
    let kernels = ["out[i / 3] = i; tile[l & 7] = i; in[i & 3] += 1;"];
    let first = run(&kernels, None);
    assert_eq!(first.len(), 4, "{first:?}");
    for _ in 0..3 {
        assert_eq!(run(&kernels, None), first);
    }
}
