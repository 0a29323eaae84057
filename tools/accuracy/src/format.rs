//! The floating-point types of OpenCL C, and errors measured in their units in the last
//! place (section 7.4).

use half::f16;
use rug::Float;

/// A floating-point type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `half`
    Half,
    /// `float`
    Single,
    /// `double`
    Double,
}

/// A rounding mode of section 6.2.3.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest value, `_rte`.
    Nearest,
    /// Towards zero, `_rtz`.
    Zero,
    /// Towards positive infinity, `_rtp`.
    Up,
    /// Towards negative infinity, `_rtn`.
    Down,
}

impl Format {
    /// The type's name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Single => "float",
            Self::Double => "double",
        }
    }

    /// Bytes of a value.
    pub fn bytes(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// Bits of a significand, including the implicit one.
    pub fn precision(self) -> u32 {
        match self {
            Self::Half => 11,
            Self::Single => 24,
            Self::Double => 53,
        }
    }

    /// Exponent of the largest values, whose significand is in [1, 2).
    pub fn largest_exponent(self) -> i32 {
        match self {
            Self::Half => 15,
            Self::Single => 127,
            Self::Double => 1023,
        }
    }

    /// Exponent of the smallest normal value.
    pub fn smallest_exponent(self) -> i32 {
        1 - self.largest_exponent()
    }

    /// Exponent of the smallest denormal, the distance of all denormals.
    pub fn denormal_exponent(self) -> i32 {
        self.smallest_exponent() - self.precision() as i32 + 1
    }

    /// The largest finite value.
    pub fn largest(self) -> f64 {
        match self {
            Self::Half => f64::from(f16::MAX),
            Self::Single => f64::from(f32::MAX),
            Self::Double => f64::MAX,
        }
    }

    /// The value of a bit pattern.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Self::Half => f64::from(f16::from_bits(bits as u16)),
            Self::Single => f64::from(f32::from_bits(bits as u32)),
            Self::Double => f64::from_bits(bits),
        }
    }

    /// The bit pattern of the value nearest `value`.
    pub fn bits(self, value: f64) -> u64 {
        match self {
            Self::Half => u64::from(f16::from_f64(value).to_bits()),
            Self::Single => u64::from((value as f32).to_bits()),
            Self::Double => value.to_bits(),
        }
    }

    /// The value nearest `value`.
    pub fn nearest(self, value: f64) -> f64 {
        self.value(self.bits(value))
    }

    /// The value `steps` units in the last place further from zero.
    pub fn step(self, value: f64, steps: i64) -> f64 {
        let bits = self.bits(value);
        let sign = bits & self.sign();
        let magnitude = (bits ^ sign) as i64 + steps;
        let infinite = self.bits(f64::INFINITY) as i64;
        self.value(magnitude.clamp(0, infinite) as u64 | sign)
    }

    /// The bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (8 * self.bytes() - 1)
    }

    /// Rounds to a value of the type; `Nearest` is to even, as in arithmetic.
    pub fn round(self, exact: &Float, rounding: Rounding) -> f64 {
        if !exact.is_finite() || exact.is_zero() {
            return exact.to_f64();
        }
        let lowest = self.last_place(exact);
        let scaled = Float::with_val(exact.prec(), exact >> lowest);
        let precision = exact.prec().max(64);
        let integral = match rounding {
            Rounding::Nearest => Float::with_val(precision, scaled.round_even_ref()),
            Rounding::Zero => Float::with_val(precision, scaled.trunc_ref()),
            Rounding::Up => Float::with_val(precision, scaled.ceil_ref()),
            Rounding::Down => Float::with_val(precision, scaled.floor_ref()),
        };
        let value = Float::with_val(precision, integral << lowest).to_f64();
        let negative = exact.is_sign_negative();
        let magnitude = if value.abs() > self.largest() {
            let stays = match rounding {
                Rounding::Nearest => false,
                Rounding::Zero => true,
                Rounding::Up => negative,
                Rounding::Down => !negative,
            };
            if stays { self.largest() } else { f64::INFINITY }
        } else {
            value.abs()
        };
        magnitude.copysign(if negative { -1.0 } else { 1.0 })
    }

    /// Exponent of the unit in the last place of values near `exact`, finite, not zero.
    fn last_place(self, exact: &Float) -> i32 {
        // MPFR's significands are in [1/2, 1).
        let exponent = exact.get_exp().unwrap_or(i32::MIN / 2) - 1;
        (exponent - self.precision() as i32 + 1).max(self.denormal_exponent())
    }

    /// Error of `result` in units in the last place (the definition of section 7.4).
    /// Infinite where `exact` is a NaN, an infinity or a zero and `result` is not that.
    pub fn error(self, result: f64, exact: &Float) -> f64 {
        if exact.is_nan() || result.is_nan() {
            return if exact.is_nan() && result.is_nan() {
                0.0
            } else {
                f64::INFINITY
            };
        }
        if exact.is_infinite() {
            return if result == exact.to_f64() {
                0.0
            } else {
                f64::INFINITY
            };
        }
        if exact.is_zero() {
            let same = result == 0.0 && result.is_sign_negative() == exact.is_sign_negative();
            return if same { 0.0 } else { f64::INFINITY };
        }
        let precision = exact.prec().max(64) + 64;
        // Infinity counts as the first power of two that is too large.
        let beyond = Float::with_val(precision, 1) << (self.largest_exponent() + 1);
        let mut exact = Float::with_val(precision, exact);
        if *exact.as_abs() > beyond {
            let negative = exact.is_sign_negative();
            exact = if negative {
                -beyond.clone()
            } else {
                beyond.clone()
            };
        }
        let result = if result.is_infinite() {
            if result < 0.0 { -beyond } else { beyond }
        } else {
            Float::with_val(precision, result)
        };
        let mut place = self.last_place(&exact);
        // A power of two that is itself a value: the distance to the value below.
        let power = Float::with_val(precision, 1) << (exact.get_exp().unwrap_or(0) - 1);
        if *exact.as_abs() == power && place > self.denormal_exponent() {
            place -= 1;
        }
        let difference = Float::with_val(precision, result - exact) >> place;
        difference.to_f64().abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Float {
        Float::with_val(200, value)
    }

    #[test]
    fn rounding_is_that_of_the_hosts_arithmetic() {
        for (a, b) in [
            (1.0f32, 3.0f32),
            (1e-38, 7.0),
            (3e38, 0.3),
            (1e-45, 2.0),
            (-1e-45, 3.0),
        ] {
            let quotient = exact(f64::from(a)) / exact(f64::from(b));
            let rounded = Format::Single.round(&quotient, Rounding::Nearest);
            assert_eq!(rounded.to_bits(), f64::from(a / b).to_bits(), "{a} / {b}");
        }
        let half = |value: f64, rounding| Format::Half.round(&exact(value), rounding);
        assert_eq!(half(65519.0, Rounding::Nearest), 65504.0);
        assert_eq!(half(65520.0, Rounding::Nearest), f64::INFINITY);
        assert_eq!(half(65536.0, Rounding::Zero), 65504.0);
        assert_eq!(half(-65536.0, Rounding::Up), -65504.0);
        assert_eq!(half(-65505.0, Rounding::Down), f64::NEG_INFINITY);
        let smallest = exact(f64::MIN_POSITIVE) >> 52;
        assert_eq!(Format::Double.round(&smallest, Rounding::Nearest), 5e-324);
    }

    #[test]
    fn errors_are_in_units_of_the_last_place() {
        let single = Format::Single;
        let third = exact(1.0) / exact(3.0);
        let nearest = f64::from(1.0f32 / 3.0);
        assert!(single.error(nearest, &third) <= 0.5);
        let next = single.step(nearest, 3);
        assert!((2.5..=3.5).contains(&single.error(next, &third)));
        // Below a power of two the values are half as far apart.
        assert_eq!(single.error(single.step(1.0, 1), &exact(1.0)), 2.0);
        assert_eq!(single.error(single.step(1.0, -1), &exact(1.0)), 1.0);
        assert_eq!(single.error(0.0, &(exact(1.0) >> 150)), 0.5);
    }

    #[test]
    fn infinity_is_the_first_power_of_two_that_is_too_large() {
        let single = Format::Single;
        assert_eq!(single.error(f64::INFINITY, &(exact(1.0) << 128)), 0.0);
        assert_eq!(single.error(f64::INFINITY, &(exact(1.0) << 500)), 0.0);
        assert_eq!(
            single.error(f64::INFINITY, &exact(f64::from(f32::MAX))),
            1.0
        );
        assert_eq!(single.error(f64::from(f32::MAX), &(exact(1.0) << 128)), 1.0);
    }

    #[test]
    fn special_values_must_be_met() {
        let single = Format::Single;
        assert_eq!(single.error(-0.0, &exact(0.0)), f64::INFINITY);
        assert_eq!(single.error(1e-45, &exact(0.0)), f64::INFINITY);
        assert_eq!(single.error(f64::NAN, &exact(f64::NAN)), 0.0);
        assert_eq!(single.error(1.0, &exact(f64::NAN)), f64::INFINITY);
        assert_eq!(single.error(f64::MAX, &exact(f64::INFINITY)), f64::INFINITY);
    }
}
