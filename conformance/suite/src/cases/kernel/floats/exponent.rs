//! Functions of the exponent and of the parts of a number.

use super::super::element::{self, INT, Number, Rounding, WIDTHS};
use super::super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::super::values;
use super::common::{COUNT, bits_or_nan, exponent_of, finite, of_all_types, same};
use anyhow::Result;
use harness::session::Session;

/// `ilogb`, also of numbers without an exponent, for which there are macros.
pub fn ilogb(session: &Session) -> Result<()> {
    of_all_types(session, 1, |element, width| {
        let of = move |operands: &[u64]| exponent_of(element.number(operands[0]));
        let is_zero = move |operands: &[u64]| operands[0] & !element.sign() == 0;
        let yes = if width == 1 { 1 } else { INT.mask() };
        let comparison = format!("ilogb(a) == ({})(FP_ILOGB0)", INT.vector(width));
        vec![
            Output::each("ilogb(a)", INT, width, move |operands| {
                match (of(operands), element.number(operands[0])) {
                    (Some(exponent), _) => Expected::Bits(INT.wrap(exponent.into())),
                    (None, Number::Infinity { .. }) => Expected::Bits(INT.mask() >> 1),
                    // One of two values, which the macros name.
                    (None, _) => Expected::Open,
                }
            })
            .into(),
            Output::each(comparison, INT, width, move |operands| {
                match (is_zero(operands), of(operands)) {
                    (true, _) => Expected::Bits(yes),
                    (false, Some(_)) => Expected::Bits(0),
                    // The value for NaN may be the same number.
                    (false, None) => Expected::Open,
                }
            })
            .into(),
        ]
    })
    .and_then(|()| macros_of_ilogb(session))
}

/// The results for zeros and NaNs are those of the macros, each of which is one of two numbers.
fn macros_of_ilogb(session: &Session) -> Result<()> {
    let program = session.program(
        "kernel void test(global const float *x, global int *y)\n{\n    \
         y[0] = FP_ILOGB0;\n    y[1] = FP_ILOGBNAN;\n    y[2] = ilogb(x[0]);\n    \
         y[3] = ilogb(x[1]);\n    y[4] = ilogb(x[2]);\n}\n",
        "",
    )?;
    let (x, y) = (
        session.buffer(&[0.0, -0.0, f32::NAN])?,
        session.zeros::<i32>(5)?,
    );
    session.run(&program.kernel("test")?, &[1], &[1], &[&x, &y])?;
    let got = session.read(&y)?;
    anyhow::ensure!(
        [i32::MIN, -i32::MAX].contains(&got[0]) && [i32::MIN, i32::MAX].contains(&got[1]),
        "FP_ILOGB0 is {} and FP_ILOGBNAN {} (section 6.12.2)",
        got[0],
        got[1]
    );
    crate::compare::equal("of 0, -0 and NaN", &got[2..], &[got[0], got[0], got[1]])
}

/// `ldexp` with exponents of all sizes, one per element or one for all. Denormalised results are
/// rounded once.
pub fn ldexp(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        let numbers = values::tuples(&mut random, element, 1, COUNT).concat();
        let (precision, least, largest) = element.format();
        let range = largest - least + precision as i32;
        let exponents: Vec<u64> = (0..COUNT)
            .map(|place| {
                let exponent = match place % 8 {
                    0 => [i32::MIN, i32::MAX, 0, 1, -1, i32::MIN + 1][place / 8 % 6],
                    1..4 => random.below(2 * range as u32 + 9) as i32 - range - 4,
                    _ => random.below(range as u32 + 9) as i32 - range / 2 - 4,
                };
                INT.wrap(exponent.into())
            })
            .collect();
        let value = move |operands: &[u64]| {
            let by = INT.value(operands[1]) as i32;
            let Some((negative, digits, exponent)) = finite(element.number(operands[0])) else {
                return bits_or_nan(element, operands[0]);
            };
            let scaled = Number::Finite {
                negative,
                digits,
                // The limit exceeds the exponents of all types.
                exponent: exponent + by.clamp(-10_000, 10_000),
            };
            element.round(scaled, Rounding::NearestEven).into()
        };
        for width in WIDTHS {
            for by_one in [false, true] {
                if by_one && width == 1 {
                    continue;
                }
                let by_width = if by_one { 1 } else { width };
                all.push(Expressions {
                    operands: vec![
                        Operand::new(element, width, numbers.clone()),
                        Operand::new(INT, by_width, exponents.clone()),
                    ],
                    steps: vec![same("ldexp(a, b)", element, width, value).into()],
                });
            }
        }
    }
    check(session, &all)
}

