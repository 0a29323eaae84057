//! `half`: loads and stores of section 6.12.7, and builtins of `cl_khr_fp16`.

use super::element::{Element, FLOAT, HALF, INT, Rounding, SHORT, WIDTHS};
use super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::values;
use anyhow::Result;
use harness::session::{Argument, Session};

type OfOne = fn(f64) -> f64;
type OfTwo = fn(f64, f64) -> f64;
type Question = fn(f64, f64) -> bool;

/// Operators and comparisons, each result rounded to a half; `isinf`; implicit conversions.
pub fn operators(session: &Session) -> Result<()> {
    let mut random = session.random();
    let lists = values::tuples(&mut random, HALF, 2, 4096);
    let mut all = Vec::new();
    for width in WIDTHS {
        // Doubles represent sums and products of halves exactly, and quotients with sufficient
        // precision.
        let operators: [(&str, OfTwo); 6] = [
            ("a + b", |a, b| a + b),
            ("a - b", |a, b| a - b),
            ("a * b", |a, b| a * b),
            ("a / b", |a, b| a / b),
            ("-a", |a, _| -a),
            ("sqrt(a)", |a, _| a.sqrt()),
        ];
        let mut steps: Vec<Step> = operators
            .iter()
            .map(|&(code, value)| {
                Output::each(code, HALF, width, move |operands| {
                    let [a, b] = [0, 1].map(|place| HALF.double(operands[place]));
                    HALF.nearest(value(a, b)).into()
                })
                .into()
            })
            .collect();
        let (result, yes) = if width == 1 {
            (INT, 1)
        } else {
            (SHORT, SHORT.mask())
        };
        let questions: [(&str, Question); 5] = [
            ("a < b", |a, b| a < b),
            ("a == b", |a, b| a == b),
            ("isinf(a)", |a, _| a.is_infinite()),
            ("isnan(a / b)", |a, b| (a / b).is_nan()),
            ("isgreater(a, b)", |a, b| a > b),
        ];
        for (code, is) in questions {
            let expected = move |operands: &[u64]| {
                let [a, b] = [0, 1].map(|place| HALF.double(operands[place]));
                Expected::Bits(if is(a, b) { yes } else { 0 })
            };
            steps.push(Output::each(code, result, width, expected).into());
        }
        all.push(Expressions {
            operands: lists
                .iter()
                .map(|list| Operand::new(HALF, width, list.clone()))
                .collect(),
            steps,
        });
    }
    check(session, &all)?;
    stores(session)
}

const MODES: [(&str, Rounding); 5] = [
    ("", Rounding::NearestEven),
    ("_rte", Rounding::NearestEven),
    ("_rtz", Rounding::Zero),
    ("_rtp", Rounding::Up),
    ("_rtn", Rounding::Down),
];

/// `vload_half` of all halves, and `vstore_half` in all rounding modes and widths, aligned and
/// unaligned.
fn stores(session: &Session) -> Result<()> {
    let mut source = String::new();
    for width in WIDTHS {
        let suffix = if width == 1 {
            String::new()
        } else {
            width.to_string()
        };
        source += &format!(
            "kernel void load{width}(global const half *in, global float *out)\n{{\n    \
             const size_t here = get_global_id(0);\n    const float{suffix} x = vload_half{suffix}(here, in);\n"
        );
        source += &match width {
            1 => "    out[here] = x;\n}\n\n".to_owned(),
            _ => format!("    vstore{width}(x, here, out);\n}}\n\n"),
        };
        source += &format!(
            "kernel void store{width}(global const float *in, global half *out, uint pitch)\n{{\n    \
             const size_t here = get_global_id(0);\n"
        );
        source += &match width {
            1 => "    const float x = in[here];\n".to_owned(),
            _ => format!("    const float{width} x = vload{width}(here, in);\n"),
        };
        for (place, (mode, _)) in MODES.iter().enumerate() {
            source += &format!(
                "    vstore_half{suffix}{mode}(x, here, out + {place} * (size_t)pitch);\n"
            );
        }
        source += "}\n\n";
    }
    let program = session.program(&source, "")?;
    let mut random = session.random();
    let mut floats = values::mixed(&mut random, FLOAT);
    floats.resize(floats.len().next_multiple_of(48), 0);
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    for width in WIDTHS {
        let items = halves.len() / width;
        let (input, output) = (
            session.buffer(&halves)?,
            session.buffer(&vec![0xDEAD_BEEFu32; items * width])?,
        );
        let kernel = program.kernel(&format!("load{width}"))?;
        session.run(&kernel, &[items], &[], &[&input, &output])?;
        let got: Vec<u64> = session.read(&output)?.into_iter().map(u64::from).collect();
        let expected = |bits: u16| FLOAT.round(HALF.number(bits.into()), Rounding::Zero);
        same(
            &format!("vload_half, width {width}"),
            FLOAT,
            &got,
            |place| expected(halves[place]),
        )?;
        let input: Vec<u32> = floats.iter().map(|&bits| bits as u32).collect();
        let input = session.buffer(&input)?;
        let output = session.buffer(&vec![0xA7A7u16; MODES.len() * floats.len()])?;
        let kernel = program.kernel(&format!("store{width}"))?;
        let pitch = floats.len() as u32;
        let arguments: [&dyn Argument; 3] = [&input, &output, &pitch];
        session.run(&kernel, &[floats.len() / width], &[], &arguments)?;
        let got: Vec<u64> = session.read(&output)?.into_iter().map(u64::from).collect();
        for ((mode, rounding), got) in MODES.iter().zip(got.chunks_exact(floats.len())) {
            same(
                &format!("vstore_half{mode}, width {width}"),
                HALF,
                got,
                |place| HALF.round(FLOAT.number(floats[place]), *rounding),
            )?;
        }
    }
    Ok(())
}

