//! Operands: the limits of types, their neighbours, and random values.

use super::element::{DOUBLE, Element, FLOAT, HALF, INTEGERS, Number, Rounding};
use harness::random::Random;

/// Integers at the limits of their type and of all other types.
fn integer_borders(element: Element) -> Vec<u64> {
    let [low, high] = element.range();
    let mut values = vec![0, 1, 2, 3, -1, -2, low, low + 1, high - 1, high];
    for bits in 1..element.bits() {
        for near in [-1, 0, 1] {
            values.extend([(1 << bits) + near, -(1 << bits) + near]);
        }
    }
    // The numbers beyond which floats and doubles cannot represent all integers, and the midpoints
    // of neighbours.
    for precision in [11, 24, 53] {
        for ahead in [0, 1, 3] {
            for digits in [1, 2, 3, 5, 6, 7] {
                let value = ((1 << precision) + digits) << ahead;
                values.extend([
                    value,
                    value + 1,
                    -value,
                    -value - 1,
                    (1 << precision) - digits,
                ]);
            }
        }
    }
    values.retain(|value| (low..=high).contains(value));
    values
        .into_iter()
        .map(|value| element.wrap(value))
        .collect()
}

/// A number of the type and its two neighbours.
fn around(element: Element, bits: u64) -> [u64; 3] {
    let size = bits & !element.sign();
    let sign = bits & element.sign();
    let (less, more) = (size.saturating_sub(1), size + 1);
    [sign | less, bits, sign | more.min(element.infinity(false))]
}

/// Floating-point numbers at the limits of their type and of all other types.
fn floating_borders(element: Element) -> Vec<u64> {
    let (precision, ..) = element.format();
    let infinity = element.infinity(false);
    let normal = 1 << (precision - 1);
    let mut sizes = vec![
        0,
        1,
        2,
        3,
        normal / 2,
        normal - 1,
        normal,
        normal + 1,
        infinity - 1,
        infinity,
        infinity | normal >> 1,
    ];
    let mut near = |value: Number| {
        for rounding in [Rounding::Down, Rounding::Up] {
            let bits = element.round(value, rounding).expect("it is a number");
            sizes.extend(around(element, bits & !element.sign()));
        }
    };
    let finite = |digits: u128, exponent: i32| Number::Finite {
        negative: false,
        digits,
        exponent,
    };
    for quarters in (1..=12).chain([4 * 100 + 2, 4 * 101 + 2]) {
        near(finite(quarters, -2));
    }
    for integer in INTEGERS {
        for size in integer.range().map(i128::unsigned_abs) {
            for quarters in [-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6] {
                near(finite((4 * size).saturating_add_signed(quarters), -2));
            }
        }
    }
    for (precision, least, largest) in [HALF, FLOAT, DOUBLE].map(Element::format) {
        let leading = 1 << precision;
        // The midpoint beyond the largest number, midpoints of denormalised numbers, and their
        // limit.
        for digits in [leading - 2, leading - 1, leading] {
            near(finite(digits, largest));
            near(finite(2 * digits - 1, largest - 1));
            near(finite(2 * digits - 1, least - 1));
        }
        for digits in [1, 3, 5, 7] {
            near(finite(digits, least - 1));
            near(finite(digits, least - 2));
        }
        // Midpoints of numbers near 1.
        for digits in [1, 2, 3, 4] {
            near(finite(2 * leading + 2 * digits + 1, -20));
        }
    }
    sizes
        .into_iter()
        .flat_map(|size| [size, size | element.sign()])
        .collect()
}

/// All limits.
pub fn borders(element: Element) -> Vec<u64> {
    let mut borders = if element.is_floating() {
        floating_borders(element)
    } else {
        integer_borders(element)
    };
    borders.sort_unstable();
    borders.dedup();
    borders
}

/// Random bits.
pub fn random_bits(random: &mut Random, element: Element, count: usize) -> Vec<u64> {
    (0..count).map(|_| random.bits() & element.mask()).collect()
}

/// Numbers of all sizes, with few or many digits: integers of random lengths, and floating-point
/// numbers of similar size.
pub fn random(random: &mut Random, element: Element, count: usize) -> Vec<u64> {
    let any = |random: &mut Random| {
        let digits = random.bits() >> random.below(64);
        let negative = random.bits() & 1 != 0;
        if element.is_floating() {
            let number = Number::Finite {
                negative,
                digits: digits.into(),
                exponent: random.below(64) as i32 - 64,
            };
            element
                .round(number, Rounding::NearestEven)
                .expect("it is a number")
        } else {
            let value = i128::from(digits);
            element.wrap(if negative { -value } else { value })
        }
    };
    (0..count).map(|_| any(random)).collect()
}

/// All limits and as many random numbers, in random order, so that none is always in the same
/// element of a vector.
pub fn mixed(source: &mut Random, element: Element) -> Vec<u64> {
    let mut values = borders(element);
    let count = values.len();
    values.extend(random(source, element, count / 2));
    values.extend(random_bits(source, element, count / 2));
    shuffle(source, &mut values);
    values
}

/// Shuffles the values.
pub fn shuffle<T>(random: &mut Random, values: &mut [T]) {
    for place in (1..values.len()).rev() {
        values.swap(place, random.below(place as u32 + 1) as usize);
    }
}

/// `operands` lists of `count` values each: combinations of limits, equal values, and random ones.
pub fn tuples(
    source: &mut Random,
    element: Element,
    operands: usize,
    count: usize,
) -> Vec<Vec<u64>> {
    let borders = borders(element);
    let mut lists = vec![Vec::with_capacity(count); operands];
    for _ in 0..count {
        let equal = source.below(8) == 0;
        let mut last = None;
        for list in &mut lists {
            let value = match (last, source.below(4)) {
                (Some(last), _) if equal => last,
                (_, 0 | 1) => borders[source.below(borders.len() as u32) as usize],
                (_, 2) => random(source, element, 1)[0],
                _ => random_bits(source, element, 1)[0],
            };
            last = Some(value);
            list.push(value);
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::super::element::{CHAR, DOUBLE, FLOAT, HALF, LONG};
    use super::borders;

    #[test]
    fn borders_are_where_types_end() {
        let floats = borders(FLOAT);
        for float in [
            2147483648.0,
            2147483520.0,
            -2147483648.0,
            9.223372e18,
            255.5,
            -128.5,
            127.49999,
            65520.0,
            65519.996,
            -0.0,
            0.49999997,
            f32::MAX,
            f32::INFINITY,
            f32::from_bits(1),
            // Half of the smallest half, and slightly more.
            2f32.powi(-25),
            f32::from_bits(2f32.powi(-25).to_bits() + 1),
        ] {
            assert!(floats.contains(&float.to_bits().into()), "{float}");
        }
        assert!(floats.iter().any(|&bits| FLOAT.is_nan(bits)));
        let doubles = borders(DOUBLE);
        // The midpoint beyond the largest float.
        for double in [f64::from(f32::MAX) + 2f64.powi(103), 2147483647.5, 0.5] {
            assert!(doubles.contains(&double.to_bits()), "{double}");
        }
        assert!(borders(HALF).contains(&0x7BFF));
        for long in [i64::MIN, i64::MAX, 1 << 32, (1 << 31) - 1, (1 << 24) + 1] {
            assert!(borders(LONG).contains(&(long as u64)), "{long}");
        }
        assert!(borders(CHAR).contains(&0x80));
    }
}
