//! Integer functions (section 6.12.3) and shifts, for all types and widths.

use super::element::{Element, INT, INTEGERS, Kind, UINT, WIDTHS};
use super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::values;
use anyhow::Result;
use harness::session::Session;

/// Number of values per operand.
const COUNT: usize = 1536;

/// Computes an element of the result from the operands' elements.
type OfBits = Box<dyn Fn(&[u64]) -> Expected>;

/// An expression of OpenCL C on vectors, and its reference for one element.
struct Function {
    code: &'static str,
    /// The type of the result, depending on that of the operands.
    result: fn(Element) -> Element,
    /// The result, of which the low bits are compared; `None` if it is unspecified.
    value: fn(Element, [i128; 3]) -> Option<i128>,
}

const fn function(
    code: &'static str,
    result: fn(Element) -> Element,
    value: fn(Element, [i128; 3]) -> Option<i128>,
) -> Function {
    Function {
        code,
        result,
        value,
    }
}

fn same(element: Element) -> Element {
    element
}

fn clamped(element: Element, value: i128) -> Option<i128> {
    Some(element.value(element.saturate(value)))
}

/// The upper half of a product.
fn product_high(element: Element, a: i128, b: i128) -> i128 {
    if element.kind == Kind::Unsigned {
        ((a as u128 * b as u128) >> element.bits()) as i128
    } else {
        (a * b) >> element.bits()
    }
}

fn rotated(element: Element, value: i128, by: i128) -> i128 {
    let (bits, by) = (element.bits(), (by & i128::from(element.bits() - 1)) as u32);
    let value = u128::from(element.wrap(value));
    (value << by | value >> (bits - by)) as i128
}

const BITSELECT: [Function; 6] = [
    function("bitselect(a, b, c)", same, |_, [a, b, c]| {
        Some((a & !c) | (b & c))
    }),
    function("abs(a)", Element::unsigned, |_, [a, ..]| Some(a.abs())),
    function("clz(a)", same, |element, [a, ..]| {
        let unused = 64 - element.bits();
        Some(i128::from(element.wrap(a).leading_zeros() - unused))
    }),
    function("popcount(a)", same, |element, [a, ..]| {
        Some(i128::from(element.wrap(a).count_ones()))
    }),
    function("min(a, b)", same, |_, [a, b, _]| Some(a.min(b))),
    function("max(a, b)", same, |_, [a, b, _]| Some(a.max(b))),
];

const HADD: [Function; 2] = [
    function("hadd(a, b)", same, |_, [a, b, _]| Some((a + b) >> 1)),
    function("rhadd(a, b)", same, |_, [a, b, _]| Some((a + b + 1) >> 1)),
];

const OTHERS: [Function; 9] = [
    function("add_sat(a, b)", same, |element, [a, b, _]| {
        clamped(element, a + b)
    }),
    function("sub_sat(a, b)", same, |element, [a, b, _]| {
        clamped(element, a - b)
    }),
    function("abs_diff(a, b)", Element::unsigned, |_, [a, b, _]| {
        Some((a - b).abs())
    }),
    function("mul_hi(a, b)", same, |element, [a, b, _]| {
        Some(product_high(element, a, b))
    }),
    function("mad_hi(a, b, c)", same, |element, [a, b, c]| {
        Some(product_high(element, a, b) + c)
    }),
    function("mad_sat(a, b, c)", same, |element, [a, b, c]| {
        clamped(element, a.saturating_mul(b).saturating_add(c))
    }),
    function("clamp(a, b, c)", same, |_, [a, b, c]| {
        (b <= c).then(|| a.clamp(b, c))
    }),
    function("select(a, b, c)", same, |_, [a, b, c]| {
        // The most significant bit of a vector's element selects.
        Some(if c < 0 { b } else { a })
    }),
    function("a * b + c", same, |_, [a, b, c]| {
        Some(a.wrapping_mul(b).wrapping_add(c))
    }),
];

/// Scalar operators promote types that are smaller than `int`.
fn promoted(element: Element, width: usize) -> Element {
    if width == 1 && element.bytes < 4 {
        INT
    } else {
        element
    }
}

