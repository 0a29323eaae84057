//! Functions of floating-point numbers that the specification defines to the last bit, for
//! all types and widths.

use super::element::{self, DOUBLE, Element, FLOAT, INT, Number, Rounding, WIDTHS};
use super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::values;
use anyhow::Result;
use harness::session::Session;

/// Values per operand of functions of more than one operand.
const COUNT: usize = 1536;

/// Kernels for all types and widths, with `operands` operands of the type.
fn of_all_types(
    session: &Session,
    operands: usize,
    steps: impl Fn(Element, usize) -> Vec<Step>,
) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        let lists = if operands == 1 {
            vec![values::mixed(&mut random, element)]
        } else {
            values::tuples(&mut random, element, operands, COUNT)
        };
        for width in WIDTHS {
            let operands = lists
                .iter()
                .map(|list| Operand::new(element, width, list.clone()));
            all.push(Expressions {
                operands: operands.collect(),
                steps: steps(element, width),
            });
        }
    }
    check(session, &all)
}

/// A result of the operands' own type.
fn same(
    code: &str,
    element: Element,
    width: usize,
    expected: impl Fn(&[u64]) -> Expected + 'static,
) -> Output {
    Output::each(code, element, width, expected)
}

/// The bits of a number, or any NaN.
fn bits_or_nan(element: Element, bits: u64) -> Expected {
    if element.is_nan(bits) {
        Expected::Nan
    } else {
        Expected::Bits(bits)
    }
}

/// `fabs`, of variables and within expressions.
pub fn fabs(session: &Session) -> Result<()> {
    of_all_types(session, 1, |element, width| {
        let size = move |bits: u64| bits & !element.sign();
        vec![
            same("fabs(a)", element, width, move |operands| {
                bits_or_nan(element, size(operands[0]))
            })
            .into(),
            same("-fabs(-a)", element, width, move |operands| {
                bits_or_nan(element, size(operands[0]) | element.sign())
            })
            .into(),
            same("fabs(fabs(a))", element, width, move |operands| {
                bits_or_nan(element, size(operands[0]))
            })
            .into(),
        ]
    })
}

/// 1 of scalars and -1 of vectors, in integers of the vectors' size.
fn truth(
    code: &str,
    element: Element,
    width: usize,
    is: impl Fn(&[u64]) -> bool + 'static,
) -> Step {
    let result = if width == 1 { INT } else { element.signed() };
    let yes = if width == 1 { 1 } else { result.mask() };
    let expected = move |operands: &[u64]| Expected::Bits(if is(operands) { yes } else { 0 });
    Output::each(code, result, width, expected).into()
}

/// `copysign` and `signbit`, of zeros, infinities and NaNs too.
pub fn copysign_signbit(session: &Session) -> Result<()> {
    of_all_types(session, 2, |element, width| {
        let signed = move |operands: &[u64]| {
            let sign = operands[1] & element.sign();
            bits_or_nan(element, operands[0] & !element.sign() | sign)
        };
        vec![
            same("copysign(a, b)", element, width, signed).into(),
            truth("signbit(a)", element, width, move |operands| {
                operands[0] & element.sign() != 0
            }),
            // A NaN's sign is seen by its bits alone.
            truth("signbit(copysign(a, b))", element, width, move |operands| {
                operands[1] & element.sign() != 0
            }),
        ]
    })
}

/// Sign, digits and exponent as the reference has them, with no zeros at the end.
fn finite(number: Number) -> Option<(bool, u128, i32)> {
    match number {
        Number::Finite {
            negative,
            digits,
            exponent,
        } => Some((negative, digits, exponent)),
        _ => None,
    }
}

/// Exponent of the leading digit; none of zero, infinities and NaN.
fn exponent_of(number: Number) -> Option<i32> {
    let (_, digits, exponent) = finite(number)?;
    (digits != 0).then(|| exponent + 127 - digits.leading_zeros() as i32)
}

/// `ilogb`, with the macros for what has no exponent.
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
                    // Of NaN it may be the same number.
                    (false, None) => Expected::Open,
                }
            })
            .into(),
        ]
    })
    .and_then(|()| macros_of_ilogb(session))
}

/// Zeros and NaNs give what the macros say, which is one of two numbers.
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

/// `ldexp` by exponents of all sizes, one for each element and one for all, into the
/// denormalised numbers, where the result is rounded once.
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
                // Far enough for all types.
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

