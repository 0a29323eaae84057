//! Minimum, maximum, and multiplication with addition.

use super::super::element::{self, DOUBLE, Element, FLOAT, Number, Rounding, WIDTHS};
use super::super::expressions::{Expected, Expressions, Operand, check};
use super::super::values;
use super::common::{COUNT, bits_or_nan, finite, of_all_types, same};
use anyhow::Result;
use harness::session::Session;

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
        // Subtracting most of the product shows whether it was rounded before the addition.
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

/// `min` and `max` (section 6.12.4), which are unspecified for NaN, of vectors, and of vectors with
/// scalars.
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

/// The minimum or maximum of two numbers; of a number and a NaN, the number.
fn extreme(element: Element, operands: &[u64], smaller: bool) -> Expected {
    let [a, b] = [operands[0], operands[1]];
    match [a, b].map(|bits| element.is_nan(bits)) {
        [true, true] => Expected::Nan,
        [true, false] => Expected::Bits(b),
        [false, true] => Expected::Bits(a),
        _ => {
            let [left, right] = [a, b].map(|bits| element.double(bits));
            if left == right && a != b {
                // Of two zeros, either is allowed.
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
                // If an operand is infinite or NaN, rounding does not matter.
                let [a, b, c] = [0, 1, 2].map(|place| element.double(operands[place]));
                return element.nearest(a.mul_add(b, c)).into();
            };
            // Products and sums of halves are exact in integers of 128 bits.
            let fixed = |negative: bool, digits: u128, exponent: i32| {
                let size = (digits << (exponent + 48)) as i128;
                if negative { -size } else { size }
            };
            let product = fixed(a.0 != b.0, a.1 * b.1, a.2 + b.2);
            let sum = product + fixed(c.0, c.1, c.2);
            let negative = if sum == 0 {
                // A sum of zeros is negative if both are negative; other numbers that cancel give a
                // positive zero.
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

#[cfg(test)]
mod tests {
    use super::super::super::element::{FLOAT, HALF};
    use super::super::super::expressions::Expected::{Bits, Nan};
    use super::{extreme, fma};

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
}
