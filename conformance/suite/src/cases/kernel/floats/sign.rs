//! Functions of the sign.

use super::common::{bits_or_nan, of_all_types, same, truth};
use anyhow::Result;
use harness::session::Session;

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

/// `copysign` and `signbit`, also of zeros, infinities and NaNs.
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
            // Only the bits of a NaN show its sign.
            truth("signbit(copysign(a, b))", element, width, move |operands| {
                operands[1] & element.sign() != 0
            }),
        ]
    })
}