/// The functions that ask what a number is, or how two compare (section 6.12.6).
pub fn isnan(session: &Session) -> Result<()> {
    type Of = fn(Element, &[u64]) -> bool;
    fn less(element: Element, operands: &[u64], strictly: bool) -> bool {
        let [a, b] = [0, 1].map(|place| element.double(operands[place]));
        if strictly { a < b } else { a <= b }
    }
    fn equal(element: Element, operands: &[u64]) -> bool {
        element.double(operands[0]) == element.double(operands[1])
    }
    fn unordered(element: Element, operands: &[u64]) -> bool {
        operands[..2].iter().any(|&bits| element.is_nan(bits))
    }
    fn finite(element: Element, bits: u64) -> bool {
        bits & !element.sign() < element.infinity(false)
    }
    let functions: [(&str, Of); 20] = [
        ("isnan(a)", |element, operands| element.is_nan(operands[0])),
        ("isinf(a)", |element, operands| {
            operands[0] & !element.sign() == element.infinity(false)
        }),
        ("isfinite(a)", |element, operands| {
            finite(element, operands[0])
        }),
        ("isnormal(a)", |element, operands| {
            finite(element, operands[0])
                && !element.is_denormal(operands[0])
                && operands[0] & !element.sign() != 0
        }),
        ("signbit(a)", |element, operands| {
            operands[0] & element.sign() != 0
        }),
        ("isequal(a, b)", equal),
        ("isnotequal(a, b)", |element, operands| {
            !equal(element, operands)
        }),
        ("isgreater(b, a)", |element, operands| {
            less(element, operands, true)
        }),
        ("isgreaterequal(b, a)", |element, operands| {
            less(element, operands, false)
        }),
        ("isless(a, b)", |element, operands| {
            less(element, operands, true)
        }),
        ("islessequal(a, b)", |element, operands| {
            less(element, operands, false)
        }),
        ("islessgreater(a, b)", |element, operands| {
            !equal(element, operands) && !unordered(element, operands)
        }),
        ("isordered(a, b)", |element, operands| {
            !unordered(element, operands)
        }),
        ("isunordered(a, b)", unordered),
        ("a == b", equal),
        ("a != b", |element, operands| !equal(element, operands)),
        ("a < b", |element, operands| less(element, operands, true)),
        ("a <= b", |element, operands| less(element, operands, false)),
        ("b > a", |element, operands| less(element, operands, true)),
        ("b >= a", |element, operands| less(element, operands, false)),
    ];
    of_all_types(session, 2, |element, width| {
        functions
            .iter()
            .map(|&(code, is)| truth(code, element, width, move |operands| is(element, operands)))
            .collect()
    })
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
                // Of infinities and NaN.
                (None, _) => Expected::Open,
            }
        };
        // The part before the point, and that behind it; both have the number's sign.
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

/// Second results straight into buffers.
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

/// The smaller or larger of two numbers; of a number and a NaN the number.
fn extreme(element: Element, operands: &[u64], smaller: bool) -> Expected {
    let [a, b] = [operands[0], operands[1]];
    match [a, b].map(|bits| element.is_nan(bits)) {
        [true, true] => Expected::Nan,
        [true, false] => Expected::Bits(b),
        [false, true] => Expected::Bits(a),
        _ => {
            let [left, right] = [a, b].map(|bits| element.double(bits));
            if left == right && a != b {
                // Zeros: either may come.
                return Expected::Near {
                    value: 0.0,
                    ulps: 0.0,
                };
            }
            Expected::Bits(if (left < right) == smaller { a } else { b })
        }
    }
}

/// `a * b + c`, rounded once.
fn fma(element: Element, operands: &[u64]) -> Expected {
    let bits = match (element, operands) {
        (FLOAT, &[a, b, c]) => {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            u64::from(a.mul_add(b, c).to_bits())
        }
        (DOUBLE, &[a, b, c]) => {
            let [a, b, c] = [a, b, c].map(f64::from_bits);
            a.mul_add(b, c).to_bits()
        }
        _ => {
            let numbers = [0, 1, 2].map(|place| element.number(operands[place]));
            let [Some(a), Some(b), Some(c)] = numbers.map(finite) else {
                // With an infinity or NaN among the operands rounding does not matter.
                let [a, b, c] = [0, 1, 2].map(|place| element.double(operands[place]));
                return element.nearest(a.mul_add(b, c)).into();
            };
            // Of halves all fits into integers of 128 bits.
            let fixed = |negative: bool, digits: u128, exponent: i32| {
                let size = (digits << (exponent + 48)) as i128;
                if negative { -size } else { size }
            };
            let product = fixed(a.0 != b.0, a.1 * b.1, a.2 + b.2);
            let sum = product + fixed(c.0, c.1, c.2);
            let negative = if sum == 0 {
                // A sum of zeros is negative if both are; one of others that cancel is not.
                a.0 != b.0 && c.0 && product == 0
            } else {
                sum < 0
            };
            let number = Number::Finite {
                negative,
                digits: sum.unsigned_abs(),
                exponent: -48,
            };
            return element.round(number, Rounding::NearestEven).into();
        }
    };
    bits_or_nan(element, bits)
}

