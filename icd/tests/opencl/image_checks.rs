//! `MOCL3_CHECK=memory`: accesses to images for whose coordinates OpenCL 1.2 defines no outcome are
//! reported; those that a sampler clamps or repeats are not. What they do is the same without checks.

use crate::checked;
use crate::process::compile;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("image_checks"));

/// A body with an error, the message about it after its kind, its column and the coordinates, and a
/// body without the error.
struct Case {
    wrong: &'static str,
    message: &'static str,
    column: u32,
    coordinates: &'static str,
    right: &'static str,
}

/// 32 work-items `i` in groups of 16; `x` is 0 to 7, `y` 0 to 3.
const CASES: &[Case] = &[
    Case {
        wrong: "write_imagei(to, (int2)(i & 15, 0), (int4)(i));",
        message: "write outside of argument `to` (image2d_t, 8 x 4)",
        column: 1,
        coordinates: "(8, 0)",
        right: "write_imagei(to, (int2)(x, y), (int4)(i));",
    },
    Case {
        wrong: "if (i > 20) write_imagei(to, (int2)(x, -y), (int4)(i));",
        message: "write outside of argument `to` (image2d_t, 8 x 4)",
        column: 13,
        coordinates: "(5, -2)",
        right: "if (i > 20) write_imagei(to, (int2)(x, 3), (int4)(i));",
    },
    Case {
        wrong: "out[i] = read_imagei(in, (int2)(x, y + 1)).x;",
        message: "read outside of argument `in` (image2d_t, 8 x 4)",
        column: 10,
        coordinates: "(0, 4)",
        right: "out[i] = read_imagei(in, clamped, (int2)(x, y + 1)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(in, none, (float2)(i * 0.25f - 0.5f, 1)).x;",
        message: "read outside of argument `in` (image2d_t, 8 x 4)",
        column: 10,
        coordinates: "(-0.5, 1.0)",
        right: "out[i] = read_imagei(in, clamped, (float2)(i * 0.25f - 0.5f, 1)).x + \
                read_imagei(in, none, (float2)(i * 0.25f, -0.0f)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(in, none, (int2)(x + 1, y)).x;",
        message: "read outside of argument `in` (image2d_t, 8 x 4)",
        column: 10,
        coordinates: "(8, 0)",
        right: "out[i] = read_imagei(in, none, (int2)(7 - x, y)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(in, whole, (float2)(i / 31.0f, 0)).x;",
        message: "read outside of argument `in` (image2d_t, 8 x 4)",
        column: 10,
        coordinates: "(1.0, 0.0)",
        right: "out[i] = read_imagei(in, whole, (float2)(i / 32.0f, 0.99f)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(in, clamped, (float2)(i == 19 ? NAN : i, 2)).x;",
        message: "read of argument `in` (image2d_t, 8 x 4) at a coordinate that is not finite",
        column: 10,
        coordinates: "(NaN, 2.0)",
        right: "out[i] = read_imagei(in, clamped, (float2)(i, 2)).x;",
    },
    // With a linear filter the neighbours of a pixel inside may be outside.
    Case {
        wrong: "out[i] = read_imagef(smooth, linear, (float2)(i * 0.25f + 0.5f, 0.25f)).x;",
        message: "read outside of argument `smooth` (image2d_t, 8 x 4)",
        column: 10,
        coordinates: "(8.0, 0.25)",
        right: "out[i] = read_imagef(smooth, linear, (float2)(i * 0.25f, 0.25f)).x;",
    },
    // A sampler clamps the layer of an array in any case.
    Case {
        wrong: "out[i] = read_imagei(frames, (int4)(x, 0, y, 0)).x;",
        message: "read outside of argument `frames` (image2d_array_t, 8 x 4, 3 layers)",
        column: 10,
        coordinates: "(0, 0, 3)",
        right: "out[i] = read_imagei(frames, none, (int4)(x, 0, y, 0)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(frames, none, (float4)(x, 4, y, 0)).x;",
        message: "read outside of argument `frames` (image2d_array_t, 8 x 4, 3 layers)",
        column: 10,
        coordinates: "(0.0, 4.0, 0.0)",
        right: "out[i] = read_imagei(frames, none, (float4)(x, 3, y, 0)).x;",
    },
    Case {
        wrong: "write_imagei(to_frames, (int4)(x, 0, y - 1, 0), (int4)(i));",
        message: "write outside of argument `to_frames` (image2d_array_t, 8 x 4, 3 layers)",
        column: 1,
        coordinates: "(0, 0, -1)",
        right: "write_imagei(to_frames, (int4)(x, y, y & 1, 0), (int4)(i));",
    },
    Case {
        wrong: "out[i] = read_imagei(lines, (int2)(x, y + 2)).x;",
        message: "read outside of argument `lines` (image1d_array_t, 8, 4 layers)",
        column: 10,
        coordinates: "(0, 4)",
        right: "out[i] = read_imagei(lines, (int2)(x, y)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(row, i).x;",
        message: "read outside of argument `row` (image1d_buffer_t, 16)",
        column: 10,
        coordinates: "(16)",
        right: "out[i] = read_imagei(row, i & 15).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(cube, (int4)(x & 3, y, 4, 0)).x;",
        message: "read outside of argument `cube` (image3d_t, 4 x 4 x 4)",
        column: 10,
        coordinates: "(0, 0, 4)",
        right: "out[i] = read_imagei(cube, (int4)(x & 3, y, 3, 9)).x;",
    },
    Case {
        wrong: "out[i] = read_imagei(in, whole, (int2)(0, 0)).x;",
        message: "read of argument `in` (image2d_t, 8 x 4) at integer coordinates with a sampler that has \
                  normalised coordinates, filters linearly or repeats the image",
        column: 10,
        coordinates: "(0, 0)",
        right: "out[i] = read_imagei(in, whole, (float2)(0, 0)).x;",
    },
    Case {
        wrong: "const sampler_t s = CLK_ADDRESS_REPEAT; out[i] = read_imagei(in, s, (float2)(1, 1)).x;",
        message: "read of argument `in` (image2d_t, 8 x 4) with a sampler that repeats the image and has no \
                  normalised coordinates",
        column: 50,
        coordinates: "(1.0, 1.0)",
        right: "const sampler_t s = CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE; \
                out[i] = read_imagei(in, s, (float2)(i * 1.5f, -1)).x;",
    },
];

