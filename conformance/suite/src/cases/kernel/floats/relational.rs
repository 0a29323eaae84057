//! Relational functions and operators.

use super::super::element::Element;
use super::common::{of_all_types, truth};
use anyhow::Result;
use harness::session::Session;

/// Relational functions and comparison operators (section 6.12.6).
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
