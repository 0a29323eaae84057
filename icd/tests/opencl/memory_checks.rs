//! `MOCL3_CHECK=memory`: accesses out of bounds, through null pointers, misaligned or not allowed are
//! reported with their places, and left out. The same kernels without the error report nothing.

use crate::checked;
use crate::process::compile;
use crate::session::vendors;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

pub static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("memory_checks"));

/// A kernel's body with an error, what is reported of it, and a body without the error.
struct Case {
    wrong: &'static str,
    /// First lines of the reports, and the columns of their places.
    found: &'static [(&'static str, u32)],
    right: &'static str,
}

/// 32 work-items in groups of 16; buffers of 64 ints, `tile` of 16, `part` a sub-buffer of 16.
const CASES: &[Case] = &[
    Case {
        wrong: "out[i] = in[i + 33];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `in` (global, 256 bytes)",
            10,
        )],
        right: "out[i] = in[i + 32];",
    },
    Case {
        wrong: "out[i] = in[i - 1];",
        found: &[(
            "out-of-bounds: read of 4 bytes, 4 bytes before the start of argument `in` (global, 256 bytes)",
            10,
        )],
        right: "out[i] = in[i];",
    },
    Case {
        wrong: "constant int v[4] = {1, 2, 3, 4}; out[i] = v[7];",
        found: &[(
            "out-of-bounds: read of 4 bytes, 12 bytes after the end of variable `v` (constant, 16 bytes)",
            44,
        )],
        right: "constant int v[4] = {1, 2, 3, 4}; out[i] = v[3];",
    },
    Case {
        wrong: "out[i] = in[i + 4096];",
        found: &[(
            "out-of-bounds: read of 4 bytes, 16128 bytes after the end of argument `in` (global, 256 bytes)",
            10,
        )],
        right: "out[i] = in[i & 4096];",
    },
    Case {
        wrong: "out[i] = in[i + ((long)1 << 40)];",
        found: &[(
            "out-of-bounds: read of 4 bytes, 4398046510848 bytes after the end of argument `in` (global, 256 bytes)",
            10,
        )],
        right: "out[i] = in[i + ((long)1 & 2)];",
    },
    Case {
        wrong: "out[i - ((long)1 << 60)] = 1;",
        found: &[(
            "out-of-bounds: write of 4 bytes, 4611686018427387904 bytes before the start of argument `out` (global, 256 bytes)",
            26,
        )],
        right: "out[i] = 1;",
    },
    Case {
        wrong: "out[i + 33] = 1;",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)",
            13,
        )],
        right: "out[i + 32] = 1;",
    },
    Case {
        wrong: "out[i * 4096] = 1;",
        found: &[(
            "out-of-bounds: write of 4 bytes, 16128 bytes after the end of argument `out` (global, 256 bytes)",
            15,
        )],
        right: "out[i * 2] = 1;",
    },
    Case {
        wrong: "tile[l + 1] = i; out[i] = tile[l];",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `tile` (local, 64 bytes)",
            13,
        )],
        right: "tile[l] = i; out[i] = tile[l];",
    },
    Case {
        wrong: "tile[l + 100000] = i;",
        found: &[(
            "out-of-bounds: write of 4 bytes, 399936 bytes after the end of argument `tile` (local, 64 bytes)",
            18,
        )],
        right: "tile[l & 100000] = i;",
    },
    Case {
        wrong: "local int own[8]; own[l] = i; barrier(CLK_LOCAL_MEM_FENCE); out[i] = own[l & 7];",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of variable `own` (local, 32 bytes)",
            26,
        )],
        right: "local int own[16]; own[l] = i; barrier(CLK_LOCAL_MEM_FENCE); out[i] = own[l & 7];",
    },
    Case {
        wrong: "int a[4] = {1, 2, 3, 4}; out[i] = a[i & 7];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of variable `a` (private, 16 bytes)",
            35,
        )],
        right: "int a[4] = {1, 2, 3, 4}; out[i] = a[i & 3];",
    },
    Case {
        wrong: "int a[4] = {1, 2, 3, 4}; a[l - 1] = 5; out[i] = a[l & 3];",
        found: &[(
            "out-of-bounds: write of 4 bytes, 4 bytes before the start of variable `a` (private, 16 bytes)",
            35,
        )],
        right: "int a[17] = {1, 2, 3, 4}; a[l] = 5; out[i] = a[l];",
    },
    Case {
        wrong: "int a[4] = {1, 2, 3, 4}; out[i] = a[5];",
        found: &[(
            "out-of-bounds: read of 4 bytes, 4 bytes after the end of variable `a` (private, 16 bytes)",
            35,
        )],
        right: "int a[6] = {1, 2, 3, 4}; out[i] = a[5];",
    },
    Case {
        wrong: "none[i] = 1; out[i] = none[i];",
        found: &[
            (
                "null-pointer: write of 4 bytes through argument `none`, which is a null pointer",
                9,
            ),
            (
                "null-pointer: read of 4 bytes through argument `none`, which is a null pointer",
                23,
            ),
        ],
        right: "if (none) none[i] = 1;",
    },
    Case {
        wrong: "out[i] = primes[i & 7];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of variable `primes` (constant, 16 bytes)",
            10,
        )],
        right: "out[i] = primes[i & 3];",
    },
    Case {
        wrong: "out[i] = table[i + 40];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `table` (constant, 256 bytes)",
            10,
        )],
        right: "out[i] = table[i + 30];",
    },
    Case {
        wrong: "ro[i] = 1;",
        found: &[(
            "write-to-read-only: write of 4 bytes to argument `ro`, which kernels may only read",
            7,
        )],
        right: "out[i] = ro[i];",
    },
    Case {
        wrong: "((global int *)fixed)[i] = 1;",
        found: &[(
            "write-to-const: write of 4 bytes to argument `fixed`, which is declared const",
            26,
        )],
        right: "out[i] = fixed[i];",
    },
    Case {
        wrong: "out[i] = wo[i];",
        found: &[(
            "read-of-write-only: read of 4 bytes of argument `wo`, which kernels may only write",
            10,
        )],
        right: "wo[i] = i;",
    },
    Case {
        wrong: "out[i] = part[i];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `part` (global, 64 bytes)",
            10,
        )],
        right: "out[i] = part[i & 15];",
    },
    Case {
        wrong: "*(global int4 *)(out + 1) = (int4)(i);",
        found: &[(
            "misaligned: write of 16 bytes at byte 4 of argument `out` (global, 256 bytes), which is no multiple of 16",
            27,
        )],
        right: "*(global int4 *)(out + 4) = (int4)(i);",
    },
    Case {
        wrong: "out[i] = *(global int *)((global char *)in + 4 * i + 1);",
        found: &[(
            "misaligned: read of 4 bytes at byte 1 of argument `in` (global, 256 bytes), which is no multiple of 4",
            10,
        )],
        right: "out[i] = vload4(0, (global char *)in + 4 * i + 1).x;",
    },
    Case {
        wrong: "vstore4((int4)(i), i, out);",
        found: &[(
            "out-of-bounds: write of 16 bytes just after the end of argument `out` (global, 256 bytes)",
            1,
        )],
        right: "vstore4((int4)(i), i & 15, out);",
    },
    Case {
        wrong: "int3 v = vload3(i, in); out[i] = v.x + v.z;",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `in` (global, 256 bytes)",
            10,
        )],
        right: "int3 v = vload3(i & 15, in); out[i] = v.x + v.z;",
    },
    Case {
        wrong: "atomic_add(out + 60 + i, 1);",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)",
            1,
        )],
        right: "atomic_add(out + (i & 7), 1);",
    },
    Case {
        wrong: "atomic_inc(tile + 2 * l);",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `tile` (local, 64 bytes)",
            1,
        )],
        right: "atomic_inc(tile + l);",
    },
    Case {
        wrong: "atomic_cmpxchg(in - i, 0, 5);",
        found: &[(
            "out-of-bounds: write of 4 bytes, 4 bytes before the start of argument `in` (global, 256 bytes)",
            1,
        )],
        right: "atomic_cmpxchg(in + i, 0, 5);",
    },
    Case {
        wrong: "fract(i + 0.5f, (global float *)out + 50 + i);",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)",
            1,
        )],
        right: "fract(i + 0.5f, (global float *)out + i);",
    },
    Case {
        wrong: "sincos((float)i, (local float *)tile + l + 8);",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `tile` (local, 64 bytes)",
            1,
        )],
        right: "sincos((float)i, (local float *)tile + l);",
    },
    Case {
        wrong: "float x; out[i] = modf(i + 0.5f, &x + (i & 1));",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of variable `x` (private, 4 bytes)",
            19,
        )],
        right: "float x; out[i] = modf(i + 0.5f, &x);",
    },
    Case {
        wrong: "remquo((float)i, 3.0f, out + 40 + i);",
        found: &[(
            "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)",
            1,
        )],
        right: "remquo((float)i, 3.0f, out + i);",
    },
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in + 56, 16, 0); wait_group_events(1, &e);",
        found: &[(
            "out-of-bounds: read of 64 bytes, which begins 32 bytes before the end of argument `in` (global, 256 bytes)",
            13,
        )],
        right: "event_t e = async_work_group_copy(tile, in + 48, 16, 0); wait_group_events(1, &e);",
    },
    Case {
        wrong: "event_t e = async_work_group_copy(tile, in, 17, 0); wait_group_events(1, &e);",
        found: &[(
            "out-of-bounds: write of 68 bytes, which begins 64 bytes before the end of argument `tile` (local, 64 bytes)",
            13,
        )],
        right: "event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e);",
    },
    Case {
        wrong: "event_t e = async_work_group_strided_copy(tile, in, 16, 5, 0); wait_group_events(1, &e);",
        found: &[(
            "out-of-bounds: read of 304 bytes, which begins 256 bytes before the end of argument `in` (global, 256 bytes)",
            13,
        )],
        right: "event_t e = async_work_group_strided_copy(tile, in, 16, 4, 0); wait_group_events(1, &e);",
    },
    Case {
        wrong: "struct S { int a[4]; }; struct S s = ((global struct S *)in)[i]; out[i] = s.a[3];",
        found: &[(
            "out-of-bounds: read of 16 bytes just after the end of argument `in` (global, 256 bytes)",
            38,
        )],
        right: "struct S { int a[4]; }; struct S s = ((global struct S *)in)[i & 15]; out[i] = s.a[3];",
    },
    Case {
        wrong: "global int *p = i & 1 ? in : out + 60; out[i] = p[l];",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `out` (global, 256 bytes)",
            49,
        )],
        right: "global int *p = i & 1 ? in : out + 48; out[i] = p[l];",
    },
    Case {
        wrong: "global int *p = in; for (int j = 0; j < 5; ++j) { out[i] += *p; p += 16; }",
        found: &[(
            "out-of-bounds: read of 4 bytes just after the end of argument `in` (global, 256 bytes)",
            61,
        )],
        right: "global int *p = in; for (int j = 0; j < 4; ++j) { out[i] += *p; p += 16; }",
    },
    Case {
        wrong: "if (i < 20) out[i + 50] = in[i]; else out[i] = in[i + 40];",
        found: &[
            (
                "out-of-bounds: write of 4 bytes just after the end of argument `out` (global, 256 bytes)",
                25,
            ),
            (
                "out-of-bounds: read of 4 bytes just after the end of argument `in` (global, 256 bytes)",
                48,
            ),
        ],
        right: "if (i < 14) out[i + 50] = in[i]; else out[i] = in[i + 30];",
    },
    Case {
        wrong: "local int *q[2]; q[0] = tile; q[1] = (local int *)64; q[i & 1][l] = i;",
        found: &[(
            "unknown-address: write of 4 bytes at 0x44, which is in no object of the launch",
            67,
        )],
        right: "local int *q[2]; q[0] = tile; q[1] = tile; q[i & 1][l] = i;",
    },
    Case {
        wrong: "int a[4] = {1, 2, 3, 4}; int *q[2]; q[0] = a; q[1] = (int *)64; out[i] = q[i & 1][l & 3];",
        found: &[(
            "unknown-address: read of 4 bytes at 0x44, which is in no object of the launch",
            74,
        )],
        right: "int a[4] = {1, 2, 3, 4}; int *q[2]; q[0] = a; q[1] = &l; barrier(CLK_LOCAL_MEM_FENCE); \
                out[i] = q[i & 1][i & 1 ? 0 : l & 3];",
    },
    // Strings of printf are read up to their ends, or to the precision.
    Case {
        wrong: "char s[3] = {'a', 'b', 'c'}; if (i == 3) printf(\"%s\", s); out[i] = 1;",
        found: &[(
            "out-of-bounds: read of 1 byte just after the end of variable `s` (private, 3 bytes)",
            42,
        )],
        right: "char s[3] = {'a', 'b', 'c'}; if (i == 3) printf(\"%.3s\", s); out[i] = 1;",
    },
    Case {
        wrong: "constant char *s = 0; printf(\"%s%d\", s, 1); out[i] = 1;",
        found: &[("null-pointer: read of 1 byte through a null pointer", 23)],
        right: "constant char *s = i > 40 ? 0 : \"\"; printf(\"%s%.0s%s\", s, \"x\", \"\"); out[i] = 1;",
    },
    Case {
        wrong: "global char *s = (global char *)in + 250; in[62] = in[63] = 0x61616161; printf(\"%s\", s);",
        found: &[(
            "out-of-bounds: read of 1 byte just after the end of argument `in` (global, 256 bytes)",
            73,
        )],
        right: "global char *s = (global char *)in + 255; in[63] = 0; printf(\"%s\", s);",
    },
];

