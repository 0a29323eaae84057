//! Scalar types of OpenCL C and exact numbers: the value of an element, and the result of rounding
//! a number to a type. All computations use integers, so that they do not depend on the host's
//! rounding.

use anyhow::Result;
use harness::feature::{DOUBLES, HALVES};
use harness::session::Session;

/// The representation of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two's complement.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// IEEE 754: number of bits of the significand, and the exponents of its last bit in the
    /// smallest and in the largest number.
    Floating {
        precision: u32,
        least: i32,
        largest: i32,
    },
}

/// The type of a scalar, or of a vector's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The type's name in OpenCL C.
    pub name: &'static str,
    /// Size in bytes.
    pub bytes: usize,
    /// The representation.
    pub kind: Kind,
}

const fn signed(name: &'static str, bytes: usize) -> Element {
    let kind = Kind::Signed;
    Element { name, bytes, kind }
}

const fn unsigned(name: &'static str, bytes: usize) -> Element {
    let kind = Kind::Unsigned;
    Element { name, bytes, kind }
}

const fn floating(name: &'static str, bytes: usize, precision: u32, largest: i32) -> Element {
    // The smallest numbers are as far below 1 as the largest are above it.
    let least = 3 - 2 * precision as i32 - largest;
    let kind = Kind::Floating {
        precision,
        least,
        largest,
    };
    Element { name, bytes, kind }
}

pub const CHAR: Element = signed("char", 1);
pub const UCHAR: Element = unsigned("uchar", 1);
pub const SHORT: Element = signed("short", 2);
pub const USHORT: Element = unsigned("ushort", 2);
pub const INT: Element = signed("int", 4);
pub const UINT: Element = unsigned("uint", 4);
pub const LONG: Element = signed("long", 8);
pub const ULONG: Element = unsigned("ulong", 8);
pub const HALF: Element = floating("half", 2, 11, 5);
pub const FLOAT: Element = floating("float", 4, 24, 104);
pub const DOUBLE: Element = floating("double", 8, 53, 971);

/// All integer types.
pub const INTEGERS: [Element; 8] = [CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG];

/// Numbers of elements of vectors; 1 is a scalar.
pub const WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// `float`, and `half` and `double` if the device supports them.
///
/// # Errors
/// A query fails.
pub fn floats(session: &Session) -> Result<Vec<Element>> {
    let mut floats = vec![FLOAT];
    if session.has(HALVES)? {
        floats.push(HALF);
    }
    if session.has(DOUBLES)? {
        floats.push(DOUBLE);
    }
    Ok(floats)
}

/// All scalar types of the device.
///
/// # Errors
/// A query fails.
pub fn all(session: &Session) -> Result<Vec<Element>> {
    Ok([&INTEGERS[..], &floats(session)?].concat())
}

/// The rounding modes (section 6.2.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `_rte`: to the nearest, ties to even.
    NearestEven,
    /// `_rtz`.
    Zero,
    /// `_rtp`.
    Up,
    /// `_rtn`.
    Down,
}

/// The numerical value of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Not a number.
    Nan,
    /// One of the infinities.
    Infinity { negative: bool },
    /// `digits * 2^exponent`, negated if `negative`. Zeros have signs.
    Finite {
        negative: bool,
        digits: u128,
        exponent: i32,
    },
}

impl Number {
    /// The exact value of an integer.
    pub fn integer(value: i128) -> Self {
        Self::Finite {
            negative: value < 0,
            digits: value.unsigned_abs(),
            exponent: 0,
        }
    }

    /// `digits * 2^-shift`, rounded to an integer. A value that is too large for all types stays
    /// too large, but is not exact.
    fn shifted(negative: bool, digits: u128, shift: i32, rounding: Rounding) -> u128 {
        if digits == 0 {
            return 0;
        }
        if shift <= 0 {
            let room = digits.leading_zeros() as i32;
            return if -shift < room {
                digits << -shift
            } else {
                u128::MAX
            };
        }
        let (whole, rest, half) = if shift < 127 {
            let whole = digits >> shift;
            (whole, digits - (whole << shift), 1 << (shift - 1))
        } else {
            (0, 1, 2)
        };
        let up = match rounding {
            Rounding::NearestEven => rest > half || (rest == half && whole % 2 == 1),
            Rounding::Zero => false,
            Rounding::Up => rest > 0 && !negative,
            Rounding::Down => rest > 0 && negative,
        };
        whole + u128::from(up)
    }

    /// The number rounded to an integer; a value beyond all types if it is too large, and `None`
    /// for NaN.
    pub fn rounded(self, rounding: Rounding) -> Option<i128> {
        let (negative, size) = match self {
            Self::Nan => return None,
            Self::Infinity { negative } => (negative, u128::MAX),
            Self::Finite {
                negative,
                digits,
                exponent,
            } => (
                negative,
                Self::shifted(negative, digits, -exponent, rounding),
            ),
        };
        let size = i128::try_from(size).unwrap_or(i128::MAX);
        Some(if negative { -size } else { size })
    }
}

