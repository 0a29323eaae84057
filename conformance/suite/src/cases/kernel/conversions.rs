//! Explicit conversions (section 6.2.3) between all types, in all modes.

use super::element::{self, Element, HALF, INT, INTEGERS, LONG, Rounding, UINT, ULONG};
use super::expressions::{Expected, Expressions, Operand, Output, check};
use super::values;
use anyhow::Result;
use harness::session::Session;

const ROUNDINGS: [(&str, Option<Rounding>); 5] = [
    ("", None),
    ("_rte", Some(Rounding::NearestEven)),
    ("_rtz", Some(Rounding::Zero)),
    ("_rtp", Some(Rounding::Up)),
    ("_rtn", Some(Rounding::Down)),
];

/// The result of a conversion. Without a mode, conversions to integers round towards zero and those
/// to floating-point types to the nearest number.
fn converted(
    from: Element,
    to: Element,
    bits: u64,
    saturate: bool,
    rounding: Option<Rounding>,
) -> Expected {
    let number = from.number(bits);
    if to.is_floating() {
        return to
            .round(number, rounding.unwrap_or(Rounding::NearestEven))
            .into();
    }
    let Some(value) = number.rounded(rounding.unwrap_or(Rounding::Zero)) else {
        return if saturate {
            Expected::Bits(0)
        } else {
            Expected::Open
        };
    };
    let [low, high] = to.range();
    if saturate {
        Expected::Bits(to.saturate(value))
    } else if (low..=high).contains(&value) || !from.is_floating() {
        // C leaves open the result if a signed type cannot represent an integer; all compilers, and
        // PoCL's cases, take the low bits.
        Expected::Bits(to.wrap(value))
    } else {
        Expected::Open
    }
}

fn conversion(
    from: Element,
    to: Element,
    width: usize,
    saturate: bool,
    (suffix, rounding): (&str, Option<Rounding>),
) -> Output {
    let saturating = if saturate { "_sat" } else { "" };
    let code = format!("convert_{}{saturating}{suffix}(a)", to.vector(width));
    Output::each(code, to, width, move |operands| {
        converted(from, to, operands[0], saturate, rounding)
    })
}

/// All conversions of scalars or of vectors of one width.
pub fn all(session: &Session, width: usize) -> Result<()> {
    let mut random = session.random();
    let types = element::all(session)?;
    let all: Vec<Expressions> = types
        .iter()
        .map(|&from| {
            let mut steps = Vec::new();
            for (turn, &to) in types.iter().enumerate() {
                for saturate in [false, true] {
                    if saturate && to.is_floating() {
                        continue;
                    }
                    // Integers are not rounded, and conversions of wide halves are slow to compile:
                    // there, each type has another mode.
                    let integers = !from.is_floating() && !to.is_floating();
                    let one_mode = width > 4 && (integers || [from, to].contains(&HALF));
                    for (place, mode) in ROUNDINGS.into_iter().enumerate() {
                        let turn = (turn + from.bytes + width + usize::from(saturate)) % 5;
                        if one_mode && place != turn {
                            continue;
                        }
                        steps.push(conversion(from, to, width, saturate, mode).into());
                    }
                }
                if width == 1 {
                    let cast = format!("({})a", to.name);
                    let plain =
                        move |operands: &[u64]| converted(from, to, operands[0], false, None);
                    steps.push(Output::each(cast, to, 1, plain).into());
                }
            }
            let values = values::mixed(&mut random, from);
            Expressions {
                operands: vec![Operand::new(from, width, values)],
                steps,
            }
        })
        .collect();
    check(session, &all)
}

/// Saturation of wide integers to narrow ones and to those of the other signedness, of values from
/// memory, of sums, and of constants.
pub fn saturation(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for from in [LONG, ULONG, INT, UINT] {
        for width in [2, 3, 4] {
            let name = from.vector(width);
            let mut steps = Vec::new();
            for to in INTEGERS {
                let convert = format!("convert_{}_sat", to.vector(width));
                steps.push(conversion(from, to, width, true, ROUNDINGS[0]).into());
                let sum = move |operands: &[u64]| {
                    let sum = from.wrap(from.value(operands[0]) + from.value(operands[1]));
                    Expected::Bits(to.saturate(from.value(sum)))
                };
                steps.push(Output::each(format!("{convert}(a + b)"), to, width, sum).into());
                for value in from.range() {
                    let constant = from.show(from.wrap(value));
                    // The smallest number cannot be written as a literal.
                    let literal = if value < 0 {
                        format!("{}L - 1", value + 1)
                    } else {
                        format!("{constant}{}", if value < 1 << 63 { "L" } else { "UL" })
                    };
                    let expected = move |_: &[u64]| Expected::Bits(to.saturate(value));
                    let code = format!("{convert}(({name})({literal}))");
                    steps.push(Output::each(code, to, width, expected).into());
                }
            }
            let (a, mut b) = (
                values::mixed(&mut random, from),
                values::mixed(&mut random, from),
            );
            values::shuffle(&mut random, &mut b);
            all.push(Expressions {
                operands: vec![Operand::new(from, width, a), Operand::new(from, width, b)],
                steps,
            });
        }
    }
    check(session, &all)
}

#[cfg(test)]
mod tests {
    use super::super::element::{CHAR, FLOAT, INT, Rounding, UCHAR};
    use super::Expected::{Bits, Nan, Open};
    use super::converted;

    #[test]
    fn references_follow_section_6_2_3() {
        let float = |value: f32| u64::from(value.to_bits());
        let plain = |from, to, bits| converted(from, to, bits, false, None);
        assert_eq!(plain(FLOAT, UCHAR, float(255.9)), Bits(255));
        assert_eq!(plain(FLOAT, UCHAR, float(256.0)), Open);
        assert_eq!(plain(FLOAT, UCHAR, float(-0.9)), Bits(0));
        assert_eq!(plain(FLOAT, CHAR, float(f32::NAN)), Open);
        assert_eq!(converted(FLOAT, CHAR, float(f32::NAN), true, None), Bits(0));
        assert_eq!(plain(FLOAT, FLOAT, float(f32::NAN)), Nan);
        assert_eq!(plain(INT, UCHAR, 0xFFFF_FF85), Bits(0x85));
        assert_eq!(converted(INT, UCHAR, 0xFFFF_FF85, true, None), Bits(0));
        let up = Some(Rounding::Up);
        assert_eq!(plain(INT, FLOAT, 0x0100_0001), Bits(float(16_777_216.0)));
        assert_eq!(
            converted(INT, FLOAT, 0x0100_0001, false, up),
            Bits(float(16_777_218.0))
        );
    }
}