/// What a process that checks says of bodies, and what the kernels computed.
fn run(bodies: &[&str], lanes: Option<&str>) -> (Vec<(String, u32)>, String) {
    let (errors, computed) = checked::run(&PROGRAM, bodies, lanes, "memory");
    (checked::found(&errors), computed)
}

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let (reported, _) = run(&[case.wrong], lanes);
        let expected: Vec<_> = case
            .found
            .iter()
            .map(|(line, column)| ((*line).to_owned(), *column))
            .collect();
        assert_eq!(reported, expected, "{} with lanes {lanes:?}", case.wrong);
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    let (reported, computed) = run(&right, lanes);
    assert_eq!(reported, [], "with lanes {lanes:?}");
    assert_eq!(computed, checked::run(&PROGRAM, &right, lanes, "0").1);
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

/// Reads give zero and writes are left out; the work-item is the first of those that are outside.
#[test]
fn accesses_out_of_bounds_are_left_out() {
    let (numbers, _) = numbers("out[i] = in[i + 48]; out[i + 40] = -1;", None);
    let expected = |i: i32| match i {
        0..16 => i + 48,
        16..32 => 0,
        32..40 => i,
        _ => -1,
    };
    assert_eq!(numbers, (0..64).map(expected).collect::<Vec<_>>());
}

