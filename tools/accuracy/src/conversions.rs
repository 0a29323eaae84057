//! Conversions between all scalar types (section 6.2.3): every rounding, with and
//! without saturation, all of one pair of types in one kernel.

use crate::case::Case;
use crate::format::{Format, Rounding};
use crate::function::{Denormals, Function, Limit, Style, WIDTH};
use crate::reference::{Answer, Expected};
use crate::types::Type;
use rug::Float;

const INTEGERS: &[(u32, bool)] = &[
    (8, true),
    (8, false),
    (16, true),
    (16, false),
    (32, true),
    (32, false),
    (64, true),
    (64, false),
];

/// The rounding modes with their suffixes. Without a suffix the destination's default applies.
const ROUNDINGS: &[(&str, Option<Rounding>)] = &[
    ("", None),
    ("_rte", Some(Rounding::Nearest)),
    ("_rtz", Some(Rounding::Zero)),
    ("_rtp", Some(Rounding::Up)),
    ("_rtn", Some(Rounding::Down)),
];

/// A function for each pair of types.
pub fn all() -> Vec<Function> {
    let floating = [Format::Half, Format::Single, Format::Double].map(Type::Floating);
    let integers = INTEGERS
        .iter()
        .map(|(bits, signed)| Type::Integer(*bits, *signed));
    let types: Vec<Type> = integers.chain(floating).collect();
    let pair = |from: &Type| {
        types
            .iter()
            .map(|to| conversion(*from, *to))
            .collect::<Vec<_>>()
    };
    types.iter().flat_map(pair).collect()
}

fn conversion(from: Type, to: Type) -> Function {
    let mut body = String::new();
    let mut variants = Vec::new();
    let saturations: &[bool] = if matches!(to, Type::Integer(..)) {
        &[false, true]
    } else {
        &[false]
    };
    for (suffix, rounding) in ROUNDINGS {
        for saturates in saturations {
            let saturation = if *saturates { "_sat" } else { "" };
            let index = variants.len();
            body += &format!(
                "r{index} = convert_{}{WIDTH}{saturation}{suffix}(x0); ",
                to.name()
            );
            variants.push((*rounding, *saturates));
        }
    }
    let format = [from, to]
        .into_iter()
        .filter_map(|kind| match kind {
            Type::Floating(format) => Some(format),
            Type::Integer(..) => None,
        })
        // A device is tested only if it has the `half` or `double` that the pair needs.
        .max_by_key(|format| match format {
            Format::Single => 0,
            Format::Double => 1,
            Format::Half => 2,
        })
        .unwrap_or(Format::Single);
    Function {
        name: format!("{} to {}", from.name(), to.name()),
        format,
        body,
        options: "",
        arguments: vec![from],
        results: vec![to; variants.len()],
        limits: vec![Limit::Exact; variants.len()],
        style: Style::Conversion,
        denormals: Denormals::Kept,
        has_vectors: true,
        reference: Box::new(move |case| {
            variants
                .iter()
                .map(|(rounding, saturates)| answer(case, from, to, *rounding, *saturates))
                .collect::<Expected>()
        }),
    }
}

fn answer(
    case: &Case<'_>,
    from: Type,
    to: Type,
    rounding: Option<Rounding>,
    saturates: bool,
) -> Answer {
    let exact = match from {
        Type::Floating(_) => case.float(0, 160),
        Type::Integer(..) => Float::with_val(160, case.integer(0)),
    };
    let (bits, signed) = match to {
        Type::Floating(format) => {
            let rounded = format.round(&exact, rounding.unwrap_or(Rounding::Nearest));
            return Answer::OneOf(vec![rounded]);
        }
        Type::Integer(bits, signed) => (bits, signed),
    };
    let (least, most) = if signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    if exact.is_nan() {
        return if saturates {
            Answer::Integer(vec![0])
        } else {
            Answer::Any
        };
    }
    let integral = match rounding.unwrap_or(Rounding::Zero) {
        Rounding::Nearest => exact.round_even(),
        Rounding::Zero => exact.trunc(),
        Rounding::Up => exact.ceil(),
        Rounding::Down => exact.floor(),
    };
    let whole = if integral > most || integral < least {
        None
    } else {
        integral.to_integer().and_then(|whole| whole.to_i128())
    };
    match whole {
        Some(whole) => Answer::Integer(vec![whole]),
        None if saturates => Answer::Integer(vec![if integral > most { most } else { least }]),
        // Integers keep their low bits (6.2.3.3 with C's rule); other results are unspecified.
        None if matches!(from, Type::Integer(..)) => {
            let low = case.integer(0) as u64;
            Answer::Integer(vec![to.integer(low & (u64::MAX >> (64 - bits)))])
        }
        None => Answer::Any,
    }
}
