//! Operators, comparisons, and what is rounded right by section 7.4's table.

use crate::ENABLE;
use crate::binary16::{Rounding, all, pairs, round, round_fixed, same, strata, value};
use crate::running::map;

fn nearest(x: f64) -> u16 {
    round(x, Rounding::ToNearestEven)
}

/// Doubles hold sums and products of halves, and more than twice the digits of their
/// quotients, so that rounding those again is rounding them once.
#[test]
fn operators_round_each_result_to_half() {
    type Reference = fn(f64, f64) -> f64;
    let operators: [(&str, Reference); 4] = [
        ("+", |a, b| a + b),
        ("-", |a, b| a - b),
        ("*", |a, b| a * b),
        ("/", |a, b| a / b),
    ];
    let pairs = pairs();
    for (operator, reference) in operators {
        let source = format!(
            "{ENABLE}kernel void k(global const half2 *in, global half8 *out) {{
                half2 x = in[get_global_id(0)];
                half2 swapped = x.yx {operator} x.xy;
                half3 three = (half3)(x, 1.0h) {operator} (half3)(x.y, x.x, x.y);
                out[get_global_id(0)] =
                    (half8)(x.x {operator} x.y, swapped, three, 0.0h, 0.0h);
            }}"
        );
        for (&[a, b], got) in pairs.iter().zip(map::<_, [u16; 8]>(&source, &pairs)) {
            let right = nearest(reference(value(a), value(b)));
            let swapped = nearest(reference(value(b), value(a)));
            for (got, right) in [
                (got[0], right),
                (got[1], swapped),
                (got[2], right),
                (got[3], right),
                (got[4], swapped),
            ] {
                assert!(same(got, right), "{a:#x} {operator} {b:#x} = {got:#x}");
            }
        }
    }
}

/// No intermediate result is kept with more digits than a half has.
#[test]
fn there_is_no_excess_precision() {
    let source = format!(
        "{ENABLE}kernel void k(global const half4 *in, global half2 *out) {{
            #pragma OPENCL FP_CONTRACT OFF
            half4 x = in[get_global_id(0)];
            half sum = x.x + x.y - x.z;
            out[get_global_id(0)] = (half2)(x.x * x.y + x.z, sum * x.w / x.y);
        }}"
    );
    let strata = strata();
    let input: Vec<[u16; 4]> = (0..100_000usize)
        .map(|i| [7, 61, 1009, 4093].map(|step| strata[i * step / 13 % strata.len()]))
        .collect();
    for ([x, y, z, w], got) in input.iter().zip(map::<_, [u16; 2]>(&source, &input)) {
        let half = |x: f64| value(nearest(x));
        let [a, b, c, d] = [x, y, z, w].map(|bits| value(*bits));
        let right = [
            nearest(half(a * b) + c),
            nearest(half(half(half(a + b) - c) * d) / b),
        ];
        assert!(
            same(got[0], right[0]) && same(got[1], right[1]),
            "{x:#x} {y:#x} {z:#x} {w:#x}: {got:x?} {right:x?}"
        );
    }
}

#[test]
fn fma_rounds_once() {
    let strata = strata();
    let mut state = 9u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as usize
    };
    let mut input: Vec<[u16; 4]> = (0..400_000)
        .map(|_| std::array::from_fn(|_| strata[next() % strata.len()]))
        .collect();
    input.extend((0..400_000).map(|_| std::array::from_fn(|_| next() as u16)));
    let source = format!(
        "{ENABLE}kernel void k(global const half4 *in, global half4 *out) {{
            half4 x = in[get_global_id(0)];
            half2 two = fma(x.xy, x.yx, x.zz);
            out[get_global_id(0)] = (half4)(fma(x.x, x.y, x.z), two, mad(x.x, x.y, x.z));
        }}"
    );
    for ([a, b, c, _], got) in input.iter().zip(map::<_, [u16; 4]>(&source, &input)) {
        let [x, y, z] = [a, b, c].map(|bits| value(*bits));
        let product = x * y;
        let right = if (product + z).is_finite() && product + z != 0.0 {
            // Both are multiples of 2^-48.
            let scale = 2f64.powi(48);
            round_fixed((product * scale) as i128 + (z * scale) as i128)
        } else {
            nearest(product + z)
        };
        for got in &got[..3] {
            assert!(same(*got, right), "fma({a:#x}, {b:#x}, {c:#x}) = {got:#x}");
        }
        let apart = nearest(value(nearest(product)) + z);
        assert!(
            same(got[3], right) || same(got[3], apart),
            "mad({a:#x}, {b:#x}, {c:#x}) = {:#x}",
            got[3]
        );
    }
}

