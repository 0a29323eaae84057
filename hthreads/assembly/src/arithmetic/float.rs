//! Floating point of 32 and 64 bits. Denormal numbers count as zero if the host's processor is set so.

use super::{both32, each32, of_parts32, parts32};

fn d(word: u64) -> f64 {
    f64::from_bits(word)
}

fn s(part: u32) -> f32 {
    f32::from_bits(part)
}

macro_rules! comparison {
    ($($(#[$doc:meta])* $name:ident $packed:ident($a:ident, $b:ident) = $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(a: u64, b: u64) -> u64 {
            let ($a, $b) = (d(a), d(b));
            ($result).into()
        }
        $(#[$doc])*
        pub fn $packed(a: u64, b: u64) -> u64 {
            both32(a, b, |a, b| {
                let ($a, $b) = (s(a), s(b));
                ($result).into()
            })
        }
    )*};
}

macro_rules! arithmetic {
    ($($(#[$doc:meta])* $name:ident $packed:ident($a:ident, $b:ident) = $result:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(a: u64, b: u64) -> u64 {
            let ($a, $b) = (d(a), d(b));
            f64::to_bits($result)
        }
        $(#[$doc])*
        pub fn $packed(a: u64, b: u64) -> u64 {
            both32(a, b, |a, b| {
                let ($a, $b) = (s(a), s(b));
                f32::to_bits($result)
            })
        }
    )*};
}

arithmetic! {
    /// Product.
    fmuld fmuls32(a, b) = a * b;
    /// Sum.
    faddd fadds32(a, b) = a + b;
    /// The second operand less the first.
    fsubd fsubs32(a, b) = b - a;
}

comparison! {
    /// Whether both are equal.
    fcmped fcmpes32(a, b) = a == b;
    /// Whether the first is greater.
    fcmpgd fcmpgs32(a, b) = a > b;
    /// Whether the first is less.
    fcmpld fcmpls32(a, b) = a < b;
}

/// Sum of the products of both parts, in the low part.
pub fn fdot32(a: u64, b: u64) -> u64 {
    let ([al, ah], [bl, bh]) = (parts32(a).map(s), parts32(b).map(s));
    of_parts32([ah.mul_add(bh, al * bl).to_bits(), 0])
}

/// The real part of a product of complex numbers, whose real part is the low one; in the low part.
pub fn fcreal32(a: u64, b: u64) -> u64 {
    let ([al, ah], [bl, bh]) = (parts32(a).map(s), parts32(b).map(s));
    of_parts32([(-ah).mul_add(bh, al * bl).to_bits(), 0])
}

/// The imaginary part of that product.
pub fn fcimag32(a: u64, b: u64) -> u64 {
    let ([al, ah], [bl, bh]) = (parts32(a).map(s), parts32(b).map(s));
    of_parts32([al.mul_add(bh, ah * bl).to_bits(), 0])
}

/// Without the sign.
pub fn fabsd(a: u64) -> u64 {
    a & !(1 << 63)
}

/// Parts without the sign.
pub fn fabss32(a: u64) -> u64 {
    each32(a, |part| part & !(1 << 31))
}

/// The field of the mantissa.
pub fn fmand(a: u64) -> u64 {
    a & ((1 << 52) - 1)
}

/// The fields of the mantissas.
pub fn fmans32(a: u64) -> u64 {
    each32(a, |part| part & ((1 << 23) - 1))
}

/// The field of the exponent.
pub fn flogd(a: u64) -> u64 {
    a >> 52 & 0x7ff
}

/// The fields of the exponents.
pub fn flogs32(a: u64) -> u64 {
    each32(a, |part| part >> 23 & 0xff)
}

/// The reciprocal. The machine's seed has fewer bits.
pub fn frcpd(a: u64) -> u64 {
    (1.0 / d(a)).to_bits()
}

/// Reciprocals of parts.
pub fn frcps32(a: u64) -> u64 {
    each32(a, |part| (1.0 / s(part)).to_bits())
}

/// The reciprocal of the square root. The machine's seed has fewer bits.
pub fn frsqd(a: u64) -> u64 {
    (1.0 / d(a).sqrt()).to_bits()
}

/// Those of parts.
pub fn frsqs32(a: u64) -> u64 {
    each32(a, |part| (1.0 / s(part).sqrt()).to_bits())
}
