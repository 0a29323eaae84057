//! `convert_` between half and every other type, and what casts give.

use crate::ENABLE;
use crate::binary16::{ROUNDINGS, Rounding, all, around_halves, round, same, to_integer, value};
use crate::running::map;

/// OpenCL's integer types, with their least and greatest values.
const INTEGERS: [(&str, i128, i128); 8] = [
    ("char", i8::MIN as i128, i8::MAX as i128),
    ("uchar", 0, u8::MAX as i128),
    ("short", i16::MIN as i128, i16::MAX as i128),
    ("ushort", 0, u16::MAX as i128),
    ("int", i32::MIN as i128, i32::MAX as i128),
    ("uint", 0, u32::MAX as i128),
    ("long", i64::MIN as i128, i64::MAX as i128),
    ("ulong", 0, u64::MAX as i128),
];

#[test]
fn every_half_to_every_integer_type() {
    let input = all();
    for (number, (integer, least, greatest)) in INTEGERS.into_iter().enumerate() {
        let width = [2, 3, 4, 8, 16][number % 5];
        let last = width - 1;
        let mut calls = String::new();
        for (i, (suffix, _)) in ROUNDINGS.iter().enumerate() {
            calls.push_str(&format!(
                "r[{i}] = (long)convert_{integer}{suffix}(x);
                 r[{i} + 5] = (long)convert_{integer}_sat{suffix}(x);
                 r[{i} + 10] = (long)convert_{integer}{width}{suffix}(xn).s{last:x};
                 r[{i} + 15] = (long)convert_{integer}{width}_sat{suffix}(xn).s{last:x};\n"
            ));
        }
        let source = format!(
            "{ENABLE}kernel void k(global const half *in, global long *out) {{
                size_t i = get_global_id(0);
                half x = in[i];
                half{width} xn = (half{width})x;
                xn.s0 = 1.0h;
                global long *r = out + 32 * i;
                {calls}
                r[20] = (long)({integer})x;
            }}"
        );
        for (&bits, got) in input.iter().zip(map::<_, [i64; 32]>(&source, &input)) {
            let x = value(bits);
            for (i, (suffix, rounding)) in ROUNDINGS.into_iter().enumerate() {
                // To integers, towards zero is what is done where nothing is said.
                let rounding = if suffix.is_empty() {
                    Rounding::TowardsZero
                } else {
                    rounding
                };
                let whole = to_integer(x, rounding);
                let saturated = match () {
                    () if x.is_nan() => 0,
                    () if whole == f64::INFINITY => greatest,
                    () if whole == f64::NEG_INFINITY => least,
                    () => (whole as i128).clamp(least, greatest),
                } as i64;
                assert_eq!(
                    [got[i + 5], got[i + 15]],
                    [saturated; 2],
                    "convert_{integer}_sat{suffix}({x:e})"
                );
                if whole.is_finite() && (least..=greatest).contains(&(whole as i128)) {
                    let right = [whole as i128 as i64; 2];
                    assert_eq!(
                        [got[i], got[i + 10]],
                        right,
                        "convert_{integer}{suffix}({x:e})"
                    );
                    if i == 0 {
                        assert_eq!(got[20], right[0], "({integer}){x:e}");
                    }
                }
            }
        }
    }
}

/// Calls of all roundings, on a scalar and a vector, whose results are stored as bits.
fn to_half(element: &str, width: usize) -> String {
    let last = width - 1;
    let calls: String = ROUNDINGS
        .iter()
        .enumerate()
        .map(|(i, (suffix, _))| {
            format!(
                "r[{i}] = convert_half{suffix}(x);
                 r[{i} + 5] = convert_half{width}{suffix}(xn).s{last:x};\n"
            )
        })
        .collect();
    format!(
        "{ENABLE}kernel void k(global const {element} *in, global half *out) {{
            size_t i = get_global_id(0);
            {element} x = in[i];
            {element}{width} xn = ({element}{width})x;
            xn.s0 = 1;
            global half *r = out + 16 * i;
            {calls}
            r[10] = (half)x;
        }}"
    )
}

