//! Geometric functions (section 6.12.5), also of vectors whose squares overflow or underflow.

use super::element::{self, Element, Number, Rounding};
use super::expressions::{Expected, Expressions, Operand, Output, Step, check};
use super::values;
use anyhow::Result;
use harness::random::Random;
use harness::session::Session;

/// Number of vectors per type and width.
const VECTORS: usize = 320;

/// A random number with an exponent in `low..high` and a random sign.
fn number(random: &mut Random, element: Element, [low, high]: [i32; 2]) -> u64 {
    let number = Number::Finite {
        negative: random.bits() & 1 != 0,
        digits: (random.bits() | 1 << 63).into(),
        exponent: low + random.below((high - low) as u32) as i32 - 63,
    };
    element
        .round(number, Rounding::NearestEven)
        .expect("it is a number")
}

/// Vectors whose components have similar sizes, from those whose squares underflow to those whose
/// squares overflow. Some have zeros or one large component.
fn vectors(random: &mut Random, element: Element, width: usize) -> Vec<u64> {
    let (precision, least, largest) = element.format();
    let (smallest, last) = (least + precision as i32, largest + precision as i32 - 4);
    let mut all = Vec::new();
    for vector in 0..VECTORS {
        let middle = match vector % 4 {
            0 => 0,
            1 => last,
            2 => smallest,
            _ => smallest + random.below((last - smallest) as u32) as i32,
        };
        for lane in 0..width {
            let exponents = [(middle - 2).max(smallest), (middle + 2).min(last + 1)];
            all.push(match (vector / 4 + lane) % 6 {
                0 if vector % 3 == 0 => 0,
                _ => number(random, element, exponents),
            });
        }
    }
    all
}

/// The length of a vector in doubles, scaled to avoid overflow and underflow.
fn length(values: &[f64]) -> f64 {
    let largest = values
        .iter()
        .fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 || largest.is_infinite() {
        return largest;
    }
    // Scaling by powers of two is exact.
    let exponent = largest.log2().floor().clamp(-1000.0, 1000.0) as i32;
    let scaled = values.iter().map(|value| value * 2f64.powi(-exponent));
    scaled.map(|value| value * value).sum::<f64>().sqrt() * 2f64.powi(exponent)
}

fn doubles(element: Element, bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| element.double(bits)).collect()
}

/// `length`, `distance` and `normalize` are within a few units in the last place.
pub fn length_distance(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        for width in [1, 2, 3, 4] {
            // Section 7.4 has no limits for these functions. This is twice the error of rounding
            // each square, sum and root.
            let ulps = 4.0 + width as f64;
            let near = move |value: f64| Expected::Near { value, ulps };
            let steps: Vec<Step> = vec![
                Output::whole("length(a)", element, 1, move |operands| {
                    vec![near(length(&doubles(element, operands[0])))]
                })
                .into(),
                Output::whole("distance(a, b)", element, 1, move |operands| {
                    let [a, b] = [0, 1].map(|place| doubles(element, operands[place]));
                    let differences = a.iter().zip(&b).map(|(a, b)| {
                        // The difference, rounded to the type.
                        let bits = element.nearest(a - b).expect("both are numbers");
                        element.double(bits)
                    });
                    vec![near(length(&differences.collect::<Vec<f64>>()))]
                })
                .into(),
                Output::whole("normalize(a)", element, width, move |operands| {
                    let values = doubles(element, operands[0]);
                    let length = length(&values);
                    let of = |value: f64| if length == 0.0 { 0.0 } else { value / length };
                    values.into_iter().map(|value| near(of(value))).collect()
                })
                .into(),
            ];
            let operands = [0, 1].map(|_| {
                let values = vectors(&mut random, element, width);
                Operand::new(element, width, values)
            });
            let operands = operands.into();
            all.push(Expressions { operands, steps });
        }
    }
    check(session, &all)
}

/// `dot` and `cross` of small integers, whose results are exact in any order.
pub fn dot(session: &Session) -> Result<()> {
    let mut random = session.random();
    let mut all = Vec::new();
    for element in element::floats(session)? {
        for width in [1, 2, 3, 4] {
            let mut steps: Vec<Step> = vec![
                Output::whole("dot(a, b)", element, 1, move |operands| {
                    let [a, b] = [0, 1].map(|place| doubles(element, operands[place]));
                    let sum: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                    vec![equal(element, sum)]
                })
                .into(),
            ];
            if width > 2 {
                let cross = move |operands: &[&[u64]]| {
                    let [a, b] = [0, 1].map(|place| doubles(element, operands[place]));
                    (0..width)
                        .map(|lane| {
                            let (i, j) = ((lane + 1) % 3, (lane + 2) % 3);
                            let value = if lane == 3 {
                                0.0
                            } else {
                                a[i] * b[j] - a[j] * b[i]
                            };
                            equal(element, value)
                        })
                        .collect()
                };
                steps.push(Output::whole("cross(a, b)", element, width, cross).into());
            }
            let operands = [0, 1].map(|_| {
                // Sums of four products stay below 2048.
                let mut values: Vec<u64> = (0..VECTORS * width)
                    .map(|_| f64::from(random.below(43)) - 21.0)
                    .map(|value| element.nearest(value).expect("it is a number"))
                    .collect();
                values::shuffle(&mut random, &mut values);
                Operand::new(element, width, values)
            });
            let operands = operands.into();
            all.push(Expressions { operands, steps });
        }
    }
    check(session, &all)
}

/// An exact number; zeros may have either sign.
fn equal(element: Element, value: f64) -> Expected {
    if value == 0.0 {
        return Expected::Near { value, ulps: 0.0 };
    }
    element.nearest(value).into()
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_neither_overflow_nor_vanish() {
        assert_eq!(length(&[3e300, 4e300]), 5e300);
        assert_eq!(length(&[3e-320, 4e-320]), 5e-320);
        assert_eq!(length(&[0.0, -0.0]), 0.0);
        assert_eq!(length(&[-7.0]), 7.0);
    }
}