fn output(function: &Function, element: Element, width: usize) -> Output {
    let (result, value) = ((function.result)(element), function.value);
    Output::each(function.code, result, width, move |operands| {
        let of = |place: usize| operands.get(place).map_or(0, |&bits| element.value(bits));
        match value(element, [of(0), of(1), of(2)]) {
            Some(value) => Expected::Bits(result.wrap(value)),
            None => Expected::Open,
        }
    })
}

/// Steps for scalars and vectors of all widths. The second and third operands have the same type,
/// or the type `other`.
fn of_all_widths(
    session: &Session,
    steps: impl Fn(Element, usize) -> Vec<Step>,
    scalar_operands: bool,
) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in INTEGERS {
        let lists = values::tuples(&mut random, element, 3, COUNT);
        for width in WIDTHS {
            if scalar_operands && width == 1 {
                continue;
            }
            let operands = lists
                .iter()
                .enumerate()
                .map(|(place, list)| {
                    let scalar = scalar_operands && place > 0;
                    Operand::new(element, if scalar { 1 } else { width }, list.clone())
                })
                .collect();
            let steps = steps(element, width);
            all.push(Expressions { operands, steps });
        }
    }
    check(session, &all)
}

fn functions(session: &Session, functions: &[Function]) -> Result<()> {
    let steps = |element: Element, width| {
        let fits = |function: &&Function| match function.code {
            "a * b + c" => width > 1 || element.bytes >= 4,
            // A scalar condition is any number except zero; elements of vector conditions are
            // signed.
            "select(a, b, c)" => width > 1 && element.kind == Kind::Signed,
            _ => true,
        };
        functions
            .iter()
            .filter(fits)
            .map(|function| output(function, element, width).into())
            .collect()
    };
    of_all_widths(session, steps, false)
}

/// `bitselect`, `abs`, `clz`, `popcount`, `min` and `max`.
pub fn bitselect(session: &Session) -> Result<()> {
    functions(session, &BITSELECT)
}

/// `hadd` and `rhadd`.
pub fn hadd(session: &Session) -> Result<()> {
    functions(session, &HADD)
}

/// The other functions, with `upsample`, `mul24` and `mad24`.
pub fn others(session: &Session) -> Result<()> {
    functions(session, &OTHERS)?;
    upsample(session)?;
    of_24_bits(session)
}

/// `min`, `max` and `clamp` of vectors with scalars.
pub fn with_scalars(session: &Session) -> Result<()> {
    let steps = |element: Element, width| {
        [&BITSELECT[4], &BITSELECT[5], &OTHERS[6]]
            .map(|function| output(function, element, width).into())
            .into()
    };
    of_all_widths(session, steps, true)
}

fn upsample(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for wide in INTEGERS.into_iter().filter(|element| element.bytes > 1) {
        let of_half_the_size = |kind| {
            let mut narrow = INTEGERS.into_iter();
            narrow.find(|narrow| 2 * narrow.bytes == wide.bytes && narrow.kind == kind)
        };
        let (Some(high), Some(low)) = (
            of_half_the_size(wide.kind),
            of_half_the_size(Kind::Unsigned),
        ) else {
            continue;
        };
        for width in WIDTHS {
            let operands = [high, low].map(|element| {
                let values = values::mixed(&mut random, element);
                Operand::new(element, width, values)
            });
            let value =
                move |operands: &[u64]| Expected::Bits(operands[0] << low.bits() | operands[1]);
            let steps = vec![Output::each("upsample(a, b)", wide, width, value).into()];
            let operands = operands.into();
            all.push(Expressions { operands, steps });
        }
    }
    check(session, &all)
}

fn of_24_bits(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in [INT, UINT] {
        let mut lists = values::tuples(&mut random, element, 3, COUNT);
        for list in &mut lists[..2] {
            for bits in list {
                // Operands are 24-bit numbers, signed for `int`.
                *bits = if element == INT {
                    element.wrap(element.value(*bits << 8 & element.mask()) >> 8)
                } else {
                    *bits & 0xFF_FFFF
                };
            }
        }
        for width in WIDTHS {
            let product = function("mul24(a, b)", same, |_, [a, b, _]| Some(a * b));
            let sum = function("mad24(a, b, c)", same, |_, [a, b, c]| Some(a * b + c));
            all.push(Expressions {
                operands: lists
                    .iter()
                    .map(|list| Operand::new(element, width, list.clone()))
                    .collect(),
                steps: vec![
                    output(&product, element, width).into(),
                    output(&sum, element, width).into(),
                ],
            });
        }
    }
    check(session, &all)
}