impl Element {
    /// Number of bits.
    pub fn bits(self) -> u32 {
        8 * self.bytes as u32
    }

    /// The bits of an element of this type.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The sign bit.
    pub fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// Whether the type is half, float or double.
    pub fn is_floating(self) -> bool {
        matches!(self.kind, Kind::Floating { .. })
    }

    /// The name of a vector type with this number of elements.
    pub fn vector(self, width: usize) -> String {
        match width {
            1 => self.name.to_owned(),
            _ => format!("{}{width}", self.name),
        }
    }

    /// The integer type of the same size.
    pub fn integer(self, kind: Kind) -> Self {
        let all = INTEGERS.iter();
        *all.clone()
            .find(|other| other.bytes == self.bytes && other.kind == kind)
            .expect("there is one of each size")
    }

    /// The signed integer type of the same size.
    pub fn signed(self) -> Self {
        self.integer(Kind::Signed)
    }

    /// The unsigned integer type of the same size.
    pub fn unsigned(self) -> Self {
        self.integer(Kind::Unsigned)
    }

    /// Smallest and largest integer.
    pub fn range(self) -> [i128; 2] {
        match self.kind {
            Kind::Signed => [-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1],
            _ => [0, (1 << self.bits()) - 1],
        }
    }

    /// The value of an integer.
    pub fn value(self, bits: u64) -> i128 {
        let negative = self.kind == Kind::Signed && bits & self.sign() != 0;
        i128::from(bits) - if negative { 1 << self.bits() } else { 0 }
    }

    /// The low bits of an integer.
    pub fn wrap(self, value: i128) -> u64 {
        value as u64 & self.mask()
    }

    /// The nearest integer of the type.
    pub fn saturate(self, value: i128) -> u64 {
        let [low, high] = self.range();
        self.wrap(value.clamp(low, high))
    }

    /// Precision, smallest and largest exponent of a floating-point type.
    pub fn format(self) -> (u32, i32, i32) {
        match self.kind {
            Kind::Floating {
                precision,
                least,
                largest,
            } => (precision, least, largest),
            _ => panic!("{} has no exponents", self.name),
        }
    }

    /// An infinity.
    pub fn infinity(self, negative: bool) -> u64 {
        let (precision, ..) = self.format();
        let exponent = (self.sign() - 1) >> (precision - 1) << (precision - 1);
        if negative {
            exponent | self.sign()
        } else {
            exponent
        }
    }

