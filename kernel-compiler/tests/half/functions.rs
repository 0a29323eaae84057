//! Mathematical, common and geometric functions. Those that floats compute are rounded
//! to half once more, which leaves little more than half a unit in the last place; the
//! table for halves allows 1 to 4.

use crate::ENABLE;
use crate::binary16::{Rounding, all, pairs, round, same, strata, ulps, value};
use crate::running::map;
use std::f64::consts::PI;

unsafe extern "C" {
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
    pub safe fn lgamma(x: f64) -> f64;
    safe fn tgamma(x: f64) -> f64;
    pub safe fn remainder(x: f64, y: f64) -> f64;
}

const WIDTHS: [&str; 6] = ["", "2", "3", "4", "8", "16"];

fn nearest(x: f64) -> u16 {
    round(x, Rounding::ToNearestEven)
}

/// sin(pi x) and cos(pi x), with signed zeros as 7.5.1 has them.
fn sine_of_pi(x: f64) -> f64 {
    let magnitude = x.abs() % 2.0;
    let sine = match magnitude {
        m if m.fract() == 0.0 => 0.0,
        m if m <= 0.25 => (PI * m).sin(),
        m if m <= 0.75 => (PI * (0.5 - m)).cos(),
        m if m <= 1.25 => (PI * (1.0 - m)).sin(),
        m if m <= 1.75 => -(PI * (1.5 - m)).cos(),
        m => (PI * (m - 2.0)).sin(),
    };
    sine.copysign(sine * x.signum())
}

fn cosine_of_pi(x: f64) -> f64 {
    let cosine = sine_of_pi(x.abs() % 2.0 + 0.5);
    if cosine == 0.0 { 0.0 } else { cosine }
}

type Unary = fn(f64) -> f64;

/// With the error allowed here, in units in the last place.
const UNARY: &[(&str, f64, Unary)] = &[
    ("acos", 0.51, f64::acos),
    ("acosh", 0.51, f64::acosh),
    ("acospi", 0.51, |x| x.acos() / PI),
    ("asin", 0.51, f64::asin),
    ("asinh", 0.51, f64::asinh),
    ("asinpi", 0.51, |x| x.asin() / PI),
    ("atan", 0.51, f64::atan),
    ("atanh", 0.51, f64::atanh),
    ("atanpi", 0.51, |x| x.atan() / PI),
    ("cbrt", 0.51, f64::cbrt),
    ("ceil", 0.0, f64::ceil),
    ("cos", 0.51, f64::cos),
    ("cosh", 0.51, f64::cosh),
    ("cospi", 0.51, cosine_of_pi),
    ("degrees", 0.51, f64::to_degrees),
    ("erf", 0.51, |x| erf(x)),
    ("erfc", 0.51, |x| erfc(x)),
    ("exp", 0.51, f64::exp),
    ("exp2", 0.51, f64::exp2),
    ("exp10", 0.51, |x| 10f64.powf(x)),
    ("expm1", 0.51, f64::exp_m1),
    ("fabs", 0.0, f64::abs),
    ("floor", 0.0, f64::floor),
    ("lgamma", 0.51, |x| lgamma(x)),
    ("log", 0.51, f64::ln),
    ("log2", 0.51, f64::log2),
    ("log10", 0.51, f64::log10),
    ("log1p", 0.51, f64::ln_1p),
    ("logb", 0.0, |x| match x {
        _ if x.is_nan() => x,
        _ if x.is_infinite() => f64::INFINITY,
        _ if x == 0.0 => f64::NEG_INFINITY,
        _ => x.abs().log2().floor(),
    }),
    ("radians", 0.51, f64::to_radians),
    ("rint", 0.0, f64::round_ties_even),
    ("round", 0.0, f64::round),
    ("rsqrt", 0.51, |x| 1.0 / x.sqrt()),
    ("sign", 0.0, |x| match x {
        _ if x.is_nan() => 0.0,
        _ if x == 0.0 => x,
        _ => x.signum(),
    }),
    ("sin", 0.51, f64::sin),
    ("sinh", 0.51, f64::sinh),
    ("sinpi", 0.51, sine_of_pi),
    ("sqrt", 0.5, f64::sqrt),
    ("tan", 0.51, f64::tan),
    ("tanh", 0.51, f64::tanh),
    ("tanpi", 0.51, |x| match x.abs() % 2.0 {
        // 7.5.1: the sign of zeros and poles is that of where they are.
        0.0 => 0f64.copysign(x),
        1.0 => (-0f64).copysign(-x),
        0.5 => f64::INFINITY.copysign(x),
        1.5 => f64::NEG_INFINITY.copysign(-x),
        _ => sine_of_pi(x) / cosine_of_pi(x),
    }),
    ("tgamma", 0.51, |x| tgamma(x)),
    ("trunc", 0.0, f64::trunc),
];