#[test]
fn comparisons_select_and_relations() {
    let pairs = pairs();
    let source = format!(
        "{ENABLE}kernel void k(global const half2 *in, global ushort16 *out) {{
            half2 x = in[get_global_id(0)];
            half a = x.x, b = x.y;
            half2 p = (half2)(b, a);
            short2 less = isless(x, p), unordered = isunordered(x, p);
            out[get_global_id(0)] = (ushort16)(
                (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4
                    | (a != b) << 5 | (!a) << 6 | (a && b) << 7,
                isequal(a, b) | isnotequal(a, b) << 1 | isgreater(a, b) << 2
                    | isgreaterequal(a, b) << 3 | isless(a, b) << 4 | islessequal(a, b) << 5
                    | islessgreater(a, b) << 6 | isordered(a, b) << 7 | isunordered(a, b) << 8,
                isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | isnormal(a) << 3 | signbit(a) << 4,
                less.x, unordered.y, (isnan(x)).y, (signbit(x)).x, (x < p).x,
                as_ushort(a != 0 ? b : a), as_ushort(select(a, b, (short)isless(a, b))),
                as_ushort2(select(x, p, less)),
                as_ushort(bitselect(a, b, (half)2.0h)),
                as_ushort(select(x, p, (ushort2)(0x8000, 0x7fff)).y),
                as_ushort(less.x ? 1.0h : -1.0h),
                vec_step(a) | vec_step(half3) << 4 | vec_step(x) << 8 | sizeof(half3) << 12);
        }}"
    );
    for (&[p, q], got) in pairs.iter().zip(map::<_, [u16; 16]>(&source, &pairs)) {
        let (a, b) = (value(p), value(q));
        let set = |conditions: &[bool]| {
            conditions
                .iter()
                .enumerate()
                .fold(0, |bits, (i, &is)| bits | u16::from(is) << i)
        };
        let all = |is: bool| if is { 0xffff } else { 0 };
        let unordered = a.is_nan() || b.is_nan();
        let chosen = if a < b { q } else { p };
        let right = [
            set(&[
                a < b,
                a <= b,
                a > b,
                a >= b,
                a == b,
                a != b,
                a == 0.0,
                a != 0.0 && b != 0.0,
            ]),
            set(&[
                a == b,
                a != b,
                a > b,
                a >= b,
                a < b,
                a <= b,
                !unordered && a != b,
                !unordered,
                unordered,
            ]),
            set(&[
                a.is_nan(),
                a.is_infinite(),
                a.is_finite(),
                a.is_finite() && p & 0x7c00 != 0,
                p >> 15 != 0,
            ]),
            all(a < b),
            all(unordered),
            all(b.is_nan()),
            all(p >> 15 != 0),
            all(a < b),
            if a != 0.0 { q } else { p },
            chosen,
            chosen,
            if b < a { p } else { q },
            p & !0x4000 | q & 0x4000,
            q,
            if a < b { 0x3c00 } else { 0xbc00 },
            1 | 4 << 4 | 2 << 8 | 8 << 12,
        ];
        assert_eq!(got, right, "{p:#x} {q:#x}");
    }
}

/// What clang or LLVM computes while compiling is what the kernel would have computed.
#[test]
fn constants_fold_to_the_same_results() {
    let strata: Vec<u16> = strata().into_iter().step_by(9).collect();
    let expressions = |a: &str, b: &str| {
        format!(
            "{a} + {b}, {a} - {b}, {a} * {b}, {a} / {b}, sqrt({a}), fma({a}, {b}, {a}),
             (half)((float){a} * 1.0009765f), (half)((double){a} * 1.00048828125),
             fmax({a}, {b}), floor({a}), rint({a} * {b}), exp2({a}), sin({b}), {a} < {b},
             convert_half_rtz((float){a} * 1.3f), convert_half_rtp(123457)"
        )
    };
    let mut constants = String::from(ENABLE);
    constants.push_str("kernel void k(global const half2 *in, global half16 *out) {\n");
    let mut input = Vec::new();
    for (i, &a) in strata.iter().enumerate() {
        let b = strata[i * 7 % strata.len()];
        input.push([a, b]);
        let both = [a, b].map(|bits| format!("as_half((ushort){bits:#x})"));
        let expressions = expressions(&both[0], &both[1]);
        constants.push_str(&format!("out[{i}] = (half16)({expressions});\n"));
    }
    constants.push('}');
    let computed = format!(
        "{ENABLE}kernel void k(global const half2 *in, global half16 *out) {{
            half a = in[get_global_id(0)].x, b = in[get_global_id(0)].y;
            out[get_global_id(0)] = (half16)({});
        }}",
        expressions("a", "b")
    );
    let folded = crate::running::launch::<_, [u16; 16]>(&constants, &input, input.len(), [1, 1]);
    let computed = map::<_, [u16; 16]>(&computed, &input);
    for ((input, folded), computed) in input.iter().zip(folded).zip(computed) {
        for i in 0..16 {
            assert!(
                same(folded[i], computed[i]),
                "{input:x?}, expression {i}: {:#x} when compiling, {:#x} when run",
                folded[i],
                computed[i]
            );
        }
    }
}

#[test]
fn literals_and_implicit_conversions() {
    let source = format!(
        "{ENABLE}kernel void k(global const half *in, global ushort8 *out) {{
            size_t i = get_global_id(0);
            half x = in[i];
            half from_double = 1.00048828125 * 1.0;
            half from_int = 2049;
            half4 widened = (half4)(x);
            float sum = x + 1.0f;
            half h = 0.1h;
            h += 1;
            widened *= 2.0h;
            out[i] = (ushort8)(as_ushort(0.1h), as_ushort(HALF_MAX), as_ushort(from_double),
                as_ushort(from_int), as_ushort((half)sum), as_ushort(h), as_ushort(-x),
                as_ushort(widened.w));
        }}"
    );
    let input = all();
    for (&bits, got) in input.iter().zip(map::<_, [u16; 8]>(&source, &input)) {
        let x = value(bits);
        let right = [
            nearest(0.1),
            0x7bff,
            nearest(1.000_488_281_25),
            nearest(2049.0),
            nearest(f64::from(x as f32 + 1.0)),
            nearest(value(nearest(0.1)) + 1.0),
            bits ^ 0x8000,
            nearest(x * 2.0),
        ];
        for (got, right) in got.into_iter().zip(right) {
            assert!(same(got, right), "{bits:#x}: {got:#x} {right:#x}");
        }
    }
}