    /// Whether the bits are those of a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity(false)
    }

    /// Whether the bits are those of a denormal number.
    pub fn is_denormal(self, bits: u64) -> bool {
        let (precision, ..) = self.format();
        (1..1 << (precision - 1)).contains(&(bits & (self.sign() - 1)))
    }

    /// The numerical value of an element with these bits.
    pub fn number(self, bits: u64) -> Number {
        let Kind::Floating {
            precision, least, ..
        } = self.kind
        else {
            return Number::integer(self.value(bits));
        };
        let negative = bits & self.sign() != 0;
        let size = bits & (self.sign() - 1);
        if self.is_nan(bits) {
            return Number::Nan;
        }
        if size == self.infinity(false) {
            return Number::Infinity { negative };
        }
        let leading = 1 << (precision - 1);
        let (exponent, digits) = match size >> (precision - 1) {
            0 => (least, size),
            biased => (least + biased as i32 - 1, size % leading + leading),
        };
        Number::Finite {
            negative,
            digits: digits.into(),
            exponent,
        }
    }

    /// A number rounded to this floating-point type; `None` for NaN, which has many
    /// representations.
    pub fn round(self, number: Number, rounding: Rounding) -> Option<u64> {
        let (precision, least, largest) = self.format();
        let (negative, digits, exponent) = match number {
            Number::Nan => return None,
            Number::Infinity { negative } => return Some(self.infinity(negative)),
            Number::Finite {
                negative,
                digits,
                exponent,
            } => (negative, digits, exponent),
        };
        let sign = if negative { self.sign() } else { 0 };
        if digits == 0 {
            return Some(sign);
        }
        let length = 128 - digits.leading_zeros() as i32;
        let last = (exponent + length - precision as i32).max(least);
        let size = Number::shifted(negative, digits, last - exponent, rounding) as u64;
        // A carry out of the significand increments the exponent.
        let leading = 1 << (precision - 1);
        let bits = if size < leading {
            size
        } else {
            (((last - least + 1) as u64) << (precision - 1)) + (size - leading)
        };
        let overflow = last > largest || bits >= self.infinity(false);
        let to_infinity = match rounding {
            Rounding::NearestEven => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        Some(
            sign | match (overflow, to_infinity) {
                (false, _) => bits,
                (true, true) => self.infinity(false),
                (true, false) => self.infinity(false) - 1,
            },
        )
    }

    /// The exact value of a floating-point element as a double.
    pub fn double(self, bits: u64) -> f64 {
        match DOUBLE.round(self.number(bits), Rounding::NearestEven) {
            Some(bits) => f64::from_bits(bits),
            None => f64::NAN,
        }
    }

    /// The nearest element of a floating-point type; `None` for NaN.
    pub fn nearest(self, value: f64) -> Option<u64> {
        self.round(DOUBLE.number(value.to_bits()), Rounding::NearestEven)
    }

    /// The element's text in reports.
    pub fn show(self, bits: u64) -> String {
        if self.is_floating() {
            let value = self.double(bits);
            format!("{value:?} ({bits:#0width$x})", width = 2 + 2 * self.bytes)
        } else {
            self.value(bits).to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::random::Random;

    #[test]
    fn formats_are_those_of_the_host() {
        assert_eq!(FLOAT.format(), (24, -149, 104));
        assert_eq!(DOUBLE.format(), (53, -1074, 971));
        assert_eq!(HALF.format(), (11, -24, 5));
        for float in [0.0, -0.0, 1.5, f32::MAX, f32::MIN_POSITIVE, 1e-45, -3.25e7] {
            let bits = u64::from(float.to_bits());
            assert_eq!(
                FLOAT.double(bits).to_bits(),
                f64::from(float).to_bits(),
                "{float}"
            );
        }
        assert!(FLOAT.double(f32::NAN.to_bits().into()).is_nan());
        assert_eq!(HALF.double(0x7BFF), 65504.0);
        assert_eq!(HALF.double(0x8001), -(2f64.powi(-24)));
        assert_eq!(HALF.double(0x3C01), 1.0 + 2f64.powi(-10));
    }

    #[test]
    fn numbers_are_rounded_as_the_host_rounds() {
        let mut random = Random::new(1);
        for round in 0..100_000 {
            let bits = random.bits() >> (round % 60);
            let rte = Rounding::NearestEven;
            assert_eq!(
                FLOAT.round(ULONG.number(bits), rte),
                Some(u64::from((bits as f32).to_bits()))
            );
            assert_eq!(
                DOUBLE.round(LONG.number(bits), rte),
                Some((bits as i64 as f64).to_bits())
            );
            // Doubles about as large as floats are.
            let double = f64::from_bits(
                (random.bits() & !(0x7FF << 52)) | ((1023 - 152 + random.bits() % 284) << 52),
            );
            assert_eq!(
                FLOAT.nearest(double),
                Some(u64::from((double as f32).to_bits())),
                "{double:e}"
            );
            let whole = f64::from(f32::from_bits(random.word()));
            let number = DOUBLE.number(whole.to_bits());
            for element in INTEGERS {
                let got = number
                    .rounded(Rounding::Zero)
                    .map(|value| element.saturate(value));
                if element == INT {
                    let right = (!whole.is_nan()).then_some(u64::from(whole as i32 as u32));
                    assert_eq!(got, right);
                }
                if element == ULONG {
                    assert_eq!(got, (!whole.is_nan()).then_some(whole as u64));
                }
            }
        }
    }

    #[test]
    fn rounding_modes_differ() {
        let number = |value: f64| DOUBLE.number(value.to_bits());
        let modes = [
            Rounding::NearestEven,
            Rounding::Zero,
            Rounding::Up,
            Rounding::Down,
        ];
        for (value, right) in [
            (2.5, [2, 2, 3, 2]),
            (3.5, [4, 3, 4, 3]),
            (-2.5, [-2, -2, -2, -3]),
            (-0.75, [-1, 0, 0, -1]),
            (7.0, [7; 4]),
            (1e-300, [0, 0, 1, 0]),
        ] {
            let got = modes.map(|mode| number(value).rounded(mode));
            assert_eq!(got, right.map(Some), "{value}");
        }
        for (value, right) in [
            (65519.0, [0x7BFF, 0x7BFF, 0x7C00, 0x7BFF]),
            (65520.0, [0x7C00, 0x7BFF, 0x7C00, 0x7BFF]),
            (-1e9, [0xFC00, 0xFBFF, 0xFBFF, 0xFC00]),
            (1e-30, [0, 0, 1, 0]),
            (-1e-30, [0x8000, 0x8000, 0x8000, 0x8001]),
            (1.5 * 2f64.powi(-24), [2, 1, 2, 1]),
            (0.99999 * 2f64.powi(-14), [0x400, 0x3FF, 0x400, 0x3FF]),
        ] {
            let got = modes.map(|mode| HALF.round(number(value), mode));
            assert_eq!(got, right.map(Some), "{value}");
        }
        let nan = DOUBLE.number(f64::NAN.to_bits());
        assert_eq!(nan.rounded(Rounding::Zero), None);
        assert_eq!(HALF.round(nan, Rounding::Zero), None);
        assert_eq!(
            CHAR.saturate(number(-1e300).rounded(Rounding::Zero).unwrap()),
            0x80
        );
        assert_eq!(
            ULONG.saturate(number(1e300).rounded(Rounding::Zero).unwrap()),
            u64::MAX
        );
    }
}
