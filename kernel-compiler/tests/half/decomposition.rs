//! Functions that take numbers apart: fractions, exponents, quotients and signs, with second results in
//! all address spaces.

use crate::ENABLE;
use crate::binary16::{all, pairs, ulps, value};
use crate::functions::{lgamma, remainder};
use crate::running::map;

#[test]
fn second_results_in_all_address_spaces() {
    let input = pairs();
    for (space, width) in [
        ("private", "2"),
        ("global", "3"),
        ("local", "8"),
        ("private", "16"),
    ] {
        let last = match width {
            "16" => "f".to_owned(),
            n => (n.parse::<u32>().unwrap() - 1).to_string(),
        };
        // Places in that address space; the work-items of a group run one after another.
        let (variables, local) = match space {
            "private" => (
                format!("half h; half{width} hn; int n; int{width} nn;
                         half *p = &h; half{width} *p_n = &hn; int *q = &n; int{width} *q_n = &nn;"),
                "",
            ),
            "global" => (
                format!("global half *p = out + 256 * i + 64; global half{width} *p_n = (global half{width} *)(p + 16);
                         global int *q = (global int *)(p + 64); global int{width} *q_n = (global int{width} *)(p + 96);"),
                "",
            ),
            _ => (
                format!("local half *p = places + 16; local half{width} *p_n = (local half{width} *)(places + 32);
                         local int *q = (local int *)(places + 64); local int{width} *q_n = (local int{width} *)(places + 96);"),
                "local half places[160];",
            ),
        };
        let call = |call: &str, call_n: &str, to: usize, number: bool| {
            let (second, second_n) = if number {
                ("(half)*q".to_owned(), format!("(half)(*q_n).s{last}"))
            } else {
                ("*p".to_owned(), format!("(*p_n).s{last}"))
            };
            format!(
                "r[{to}] = {call}; r[{to} + 1] = {second};
                 r[{to} + 2] = ({call_n}).s{last}; r[{to} + 3] = {second_n};\n"
            )
        };
        let calls = [
            call("fract(x, p)", "fract(xn, p_n)", 0, false),
            call("modf(x, p)", "modf(xn, p_n)", 4, false),
            call("sincos(x, p)", "sincos(xn, p_n)", 8, false),
            call("frexp(x, q)", "frexp(xn, q_n)", 12, true),
            call("lgamma_r(x, q)", "lgamma_r(xn, q_n)", 16, true),
            call("remquo(x, y, q)", "remquo(xn, yn, q_n)", 20, true),
        ]
        .concat();
        let source = format!(
            "{ENABLE}kernel void k(global const half2 *in, global half *out) {{
                {local}
                size_t i = get_global_id(0);
                half x = in[i].x, y = in[i].y;
                half{width} xn = (half{width})x, yn = (half{width})y;
                xn.s0 = 1.0h;
                global half *r = out + 256 * i;
                {variables}
                {calls}
            }}"
        );
        let results: Vec<[u16; 256]> =
            crate::running::launch(&source, &input, input.len(), [input.len(), 1]);
        for (&[a, b], got) in input.iter().zip(&results) {
            let (x, y) = (value(a), value(b));
            let fraction = match x {
                _ if x.is_infinite() => 0f64.copysign(x),
                _ if x.is_nan() => x,
                _ => (x - x.floor()).min(value(0x3bff)),
            };
            let part = if x.is_infinite() { 0f64 } else { x.fract() };
            let (significand, exponent) = parts(x);
            let sign = if x > 0.0 || x.floor() % 2.0 == 0.0 {
                1.0
            } else {
                -1.0
            };
            let rest = remainder(x, y);
            let quotient = if rest.is_nan() || x.is_infinite() || y.is_infinite() {
                0.0
            } else {
                let whole = ((x - rest) / y) as i64;
                ((whole.abs() & 0x7f) * whole.signum()) as f64
            };
            // At the poles 6.12.2 leaves the sign open.
            let pole = x <= 0.0 && x.fract() == 0.0;
            let rights = [
                (fraction, x.floor(), true),
                (part.copysign(x), x.trunc(), true),
                (x.sin(), x.cos(), true),
                (significand, f64::from(exponent), x.is_finite()),
                (lgamma(x), sign, !pole && !x.is_infinite() && !x.is_nan()),
                (rest, quotient, !rest.is_nan()),
            ];
            for (place, (first, second, compare)) in rights.into_iter().enumerate() {
                for n in [0, 2] {
                    let at = 4 * place + n;
                    assert!(
                        ulps(got[at], first) <= 0.51,
                        "result {at} of {a:#x}, {b:#x} in {space}: {:#x} for {first}",
                        got[at]
                    );
                    assert!(
                        !compare || ulps(got[at + 1], second) <= 0.51,
                        "result {} of {a:#x}, {b:#x} in {space}: {:e} for {second}",
                        at + 1,
                        value(got[at + 1])
                    );
                }
            }
        }
    }
}

/// Significand from 1/2 to 1 and exponent, as frexp.
fn parts(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let exponent = x.abs().log2().floor() as i32 + 1;
    (x * 2f64.powi(-exponent), exponent)
}

#[test]
fn whole_exponents_and_nans() {
    let source = format!(
        "{ENABLE}kernel void k(global const half *in, global int8 *out) {{
            half x = in[get_global_id(0)];
            ushort code = as_ushort(x);
            out[get_global_id(0)] = (int8)(ilogb(x), ilogb((half2)x).y, ilogb((half16)x).sf,
                as_ushort(nan(code)), as_ushort3(nan((ushort3)code)).z, FP_ILOGB0, FP_ILOGBNAN, 0);
        }}"
    );
    let input = all();
    for (&bits, got) in input.iter().zip(map::<_, [i32; 8]>(&source, &input)) {
        let x = value(bits);
        let right = match x {
            0.0 => got[5],
            _ if x.is_nan() => got[6],
            _ if x.is_infinite() => i32::MAX,
            _ => parts(x).1 - 1,
        };
        assert_eq!(got[..3], [right; 3], "ilogb({bits:#x})");
        let quiet = i32::from(bits | 0x7e00);
        assert_eq!(got[3..5], [quiet; 2], "nan({bits:#x})");
    }
}
