//! Helpers for all functions of floating-point numbers.

use super::super::element::{self, Element, INT, Number, WIDTHS};
use super::super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::super::values;
use anyhow::Result;
use harness::session::Session;

/// Number of values per operand of functions with several operands.
pub(super) const COUNT: usize = 1536;

/// Kernels for all types and widths, with `operands` operands of the type.
pub(super) fn of_all_types(
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

/// A result of the same type as the operands.
pub(super) fn same(
    code: &str,
    element: Element,
    width: usize,
    expected: impl Fn(&[u64]) -> Expected + 'static,
) -> Output {
    Output::each(code, element, width, expected)
}

/// The bits of a number, or any NaN.
pub(super) fn bits_or_nan(element: Element, bits: u64) -> Expected {
    if element.is_nan(bits) {
        Expected::Nan
    } else {
        Expected::Bits(bits)
    }
}

/// A truth value: 1 for scalars, and -1 in integers of the element's size for vectors.
pub(super) fn truth(
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

/// Sign, digits and exponent of a finite number.
pub(super) fn finite(number: Number) -> Option<(bool, u128, i32)> {
    match number {
        Number::Finite {
            negative,
            digits,
            exponent,
        } => Some((negative, digits, exponent)),
        _ => None,
    }
}

/// The exponent of the leading digit; `None` for zero, infinities and NaN.
pub(super) fn exponent_of(number: Number) -> Option<i32> {
    let (_, digits, exponent) = finite(number)?;
    (digits != 0).then(|| exponent + 127 - digits.leading_zeros() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::super::element::HALF;
    use super::exponent_of;

    #[test]
    fn exponents_of_denormals_count_their_leading_digit() {
        assert_eq!(exponent_of(HALF.number(1)), Some(-24));
        assert_eq!(exponent_of(HALF.number(0x3FF)), Some(-15));
        assert_eq!(exponent_of(HALF.number(0x8000)), None);
    }
}