fn check<T: Copy + std::fmt::Debug>(
    element: &str,
    width: usize,
    input: &[T],
    right: impl Fn(T, Rounding) -> u16,
) {
    let results = map::<_, [u16; 16]>(&to_half(element, width), input);
    for (&x, got) in input.iter().zip(results) {
        for (i, (suffix, rounding)) in ROUNDINGS.into_iter().enumerate() {
            let right = right(x, rounding);
            assert!(
                same(got[i], right) && same(got[i + 5], right),
                "convert_half{suffix}(({element}){x:?}): {:#x} {:#x}, not {right:#x}",
                got[i],
                got[i + 5]
            );
        }
        assert!(
            same(got[10], right(x, Rounding::ToNearestEven)),
            "(half){x:?}"
        );
    }
}

#[test]
fn every_integer_type_to_half() {
    // All that halves tell apart, what lies between, and the ends of each type.
    let mut numbers: Vec<i128> = (-70_000..70_000).collect();
    for bits in 16..65 {
        numbers.extend([-1, 0, 1].map(|off| (1i128 << bits) + off));
        numbers.extend([-1, 0, 1].map(|off| -(1i128 << bits) + off));
    }
    for (number, (integer, least, greatest)) in INTEGERS.into_iter().enumerate() {
        let width = [16, 2, 8, 3, 4][number % 5];
        let fits: Vec<i128> = numbers
            .iter()
            .copied()
            .filter(|n| (least..=greatest).contains(n))
            .collect();
        // Beyond 2^53 all are beyond halves, whatever double they become.
        let right = |n: i128, rounding| round(n as f64, rounding);
        macro_rules! run {
            ($ty:ty) => {{
                let input: Vec<$ty> = fits.iter().map(|n| *n as $ty).collect();
                check(integer, width, &input, |n, rounding| {
                    right(n as i128, rounding)
                });
            }};
        }
        match integer {
            "char" => run!(i8),
            "uchar" => run!(u8),
            "short" => run!(i16),
            "ushort" => run!(u16),
            "int" => run!(i32),
            "uint" => run!(u32),
            "long" => run!(i64),
            _ => run!(u64),
        }
    }
}

#[test]
fn floats_and_doubles_to_half() {
    let doubles = around_halves();
    let floats: Vec<f32> = doubles
        .iter()
        .flat_map(|x| [*x as f32, (*x as f32).next_up(), (*x as f32).next_down()])
        .collect();
    for width in [2, 3, 4, 8, 16] {
        check("double", width, &doubles, round);
    }
    for width in [3, 8] {
        check("float", width, &floats, |x, rounding| {
            round(f64::from(x), rounding)
        });
        check("half", width, &all(), |x, _| x);
    }
}

#[test]
fn every_half_to_float_and_double() {
    let input = all();
    for (floating, width) in [("float", 3), ("float", 16), ("double", 2), ("double", 8)] {
        let last = width - 1;
        let calls: String = ROUNDINGS
            .iter()
            .enumerate()
            .map(|(i, (suffix, _))| {
                format!(
                    "r[{i}] = convert_{floating}{suffix}(x);
                     r[{i} + 5] = convert_{floating}{width}{suffix}(xn).s{last:x};\n"
                )
            })
            .collect();
        let source = format!(
            "{ENABLE}kernel void k(global const half *in, global double *out) {{
                size_t i = get_global_id(0);
                half x = in[i];
                half{width} xn = (half{width})x;
                xn.s0 = 1.0h;
                global double *r = out + 16 * i;
                {calls}
                r[10] = x;
                r[11] = ({floating})x;
            }}"
        );
        for (&bits, got) in input.iter().zip(map::<_, [f64; 16]>(&source, &input)) {
            let x = value(bits);
            for got in &got[..12] {
                assert!(
                    got.to_bits() == x.to_bits() || (got.is_nan() && x.is_nan()),
                    "{bits:#x} to {floating}: {got:e}"
                );
            }
        }
    }
}