/// Source that applies `NAME` of one half to the element, as a vector of some width
/// whose other components are neighbours; `declarations` make `y`, a half of that width.
fn at_width(width: &str, arguments: usize, expression: &str) -> String {
    let components = if width.is_empty() { "" } else { ".s0" };
    let loads: String = (0..arguments)
        .map(|i| format!("half{width} x{i} = (half{width})in[i * {arguments} + {i}];\n"))
        .collect();
    let differ = if width.is_empty() {
        ""
    } else {
        "x0.s1 = in[0];"
    };
    format!(
        "{ENABLE}kernel void k(global const half *in, global half *out) {{
            size_t i = get_global_id(0);
            {loads} {differ}
            half{width} y = {expression};
            out[i] = y{components};
        }}"
    )
}

#[test]
fn functions_of_one_half_for_every_half() {
    let input = all();
    for (number, (name, limit, reference)) in UNARY.iter().enumerate() {
        for width in ["", WIDTHS[1 + number % 5]] {
            let source = at_width(width, 1, &format!("{name}(x0)"));
            for (&bits, got) in input.iter().zip(map::<_, u16>(&source, &input)) {
                let right = reference(value(bits));
                let error = ulps(got, right);
                assert!(
                    error <= *limit,
                    "{name}(half{width} {bits:#x} = {:e}) = {:e}, {error} ulp from {right:e}",
                    value(bits),
                    value(got)
                );
                if right == 0.0 && *name != "lgamma" {
                    assert_eq!(got, nearest(right), "sign of {name}(half{width} {bits:#x})");
                }
            }
        }
    }
}

type Binary = fn(f64, f64) -> f64;

fn largest(x: f64, y: f64) -> f64 {
    x.max(y)
}

fn smallest(x: f64, y: f64) -> f64 {
    x.min(y)
}

const BINARY: &[(&str, f64, Binary)] = &[
    ("atan2", 0.51, f64::atan2),
    ("atan2pi", 0.51, |y, x| y.atan2(x) / PI),
    ("copysign", 0.0, f64::copysign),
    ("fdim", 0.5, |x, y| match () {
        () if x.is_nan() || y.is_nan() => f64::NAN,
        () if x > y => x - y,
        () => 0.0,
    }),
    ("fmax", 0.0, largest),
    ("fmin", 0.0, smallest),
    ("fmod", 0.0, |x, y| x % y),
    ("hypot", 0.51, f64::hypot),
    ("maxmag", 0.0, |x, y| match (x.abs(), y.abs()) {
        (a, b) if a > b => x,
        (a, b) if b > a => y,
        _ => largest(x, y),
    }),
    ("minmag", 0.0, |x, y| match (x.abs(), y.abs()) {
        (a, b) if a < b => x,
        (a, b) if b < a => y,
        _ => smallest(x, y),
    }),
    ("pow", 0.51, f64::powf),
    ("powr", 0.51, |x, y| match () {
        () if x < 0.0 || x.is_nan() || y.is_nan() => f64::NAN,
        () if x == 1.0 && y.is_infinite() => f64::NAN,
        () if (x == 0.0 || x.is_infinite()) && y == 0.0 => f64::NAN,
        () => x.abs().powf(y),
    }),
    ("remainder", 0.0, |x, y| remainder(x, y)),
    ("step", 0.0, |edge, x| if x < edge { 0.0 } else { 1.0 }),
];

#[test]
fn functions_of_two_halves() {
    let input = pairs();
    for (number, (name, limit, reference)) in BINARY.iter().enumerate() {
        for width in ["", WIDTHS[1 + number % 5]] {
            let source = at_width(width, 2, &format!("{name}(x0, x1)"));
            for (&[a, b], got) in input.iter().zip(map_pairs(&source, &input)) {
                let error = ulps(got, reference(value(a), value(b)));
                assert!(
                    error <= *limit,
                    "{name}(half{width} {a:#x}, {b:#x}) = {got:#x}, {error} ulp"
                );
            }
        }
    }
}

fn map_pairs(source: &str, pairs: &[[u16; 2]]) -> Vec<u16> {
    map::<_, u16>(source, pairs)
}

#[test]
fn nextafter_takes_every_half_to_its_neighbours() {
    let input: Vec<[u16; 2]> = all()
        .into_iter()
        .flat_map(|x| [0, 0x8000, 0x7c00, 0xfc00, 0x3c00, 0x7e00, x].map(|y| [x, y]))
        .collect();
    for width in ["", "3", "8"] {
        let got = map_pairs(&at_width(width, 2, "nextafter(x0, x1)"), &input);
        for (&[a, b], got) in input.iter().zip(got) {
            let (x, y) = (value(a), value(b));
            let right = match () {
                () if x.is_nan() || y.is_nan() => 0x7e00,
                () if x == y => b,
                () if x == 0.0 => 1 | b & 0x8000,
                () if (x < y) == (x > 0.0) => a + 1,
                () => a - 1,
            };
            assert!(same(got, right), "nextafter({a:#x}, {b:#x}) = {got:#x}");
        }
    }
}