/// Runs all cases with a number of lanes.
fn check(lanes: Option<&str>) {
    for case in CASES {
        let (errors, computed) = checked::run(&PROGRAM, &[case.wrong], lanes, "memory");
        let expected = [(format!("image-coordinates: {}", case.message), case.column)];
        let wrong = case.wrong;
        assert_eq!(
            checked::found(&errors),
            expected,
            "{wrong} with lanes {lanes:?}"
        );
        let value = format!("\n      value: {}\n", case.coordinates);
        assert!(
            errors.contains(&value),
            "{wrong} with lanes {lanes:?}: {errors}"
        );
        assert_eq!(
            computed,
            checked::run(&PROGRAM, &[wrong], lanes, "0").1,
            "{wrong}"
        );
    }
    let right: Vec<&str> = CASES.iter().map(|case| case.right).collect();
    let (errors, computed) = checked::run(&PROGRAM, &right, lanes, "memory");
    assert_eq!(checked::found(&errors), [], "with lanes {lanes:?}");
    assert_eq!(computed, checked::run(&PROGRAM, &right, lanes, "0").1);
}

#[test]
fn coordinates_are_checked_in_code_by_default() {
    check(None);
}

#[test]
fn coordinates_are_checked_without_lanes() {
    check(Some("0"));
}

#[test]
fn coordinates_are_checked_in_8_lanes() {
    check(Some("8"));
}

#[test]
fn coordinates_are_checked_in_16_lanes() {
    check(Some("16"));
}

#[test]
fn coordinates_are_checked_in_32_lanes() {
    check(Some("32"));
}

/// Undefined coordinates are one finding, of the access.
#[test]
fn undefined_coordinates_are_reported_once() {
    let body = "int a; if (i > 99) a = 1; out[i] = read_imagei(in, none, (int2)(a & 1, 0)).x;";
    let (errors, _) = checked::run(&PROGRAM, &[body], None, "uninitialised");
    let found = checked::found(&errors);
    assert_eq!(found.len(), 1, "{errors}");
    assert!(
        found[0].0.starts_with("uninitialised: an address depends"),
        "{errors}"
    );
    let (errors, _) = checked::run(&PROGRAM, &[CASES[3].wrong], None, "all");
    assert!(
        errors.contains("image-coordinates: read outside"),
        "{errors}"
    );
}