/// The same bits, or any NaN if a NaN is expected.
fn same(
    what: &str,
    element: Element,
    got: &[u64],
    expected: impl Fn(usize) -> Option<u64>,
) -> Result<()> {
    for (place, &got) in got.iter().enumerate() {
        let expected = expected(place);
        let right = expected.map_or(element.is_nan(got), |expected| got == expected);
        anyhow::ensure!(
            right,
            "{what}: [{place}] is {}, expected {}",
            element.show(got),
            expected.map_or_else(|| "NaN".to_owned(), |bits| element.show(bits))
        );
    }
    Ok(())
}

/// Functions of one half, each with its limit in ulp for full profiles (section 9.5.3 of the
/// extensions' specification).
const FUNCTIONS: [(&str, OfOne, f64); 29] = [
    ("acos(a)", f64::acos, 2.0),
    ("acosh(a)", f64::acosh, 2.0),
    ("asin(a)", f64::asin, 2.0),
    ("asinh(a)", f64::asinh, 2.0),
    ("atan(a)", f64::atan, 2.0),
    ("atanh(a)", f64::atanh, 2.0),
    ("cbrt(a)", f64::cbrt, 2.0),
    ("ceil(a)", f64::ceil, 0.0),
    ("cos(a)", f64::cos, 2.0),
    ("cosh(a)", f64::cosh, 2.0),
    ("exp(a)", f64::exp, 2.0),
    ("exp2(a)", f64::exp2, 2.0),
    ("exp10(a)", |x| 10f64.powf(x), 2.0),
    ("expm1(a)", f64::exp_m1, 2.0),
    ("fabs(a)", f64::abs, 0.0),
    ("floor(a)", f64::floor, 0.0),
    ("log(a)", f64::ln, 2.0),
    ("log2(a)", f64::log2, 2.0),
    ("log10(a)", f64::log10, 2.0),
    ("log1p(a)", f64::ln_1p, 2.0),
    ("rint(a)", f64::round_ties_even, 0.0),
    ("round(a)", f64::round, 0.0),
    ("rsqrt(a)", |x| 1.0 / x.sqrt(), 1.0),
    ("sin(a)", f64::sin, 2.0),
    ("sinh(a)", f64::sinh, 2.0),
    ("sqrt(a)", f64::sqrt, 0.0),
    ("tan(a)", f64::tan, 2.0),
    ("tanh(a)", f64::tanh, 2.0),
    ("trunc(a)", f64::trunc, 0.0),
];

/// Functions of two halves.
const OF_TWO: [(&str, OfTwo, f64); 5] = [
    ("atan2(a, b)", f64::atan2, 2.0),
    ("fmod(a, b)", |a, b| a % b, 0.0),
    ("hypot(a, b)", f64::hypot, 2.0),
    ("fdim(a, b)", |a, b| if a > b { a - b } else { 0.0 }, 0.0),
    ("powr(fabs(a), b)", |a, b| a.abs().powf(b), 4.0),
];

/// Functions of all halves, as scalars and as vectors of four, compared with doubles on the host.
pub fn functions(session: &Session) -> Result<()> {
    let mut random = session.random();
    let every: Vec<u64> = (0..=u64::from(u16::MAX)).collect();
    let pairs = values::tuples(&mut random, HALF, 2, 6144);
    let mut all = Vec::new();
    for width in [1, 4] {
        let near = |value: f64, ulps| Expected::Near { value, ulps };
        let of_one = FUNCTIONS.iter().map(|&(code, value, ulps)| {
            Output::each(code, HALF, width, move |operands| {
                near(value(HALF.double(operands[0])), ulps)
            })
            .into()
        });
        all.push(Expressions {
            operands: vec![Operand::new(HALF, width, every.clone())],
            steps: of_one.collect(),
        });
        let of_two = OF_TWO.iter().map(|&(code, value, ulps)| {
            Output::each(code, HALF, width, move |operands| {
                let [a, b] = [0, 1].map(|place| HALF.double(operands[place]));
                if a.is_nan() || b.is_nan() {
                    // `hypot` of an infinity and a NaN is infinite.
                    return Expected::Open;
                }
                if code.starts_with("powr")
                    && (a == 0.0 || b == 0.0 || a.is_infinite() || b.is_infinite())
                {
                    // `powr` differs from `pow` here.
                    return Expected::Open;
                }
                near(value(a, b), ulps)
            })
            .into()
        });
        all.push(Expressions {
            operands: pairs
                .iter()
                .map(|list| Operand::new(HALF, width, list.clone()))
                .collect(),
            steps: of_two.collect(),
        });
    }
    check(session, &all)
}