/// `<<` and `>>` by vectors, scalars and constants of all sizes, and `rotate`. Section 6.3: only
/// the low bits of the amount matter.
pub fn rotate(session: &Session) -> Result<()> {
    let steps = |element: Element, width| {
        let result = promoted(element, width);
        // Constants are compiled equally in all widths, so that three widths are sufficient.
        let has_constants = matches!(width, 1 | 3 | 4);
        let shift = move |value: i128, by: i128, left: bool| {
            let by = by & i128::from(result.bits() - 1);
            Expected::Bits(result.wrap(if left { value << by } else { value >> by }))
        };
        let mut steps: Vec<Step> = vec![
            output(
                &function("rotate(a, b)", same, |element, [a, b, _]| {
                    Some(rotated(element, a, b))
                }),
                element,
                width,
            )
            .into(),
        ];
        let mut add = |code: String, expected: OfBits| {
            steps.push(Output::each(code, result, width, expected).into());
        };
        for (left, operator) in [(true, "<<"), (false, ">>")] {
            add(
                format!("a {operator} b"),
                Box::new(move |operands| {
                    let [value, by] = [0, 1].map(|place| element.value(operands[place]));
                    shift(value, by, left)
                }),
            );
            if width > 1 && has_constants {
                let scalar = format!("a {operator} ({})5", element.name);
                add(
                    scalar,
                    Box::new(move |operands| shift(element.value(operands[0]), 5, left)),
                );
            }
            let constants = [1, element.bits() as i128 - 1, element.bits() as i128 + 3];
            for by in constants.into_iter().filter(|_| has_constants) {
                if width == 1 && by >= i128::from(result.bits()) {
                    // Compilers warn of larger constants.
                    continue;
                }
                let name = element.vector(width);
                add(
                    format!("a {operator} ({name})({by})"),
                    Box::new(move |operands| shift(element.value(operands[0]), by, left)),
                );
            }
        }
        let name = element.vector(width);
        for by in [1, element.bits() as i128 - 1]
            .into_iter()
            .filter(|_| has_constants)
        {
            let code = format!("rotate(a, ({name})({by}))");
            let expected = move |operands: &[u64]| {
                let value = element.value(operands[0]);
                Expected::Bits(element.wrap(rotated(element, value, by)))
            };
            steps.push(Output::each(code, element, width, expected).into());
        }
        steps
    };
    of_all_widths(session, steps, false)?;
    let by_scalars = |element: Element, width| {
        ["a << b", "a >> b"]
            .map(|code| {
                let left = code.contains("<<");
                let expected = move |operands: &[u64]| {
                    let [value, by] = [0, 1].map(|place| element.value(operands[place]));
                    let by = by & i128::from(element.bits() - 1);
                    Expected::Bits(element.wrap(if left { value << by } else { value >> by }))
                };
                Output::each(code, element, width, expected).into()
            })
            .into()
    };
    of_all_widths(session, by_scalars, true)
}

#[cfg(test)]
mod tests {
    use super::super::element::{CHAR, LONG, UCHAR, ULONG};
    use super::{BITSELECT, product_high, rotated};

    #[test]
    fn references_are_right_at_the_borders() {
        assert_eq!(UCHAR.wrap(rotated(UCHAR, 0x81, 1)), 0x03);
        assert_eq!(CHAR.wrap(rotated(CHAR, -128, 9)), 1);
        assert_eq!(CHAR.wrap(rotated(CHAR, 1, -1)), 0x80);
        let largest = i128::from(u64::MAX);
        assert_eq!(product_high(ULONG, largest, largest), largest - 1);
        assert_eq!(product_high(LONG, i64::MIN.into(), 1), -1);
        assert_eq!((BITSELECT[2].value)(CHAR, [1, 0, 0]), Some(7));
        assert_eq!((BITSELECT[2].value)(CHAR, [-1, 0, 0]), Some(0));
        assert_eq!((BITSELECT[3].value)(CHAR, [-1, 0, 0]), Some(8));
    }
}