/// `frexp` and `modf`, with the second result in private, local and global memory.
pub fn frexp_modf(session: &Session) -> Result<()> {
    of_all_types(session, 1, |element, width| {
        let (float, int) = (element.vector(width), INT.vector(width));
        let fraction = move |operands: &[u64]| {
            let number = element.number(operands[0]);
            match (finite(number), exponent_of(number)) {
                (Some((negative, digits, exponent)), Some(leading)) => element
                    .round(
                        Number::Finite {
                            negative,
                            digits,
                            exponent: exponent - leading - 1,
                        },
                        Rounding::NearestEven,
                    )
                    .into(),
                _ => bits_or_nan(element, operands[0]),
            }
        };
        let exponent = move |operands: &[u64]| {
            let number = element.number(operands[0]);
            match (finite(number), exponent_of(number)) {
                (_, Some(leading)) => Expected::Bits(INT.wrap((leading + 1).into())),
                (Some(_), None) => Expected::Bits(0),
                // Infinities and NaN.
                (None, _) => Expected::Open,
            }
        };
        // The integral part and the fraction, which both have the sign of the number.
        let whole = move |operands: &[u64]| -> Expected {
            let value = element.double(operands[0]).trunc();
            element.nearest(value).into()
        };
        let rest = move |operands: &[u64]| -> Expected {
            let value = element.double(operands[0]);
            let rest = if value.is_infinite() {
                0.0
            } else {
                value - value.trunc()
            };
            element.nearest(rest.copysign(value)).into()
        };
        let mut steps = Vec::new();
        for (declarations, place) in [
            (format!("{int} e#; {float} w#;"), ["&e#", "&w#"]),
            (
                format!("local {int} e#[16]; local {float} w#[16];"),
                ["&e#[get_local_id(0)]", "&w#[get_local_id(0)]"],
            ),
        ] {
            let [exponents, wholes] = place;
            let before = format!(
                "{declarations} const {float} m# = frexp(a, {exponents}), r# = modf(a, {wholes});"
            );
            let outputs = vec![
                same("m#", element, width, fraction),
                Output::each(place[0].replacen('&', "", 1), INT, width, exponent),
                same("r#", element, width, rest),
                same(&place[1].replacen('&', "", 1), element, width, whole),
            ];
            steps.push(Step { before, outputs });
        }
        steps
    })?;
    into_global_memory(session)
}

/// Second results that are stored to buffers directly.
fn into_global_memory(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void test(global const float4 *x, global float4 *m, global int4 *e, global float4 *r,
                 global float4 *w)
{
    const size_t here = get_global_id(0);
    m[here] = frexp(x[here], e + here);
    r[here] = modf(x[here], w + here);
}
",
        "",
    )?;
    let x: Vec<f32> = (0..256)
        .map(|place| (place as f32 - 100.0) * 1.375)
        .collect();
    let there = session.buffer(&x)?;
    let floats: [harness::session::Buffer<f32>; 3] = [
        session.zeros(256)?,
        session.zeros(256)?,
        session.zeros(256)?,
    ];
    let e = session.zeros::<i32>(256)?;
    let [m, r, w] = &floats;
    session.run(&program.kernel("test")?, &[64], &[], &[&there, m, &e, r, w])?;
    let (m, e) = (session.read(m)?, session.read(&e)?);
    for (place, &x) in x.iter().enumerate() {
        let got = m[place] * 2f32.powi(e[place]);
        let normal = x == 0.0 || (0.5..1.0).contains(&m[place].abs());
        anyhow::ensure!(got == x && normal, "frexp({x}) = {} {}", m[place], e[place]);
    }
    let whole: Vec<f32> = x.iter().map(|x| x.trunc()).collect();
    let rest: Vec<f32> = x.iter().map(|x| x.fract()).collect();
    crate::compare::equal("modf: whole", &session.read(w)?, &whole)?;
    crate::compare::equal("modf: rest", &session.read(r)?, &rest)
}