#[test]
fn functions_of_a_half_and_an_int() {
    type Reference = fn(f64, i32) -> f64;
    let functions: [(&str, f64, Reference); 3] = [
        ("ldexp", 0.5, |x, n| x * 2f64.powi(n.clamp(-200, 200))),
        ("pown", 0.51, |x, n| x.powf(f64::from(n))),
        ("rootn", 0.51, |x, n| match n {
            0 => f64::NAN,
            _ if x < 0.0 && n % 2 == 0 => f64::NAN,
            _ if n % 2 == 0 => x.abs().powf(1.0 / f64::from(n)),
            _ => x.abs().powf(1.0 / f64::from(n)).copysign(x),
        }),
    ];
    let exponents = [
        0,
        1,
        -1,
        2,
        -2,
        3,
        -3,
        5,
        7,
        10,
        -14,
        15,
        -24,
        25,
        -40,
        99,
        1001,
        -1000,
        i32::MAX,
        i32::MIN,
    ];
    let input: Vec<[i32; 2]> = strata()
        .iter()
        .flat_map(|&x| exponents.map(|n| [i32::from(x), n]))
        .collect();
    for (name, limit, reference) in functions {
        let source = format!(
            "{ENABLE}kernel void k(global const int2 *in, global half4 *out) {{
                int2 x = in[get_global_id(0)];
                half y = as_half((ushort)x.x);
                out[get_global_id(0)] = (half4)({name}(y, x.y),
                    {name}((half8)(1.0h, y, 1.0h, 1.0h, (half4)(1.0h)), (int8)x.y).s1,
                    {name}((half3)(2.0h, 2.0h, y), (int3)(1, 1, x.y)).z, ldexp((half2)y, x.y).y);
            }}"
        );
        for (&[x, n], got) in input.iter().zip(map::<_, [u16; 4]>(&source, &input)) {
            let right = reference(value(x as u16), n);
            for got in &got[..3] {
                let error = ulps(*got, right);
                assert!(
                    error <= limit,
                    "{name}({x:#x}, {n}) = {got:#x}, {error} ulp"
                );
            }
            let scaled = value(x as u16) * 2f64.powi(n.clamp(-200, 200));
            assert!(same(got[3], nearest(scaled)), "ldexp({x:#x}, {n})");
        }
    }
}

#[test]
fn common_and_geometric_functions() {
    let strata: Vec<u16> = strata()
        .into_iter()
        .filter(|bits| value(*bits).is_finite())
        .collect();
    let input: Vec<[u16; 8]> = (0..60_000usize)
        .map(|i| std::array::from_fn(|j| strata[i * (2 * j + 3) * 131 / 17 % strata.len()]))
        .collect();
    let source = format!(
        "{ENABLE}kernel void k(global const half8 *in, global half16 *out) {{
            half8 v = in[get_global_id(0)];
            half a = v.s0, b = v.s1, c = v.s2;
            half4 p = v.lo, q = v.hi;
            half low = min(b, c), high = max(b, c);
            out[get_global_id(0)] = (half16)(clamp(a, low, high), clamp(v, low, high).s0, mix(a, b, c),
                mix(p, q, c).x, smoothstep(low, high, a), smoothstep(low, high, v.s01).x,
                dot(p, q), dot(p.xyz, q.xyz), length(p), distance(p.xy, q.xy), normalize(p).y,
                cross(p, q).x, cross(p.xyz, q.xyz).z, dot(a, b), max(p, b).x, fmin(v, b).s0);
        }}"
    );
    for (x, got) in input.iter().zip(map::<_, [u16; 16]>(&source, &input)) {
        let v = x.map(value);
        let [a, b, c, ..] = v;
        let (low, high) = (b.min(c), b.max(c));
        let mixed = |x: f64, y: f64, a: f64| x + (y - x) * a;
        let t = ((a - low) / (high - low)).clamp(0.0, 1.0);
        let step = t * t * (3.0 - 2.0 * t);
        let dot = |n: usize| (0..n).map(|i| v[i] * v[4 + i]).sum::<f64>();
        let length = v[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
        let distance = (v[0] - v[4]).hypot(v[1] - v[5]);
        let clamped = a.max(low).min(high);
        let right = [
            clamped,
            clamped,
            mixed(a, b, c),
            mixed(v[0], v[4], c),
            step,
            step,
            dot(4),
            dot(3),
            length,
            distance,
            if length == 0.0 { v[1] } else { v[1] / length },
            v[1] * v[6] - v[2] * v[5],
            v[0] * v[5] - v[1] * v[4],
            a * b,
            v[0].max(b),
            v[0].min(b),
        ];
        // Where large terms cancel, an error in floats counts by the terms.
        let largest = v.iter().fold(0f64, |most, x| most.max(x.abs()));
        for (i, right) in right.into_iter().enumerate() {
            if low == high && (i == 4 || i == 5) {
                continue;
            }
            let cancelled = (value(got[i]) - right).abs() <= largest * largest * 2f64.powi(-21);
            assert!(
                ulps(got[i], right) <= 0.51 || (i != 8 && i != 9 && i != 10 && cancelled),
                "result {i} of {x:x?}: {:e} for {right:e}",
                value(got[i])
            );
        }
    }
}
