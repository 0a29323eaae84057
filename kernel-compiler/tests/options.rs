//! What the options of section 5.6.4 that are about arithmetic do to results.

#[allow(dead_code, reason = "other test programs use the rest")]
mod running;

use running::{executable_with, run};

/// 2^-20
const POWER_20: f32 = 1.0 / 1_048_576.0;

/// Results of a kernel `(global const float4 *in, global double4 *out)` built with
/// `options`, in vector code and in scalar code; both must agree.
fn results(options: &str, body: &str, input: &[[f32; 4]]) -> Vec<[f64; 4]> {
    let source = format!(
        "kernel void k(global const float4 *in, global double4 *out) {{
            size_t i = get_global_id(0);
            float a = in[i].x, b = in[i].y, c = in[i].z;
            {body}
        }}"
    );
    let program = executable_with(options, &source);
    let many: Vec<[f64; 4]> = run(&program, input, input.len(), [input.len(); 2]);
    let single: Vec<[f64; 4]> = run(&program, input, input.len(), [input.len(), 1]);
    for (many, single) in many.iter().zip(&single) {
        assert_eq!(
            many.map(f64::to_bits),
            single.map(f64::to_bits),
            "{options}"
        );
    }
    many
}

/// Products that are rounded differently when they are fused with a sum.
fn inexact_products() -> Vec<[f32; 4]> {
    (1..=64)
        .map(|i| {
            let (a, b) = (1.0 + i as f32 * POWER_20, 1.0 + i as f32 * POWER_20 / 2.0);
            [a, b, -(a * b), 0.0]
        })
        .collect()
}

#[test]
fn products_are_fused_with_sums_within_expressions_and_by_mad_enable_beyond() {
    let input = inexact_products();
    let within = "out[i] = a * b + c;";
    let beyond = "float product = a * b; out[i] = product + c;";
    let off = |body: &str| format!("{{\n#pragma OPENCL FP_CONTRACT OFF\n {body} }}");
    let all = [
        "",
        "-cl-mad-enable",
        "-cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math",
    ];
    for (number, options) in all.into_iter().enumerate() {
        let bodies = [
            (within.to_owned(), true),
            (beyond.to_owned(), number > 0),
            (off(within), false),
            (off(beyond), false),
        ];
        for (body, fuses) in bodies {
            let results = results(options, &body, &input);
            for ([a, b, c, _], got) in input.iter().zip(results) {
                let fused = f64::from(a.mul_add(*b, *c));
                assert_ne!(
                    fused, 0.0,
                    "the input distinguishes fused from separate operations"
                );
                // A host without the instruction contracts nothing.
                let fuses = fuses && std::is_x86_feature_detected!("fma");
                let right = if fuses { fused } else { 0.0 };
                assert_eq!(got, [right; 4], "{options} {body}");
            }
        }
    }
}

#[test]
fn single_precision_constants_make_expressions_single() {
    let input = [[3.0, 7.0, 0.0, 0.0]];
    let body = "out[i] = (double4)(a * 0.1, b / 0.3, sizeof(0.1), 0);";
    let [double] = results("", body, &input)[..] else {
        panic!("one result");
    };
    assert_eq!(double, [3.0 * 0.1, 7.0 / 0.3, 8.0, 0.0]);
    let [single] = results("-cl-single-precision-constant", body, &input)[..] else {
        panic!("one result");
    };
    let right = [f64::from(3.0f32 * 0.1), f64::from(7.0f32 / 0.3), 4.0, 0.0];
    assert_eq!(single, right);
}