/// The numbers in `out` after a kernel with this body, and what is reported.
fn numbers(body: &str, lanes: Option<&str>) -> (Vec<i32>, Vec<String>) {
    let (found, numbers) = run(&[body], lanes);
    let numbers = numbers
        .split_whitespace()
        .map(|number| number.parse().unwrap());
    (
        numbers.collect(),
        found.into_iter().map(|(line, _)| line).collect(),
    )
}

/// The memory is there, so that the program computes what it does without checks.
#[test]
fn accesses_that_only_flags_forbid_are_made() {
    let to_read_only =
        "write-to-read-only: write of 4 bytes to argument `ro`, which kernels may only read";
    for lanes in [None, Some("0"), Some("16")] {
        let (numbers_, found) = numbers(
            "ro[i] = i + 3; out[i] = ro[i]; out[i + 32] = wo[i + 7];",
            lanes,
        );
        let expected = |i: i32| if i < 32 { i + 3 } else { i - 32 + 7 };
        assert_eq!(
            numbers_,
            (0..64).map(expected).collect::<Vec<_>>(),
            "{lanes:?}"
        );
        let from_write_only =
            "read-of-write-only: read of 4 bytes of argument `wo`, which kernels may only write";
        assert_eq!(found, [to_read_only, from_write_only], "{lanes:?}");
        // Outside it is still left out.
        let (numbers_, found) = numbers("ro[i + 40] = -1; out[i] = ro[i + 32];", lanes);
        let expected = |i: i32| match i {
            8..32 => -1,
            0..8 => i + 32,
            _ => i,
        };
        assert_eq!(
            numbers_,
            (0..64).map(expected).collect::<Vec<_>>(),
            "{lanes:?}"
        );
        let outside = "out-of-bounds: write of 4 bytes just after the end of argument `ro` (global, 256 bytes)";
        assert_eq!(found, [outside, to_read_only], "{lanes:?}");
    }
}

