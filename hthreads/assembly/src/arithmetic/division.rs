//! Division of floating-point numbers in steps, as compilers for the machine write it:
//!
//! ```text
//! SMOVI     0, r
//! SFSRT8D   a, b, r, q:r     three times; the second and third with q in place of a
//! SFNORMD   a, b, q, d
//! ```
//!
//! What the words between the steps have in them is not published. Here q has the digits so far, and in
//! the end whether a remainder is left; r has the remainder and the number of steps, so that it is 0 before
//! the first one only.

use super::{of_parts32, parts32};

/// Steps of a division.
const STEPS: u64 = 3;

/// A format of numbers.
struct Format {
    /// Bits of the mantissa without the first one.
    mantissa: u32,
    /// Bits of the exponent.
    exponent: u32,
    /// Digits of a step, bits.
    digits: u32,
}

const DOUBLE: Format = Format {
    mantissa: 52,
    exponent: 11,
    digits: 18,
};

const SINGLE: Format = Format {
    mantissa: 23,
    exponent: 8,
    digits: 9,
};

impl Format {
    /// The mantissa with its first bit.
    fn significand(&self, bits: u64) -> u64 {
        bits & ((1 << self.mantissa) - 1) | 1 << self.mantissa
    }

    /// The exponent's field.
    fn exponent(&self, bits: u64) -> i32 {
        (bits >> self.mantissa & ((1 << self.exponent) - 1)) as i32
    }

    /// Whether a number is neither zero, denormal, infinite nor no number.
    fn is_normal(&self, bits: u64) -> bool {
        let field = self.exponent(bits);
        field != 0 && field != (1 << self.exponent) - 1
    }

    /// A step; the digits and the remainder.
    fn step(&self, a: u64, b: u64, remainder: u64) -> (u64, u64) {
        let divisor = u128::from(self.significand(b));
        let (steps, digits, left) = match remainder {
            0 => (0, 0, self.significand(a)),
            _ => (remainder & 3, a, remainder >> 2),
        };
        let shifted = u128::from(left) << self.digits;
        let (next, left) = (shifted / divisor, (shifted % divisor) as u64);
        let mut digits = (digits << self.digits).wrapping_add(next as u64);
        let steps = (steps + 1).min(STEPS);
        if steps == STEPS {
            digits = digits << 1 | u64::from(left != 0);
        }
        (digits, left << 2 | steps)
    }
}

/// A step of a division of 64 bits.
pub fn fsrt8d(a: u64, b: u64, remainder: u64) -> (u64, u64) {
    DOUBLE.step(a, b, remainder)
}

/// A step of two divisions of 32 bits.
pub fn fsrt8s32(a: u64, b: u64, remainder: u64) -> (u64, u64) {
    let (a, b, remainder) = (parts32(a), parts32(b), parts32(remainder));
    let step = |part: usize| SINGLE.step(a[part].into(), b[part].into(), remainder[part].into());
    let (low, high) = (step(0), step(1));
    (
        of_parts32([low.0 as u32, high.0 as u32]),
        of_parts32([low.1 as u32, high.1 as u32]),
    )
}

/// The quotient of the digits.
pub fn fnormd(a: u64, b: u64, digits: u64) -> u64 {
    let quotient = match DOUBLE.is_normal(a) && DOUBLE.is_normal(b) {
        true => {
            let scale = DOUBLE.exponent(a) - DOUBLE.exponent(b) - 1 - 3 * DOUBLE.digits as i32;
            let magnitude = scaled(digits as f64, scale);
            let is_negative = (a ^ b) >> 63 != 0;
            if is_negative { -magnitude } else { magnitude }
        }
        // Zeros, infinities, and what is no number.
        false => f64::from_bits(a) / f64::from_bits(b),
    };
    quotient.to_bits()
}

/// The quotients of 32 bits of the digits.
pub fn fnorms32(a: u64, b: u64, digits: u64) -> u64 {
    let (a, b, digits) = (parts32(a), parts32(b), parts32(digits));
    of_parts32([0, 1].map(|part| {
        let (a, b) = (a[part], b[part]);
        let quotient = match SINGLE.is_normal(a.into()) && SINGLE.is_normal(b.into()) {
            true => {
                let exponents = SINGLE.exponent(a.into()) - SINGLE.exponent(b.into());
                let scale = exponents - 1 - 3 * SINGLE.digits as i32;
                // Exact in 64 bits, so that it is rounded once.
                let magnitude = scaled(f64::from(digits[part]), scale) as f32;
                let is_negative = (a ^ b) >> 31 != 0;
                if is_negative { -magnitude } else { magnitude }
            }
            false => f32::from_bits(a) / f32::from_bits(b),
        };
        quotient.to_bits()
    }))
}

/// `number * 2^exponent`, in two steps since the power may have no bits of its own.
fn scaled(number: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    number * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> impl Iterator<Item = u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        (0..20_000).map(move |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    }

    #[test]
    fn three_steps_give_the_quotient() {
        let near_one = |word: u64| word & !(0x7ff << 52) | (1023 + (word >> 40 & 63)) << 52;
        let pairs = numbers().zip(numbers().skip(7));
        for (a, b) in pairs.map(|(a, b)| (near_one(a), near_one(b))) {
            let (q, r) = fsrt8d(a, b, 0);
            let (q, r) = fsrt8d(q, b, r);
            let (q, _) = fsrt8d(q, b, r);
            let expected = f64::from_bits(a) / f64::from_bits(b);
            assert_eq!(f64::from_bits(fnormd(a, b, q)), expected, "{a:x} {b:x}");
        }
    }

    #[test]
    fn special_operands_have_the_quotients_of_ieee_754() {
        let special = [0.0, -0.0, f64::INFINITY, -f64::INFINITY, 1.0, 6.0, 1e300];
        for (a, b) in special.iter().flat_map(|a| special.map(|b| (*a, b))) {
            let (x, y) = (a.to_bits(), b.to_bits());
            let (q, r) = fsrt8d(x, y, 0);
            let (q, r) = fsrt8d(q, y, r);
            let (q, _) = fsrt8d(q, y, r);
            let quotient = f64::from_bits(fnormd(x, y, q));
            assert!(
                quotient == a / b || (a / b).is_nan() && quotient.is_nan(),
                "{a} {b}"
            );
        }
    }

    #[test]
    fn two_steps_are_not_enough() {
        let (a, b) = (1.0f64.to_bits(), 3.0f64.to_bits());
        let (q, r) = fsrt8d(a, b, 0);
        let (q, _) = fsrt8d(q, b, r);
        assert_ne!(f64::from_bits(fnormd(a, b, q)), 1.0 / 3.0);
    }

    #[test]
    fn three_steps_give_both_quotients_of_32_bits() {
        let near_one = |word: u64| {
            let clear = word & !(0xff << 23 | 0xff << 55);
            clear | (127 + (word & 15)) << 23 | (120 + (word >> 33 & 15)) << 55
        };
        let pairs = numbers().zip(numbers().skip(3));
        for (a, b) in pairs.map(|(a, b)| (near_one(a), near_one(b))) {
            let (q, r) = fsrt8s32(a, b, 0);
            let (q, r) = fsrt8s32(q, b, r);
            let (q, _) = fsrt8s32(q, b, r);
            let quotients = parts32(fnorms32(a, b, q));
            for (part, quotient) in quotients.into_iter().enumerate() {
                let [x, y] = [a, b].map(|word| f32::from_bits(parts32(word)[part]));
                assert_eq!(f32::from_bits(quotient), x / y);
            }
        }
    }
}