/// `fmin`, `fmax` and `fma`.
pub fn fmin_fmax_fma(session: &Session) -> Result<()> {
    of_all_types(session, 2, |element, width| {
        ["fmin(a, b)", "fmax(a, b)"]
            .map(|code| {
                let smaller = code == "fmin(a, b)";
                same(code, element, width, move |operands| {
                    extreme(element, operands, smaller)
                })
                .into()
            })
            .into()
    })?;
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        let mut lists = values::tuples(&mut random, element, 3, COUNT);
        let (factors, addends) = lists.split_at_mut(2);
        let (first, second) = factors.split_at_mut(1);
        let triples = first[0].iter_mut().zip(&mut second[0]).zip(&mut addends[0]);
        // What a product rounds off shows when most of it is taken away again.
        for ((a, b), c) in triples.step_by(3) {
            let one = element.nearest(1.0).expect("it is a number");
            for bits in [&mut *a, &mut *b] {
                *bits = *bits & (element.sign() | one >> 3 | 0x3FF) | one;
            }
            if let Expected::Bits(product) = fma(element, &[*a, *b, 0]) {
                *c = product ^ element.sign();
            }
        }
        for width in WIDTHS {
            let operands = lists
                .iter()
                .map(|list| Operand::new(element, width, list.clone()));
            let value = move |operands: &[u64]| fma(element, operands);
            all.push(Expressions {
                operands: operands.collect(),
                steps: vec![same("fma(a, b, c)", element, width, value).into()],
            });
        }
    }
    check(session, &all)?;
    // `fmin` and `fmax` of vectors with a scalar.
    let mut all = Vec::new();
    for element in element::floats(session)? {
        let lists = values::tuples(&mut random, element, 2, COUNT);
        for &width in &WIDTHS[1..] {
            let steps = ["fmin(a, b)", "fmax(a, b)"].map(|code| {
                let smaller = code == "fmin(a, b)";
                same(code, element, width, move |operands| {
                    extreme(element, operands, smaller)
                })
                .into()
            });
            all.push(Expressions {
                operands: vec![
                    Operand::new(element, width, lists[0].clone()),
                    Operand::new(element, 1, lists[1].clone()),
                ],
                steps: steps.into(),
            });
        }
    }
    check(session, &all)
}

/// `min` and `max` (section 6.12.4), which leave NaN open, of vectors, and with scalars.
pub fn min_max(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        let lists = values::tuples(&mut random, element, 2, COUNT);
        for width in WIDTHS {
            for scalar in [false, true] {
                if scalar && width == 1 {
                    continue;
                }
                let steps = ["min(a, b)", "max(a, b)"].map(|code| {
                    let smaller = code == "min(a, b)";
                    same(code, element, width, move |operands| {
                        if operands.iter().any(|&bits| element.is_nan(bits)) {
                            return Expected::Open;
                        }
                        extreme(element, operands, smaller)
                    })
                    .into()
                });
                all.push(Expressions {
                    operands: vec![
                        Operand::new(element, width, lists[0].clone()),
                        Operand::new(element, if scalar { 1 } else { width }, lists[1].clone()),
                    ],
                    steps: steps.into(),
                });
            }
        }
    }
    check(session, &all)
}

#[cfg(test)]
mod tests {
    use super::super::element::{FLOAT, HALF};
    use super::super::expressions::Expected::{Bits, Nan};
    use super::{exponent_of, extreme, fma};

    #[test]
    fn halves_are_multiplied_and_added_with_one_rounding() {
        // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20, which a rounded product would lose.
        assert_eq!(fma(HALF, &[0x3C01, 0x3C01, 0xBC02]), Bits(0x0010));
        assert_eq!(fma(HALF, &[0x7BFF, 0x7BFF, 0xFC00]), Bits(0xFC00));
        assert_eq!(fma(HALF, &[0x7C00, 0, 0x3C00]), Nan);
        assert_eq!(fma(HALF, &[0x8000, 0x3C00, 0x8000]), Bits(0x8000));
        assert_eq!(fma(HALF, &[0x3C00, 0x3C00, 0xBC00]), Bits(0));
        assert_eq!(fma(HALF, &[1, 1, 0]), Bits(0));
    }

    #[test]
    fn numbers_win_over_nans() {
        let float = |value: f32| u64::from(value.to_bits());
        let (nan, one) = (float(f32::NAN), float(1.0));
        assert_eq!(extreme(FLOAT, &[nan, one], true), Bits(one));
        assert_eq!(extreme(FLOAT, &[one, nan], false), Bits(one));
        assert_eq!(extreme(FLOAT, &[nan, nan], false), Nan);
        assert_eq!(extreme(FLOAT, &[one, float(-2.0)], true), Bits(float(-2.0)));
    }

    #[test]
    fn exponents_of_denormals_count_their_leading_digit() {
        assert_eq!(exponent_of(HALF.number(1)), Some(-24));
        assert_eq!(exponent_of(HALF.number(0x3FF)), Some(-15));
        assert_eq!(exponent_of(HALF.number(0x8000)), None);
    }
}