#[test]
fn forbidden_accesses_of_any_form_are_made() {
    for body in [
        "((global int *)fixed)[i] = 5; out[i] = fixed[i] + fixed[i + 32];",
        "((global int4 *)ro)[i & 15] = ((global int4 *)wo)[i & 15].yxwz; out[i] = ro[i];",
        "struct S { int a[4]; }; ((global struct S *)ro)[i & 15] = ((global struct S *)wo)[15 - (i & 15)]; \
         out[i] = ro[i];",
        "global int *p = i & 1 ? ro : wo; p[i] += 7; out[i] = ro[i] * 100 + wo[i];",
        "atomic_add(ro + i, 4); out[i] = ro[i];",
        "tile[l] = i + 9; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_copy(ro + (i & 16), tile, 16, 0); \
         wait_group_events(1, &e); e = async_work_group_copy(tile, wo + 40, 16, 0); wait_group_events(1, &e); \
         out[i] = ro[i]; out[i + 32] = tile[l];",
        "if (i > 11) ro[i] = 2; for (int j = 0; j < 3; ++j) out[i] += ro[(i + j) & 31] + wo[j];",
    ] {
        for lanes in [None, Some("0"), Some("8")] {
            let (computed, found) = numbers(body, lanes);
            assert!(!found.is_empty(), "{body}");
            let (_, unchecked) = checked::run(&PROGRAM, &[body], lanes, "0");
            let unchecked = unchecked
                .split_whitespace()
                .map(|number| number.parse().unwrap());
            assert_eq!(
                computed,
                unchecked.collect::<Vec<i32>>(),
                "{body} with lanes {lanes:?}"
            );
        }
    }
}