#[test]
fn denormals_may_become_zero_only_where_that_is_allowed() {
    let least = f32::from_bits(1);
    let input = [
        [f32::MIN_POSITIVE, 0.5, least, 0.0],
        [least, 2.0, -least, 0.0],
    ];
    let body = "out[i] = (double4)(a * b, a + c, a - c, (double)c);";
    let arithmetic = |[a, b, c, _]: [f32; 4]| [a * b, a + c, a - c, c].map(f64::from);
    for (input, got) in input.into_iter().zip(results("", body, &input)) {
        assert_eq!(got, arithmetic(input));
    }
    for (input, got) in input
        .into_iter()
        .zip(results("-cl-denorms-are-zero", body, &input))
    {
        for (right, got) in arithmetic(input).into_iter().zip(got) {
            let denormal = right.abs() < f64::from(f32::MIN_POSITIVE);
            assert!(got == right || denormal && got == 0.0, "{right:e} {got:e}");
        }
    }
}

#[test]
fn division_and_square_root_are_correctly_rounded_with_the_option_and_without() {
    let input: Vec<[f32; 4]> = (1..=256)
        .map(|i| [i as f32 * 0.37, 1.0 + i as f32 * 0.0113, 0.0, 0.0])
        .collect();
    let body = "out[i] = (double4)(a / b, sqrt(a), 1.0f / b, 0);";
    for options in ["", "-cl-fp32-correctly-rounded-divide-sqrt"] {
        for ([a, b, ..], got) in input.iter().zip(results(options, body, &input)) {
            assert_eq!(
                got,
                [a / b, a.sqrt(), 1.0 / b, 0.0].map(f64::from),
                "{options}"
            );
        }
    }
}

/// With permission to use reciprocals, quotients of doubles have nearly all their digits.
#[test]
fn relaxed_quotients_of_doubles_are_within_a_few_ulp() {
    let source = "kernel void k(global const double *in, global double *out) {
        size_t i = get_global_id(0);
        out[i] = (in[i] + 1.0) / in[i] - in[i] / sqrt(in[i]);
    }";
    let input: Vec<f64> = (1..=256).map(|i| f64::from(i) * 0.37).collect();
    for options in ["-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"] {
        let program = executable_with(options, source);
        for group in [input.len(), 1] {
            let got: Vec<f64> = run(&program, &input, input.len(), [input.len(), group]);
            for (x, got) in input.iter().zip(got) {
                let right = (x + 1.0) / x - x.sqrt();
                let unit = f64::EPSILON * ((x + 1.0) / x + x.sqrt());
                assert!(
                    (right - got).abs() <= 4.0 * unit,
                    "{options}: {right} {got}"
                );
            }
        }
    }
}

/// Nothing but permissions: results of ordinary arguments stay near.
#[test]
fn relaxed_arithmetic_is_still_near() {
    let input: Vec<[f32; 4]> = (1..=256)
        .map(|i| [i as f32 * 0.37, 1.0 + i as f32 * 0.0113, i as f32, 0.0])
        .collect();
    let body = "out[i] = (double4)(a / b, sqrt(a) * c, a * b + c, a * rsqrt(b) - c / 3.0f);";
    for options in [
        "-cl-no-signed-zeros",
        "-cl-finite-math-only",
        "-cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math",
        "-cl-fast-relaxed-math -cl-mad-enable -cl-denorms-are-zero -cl-strict-aliasing",
    ] {
        let source = format!(
            "kernel void k(global const float4 *in, global double4 *out) {{
                size_t i = get_global_id(0);
                float a = in[i].x, b = in[i].y, c = in[i].z;
                {body}
            }}"
        );
        let program = executable_with(options, &source);
        for group in [input.len(), 1] {
            let got: Vec<[f64; 4]> = run(&program, &input, input.len(), [input.len(), group]);
            for ([a, b, c, _], got) in input.iter().zip(got) {
                let [a, b, c] = [*a, *b, *c].map(f64::from);
                let right = [a / b, a.sqrt() * c, a * b + c, a / b.sqrt() - c / 3.0];
                let scale = a + c + a * c;
                for (right, got) in right.into_iter().zip(got) {
                    assert!(
                        (right - got).abs() <= scale * f64::from(POWER_20),
                        "{options}: {right} {got}"
                    );
                }
            }
        }
    }
}
