//! Floating point of 16 bits: four numbers in a register. Sums and products are exact in 64 bits, so that
//! one rounding remains.

use super::{of_parts16, parts16};
use half::f16;

fn wide(part: u16) -> f64 {
    f16::from_bits(part).to_f64()
}

fn narrow(number: f64) -> u16 {
    f16::from_f64(number).to_bits()
}

fn two(a: u64, b: u64, f: impl Fn(f64, f64) -> u16) -> u64 {
    let (a, b) = (parts16(a), parts16(b));
    of_parts16([0, 1, 2, 3].map(|part| f(wide(a[part]), wide(b[part]))))
}

fn three(a: u64, b: u64, c: u64, f: impl Fn(f64, f64, f64) -> f64) -> u64 {
    let (a, b, c) = (parts16(a), parts16(b), parts16(c));
    of_parts16([0, 1, 2, 3].map(|part| narrow(f(wide(a[part]), wide(b[part]), wide(c[part])))))
}

fn each(a: u64, f: impl Fn(u16) -> u16) -> u64 {
    of_parts16(parts16(a).map(f))
}

/// Sums.
pub fn faddh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| narrow(a + b))
}

/// The second operand less the first.
pub fn fsubh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| narrow(b - a))
}

/// Products.
pub fn fmulh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| narrow(a * b))
}

/// `a * b + c`.
pub fn fmulah16(a: u64, b: u64, c: u64) -> u64 {
    three(a, b, c, |a, b, c| a * b + c)
}

/// `a * b - c`.
pub fn fmulbh16(a: u64, b: u64, c: u64) -> u64 {
    three(a, b, c, |a, b, c| a * b - c)
}

/// Whether parts are equal.
pub fn fcmpeh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| (a == b).into())
}

/// Whether the first is greater.
pub fn fcmpgh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| (a > b).into())
}

/// Whether the first is less.
pub fn fcmplh16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| (a < b).into())
}

/// The larger numbers; if one is not a number, the other.
pub fn fmax16(a: u64, b: u64) -> u64 {
    two(a, b, |a, b| narrow(a.max(b)))
}

/// To whole numbers, rounded to nearest even.
pub fn fhint16(a: u64) -> u64 {
    each(a, |part| wide(part).round_ties_even() as i16 as u16)
}

/// To whole numbers, toward zero.
pub fn fhtru16(a: u64) -> u64 {
    each(a, |part| wide(part) as i16 as u16)
}

/// From whole numbers.
pub fn finth16(a: u64) -> u64 {
    each(a, |part| narrow(f64::from(part as i16)))
}

/// From whole numbers without sign.
pub fn finthu16(a: u64) -> u64 {
    each(a, |part| narrow(f64::from(part)))
}

/// The fields of the mantissas.
pub fn fmanh16(a: u64) -> u64 {
    each(a, |part| part & 0x3ff)
}

/// The fields of the exponents.
pub fn flogh16(a: u64) -> u64 {
    each(a, |part| part >> 10 & 0x1f)
}

/// Without the signs.
pub fn fabsh16(a: u64) -> u64 {
    each(a, |part| part & 0x7fff)
}