#[test]
fn the_first_work_item_is_named() {
    let output = Command::new(&*PROGRAM)
        .arg("out[i + 40] = 1;")
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CHECK", "memory")
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let item = "work-item: global (24,0,0), local (8,0,0), group (1,0,0)";
    assert!(errors.contains(item), "{errors}");
    assert!(errors.contains("6 | out[i + 40] = 1;"), "{errors}");
}

#[test]
fn the_value_of_a_write_is_shown() {
    for (body, value) in [
        ("out[i + 40] = -(int)i;", "-24 (0xffffffe8)"),
        ("((global float *)out)[i + 40] = 1.5f * i;", "36.0"),
        ("((global double *)out)[i + 8] = 0.25;", "0.25"),
        ("atomic_add(&out[i + 40], 7);", "7"),
    ] {
        for lanes in ["0", "16"] {
            let (errors, _) = checked::run(&PROGRAM, &[body], Some(lanes), "memory");
            let line = format!("\n      value: {value}\n");
            assert!(errors.contains(&line), "{body}, {lanes} lanes: {errors}");
        }
    }
}

#[test]
fn an_unknown_check_is_named_and_nothing_is_checked() {
    let output = Command::new(&*PROGRAM)
        .arg("ro[i] = 1;")
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CHECK", "memory,raced")
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("there is no check `raced`"), "{errors}");
    assert!(!errors.contains("write-to-read-only"), "{errors}");
}
