//! Conversions between numbers of 16, 32 and 64 bits.

use super::{each32, of_parts16, of_parts32, parts16, parts32};
use half::f16;

macro_rules! one {
    ($($(#[$doc:meta])* $name:ident($a:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name($a: u64) -> u64 { $result })*
    };
}

fn s(part: u32) -> f32 {
    f32::from_bits(part)
}

one! {
    /// To whole numbers, rounded to nearest even. Numbers that have too many bits become the nearest one.
    fdint(a) = f64::from_bits(a).round_ties_even() as i64 as u64;
    /// To whole numbers, toward zero.
    fdtru(a) = f64::from_bits(a) as i64 as u64;
    /// To whole numbers of 32 bits, rounded to nearest even.
    fsint32(a) = each32(a, |part| s(part).round_ties_even() as i32 as u32);
    /// To whole numbers of 32 bits, toward zero.
    fstru32(a) = each32(a, |part| s(part) as i32 as u32);
    /// From whole numbers.
    fintd(a) = (a as i64 as f64).to_bits();
    /// From whole numbers without sign.
    fintdu(a) = (a as f64).to_bits();
    /// From whole numbers of 32 bits.
    fints32(a) = each32(a, |part| (part as i32 as f32).to_bits());
    /// From whole numbers of 32 bits without sign.
    fintsu32(a) = each32(a, |part| (part as f32).to_bits());
    /// The low part to 64 bits.
    fspdp32t(a) = f64::from(s(parts32(a)[0])).to_bits();
    /// The high part to 64 bits.
    fsphdp32t(a) = f64::from(s(parts32(a)[1])).to_bits();
    /// The numbers in the low 16 bits of both parts, to 32 bits.
    fhpsp16l(a) = widened(a, 0);
    /// The numbers in the high 16 bits of both parts, to 32 bits.
    fhpsp16h(a) = widened(a, 1);
}

/// Halves `first` and `first + 2` in 32 bits.
fn widened(a: u64, first: usize) -> u64 {
    let parts = parts16(a);
    let wide = |part: u16| f16::from_bits(part).to_f32().to_bits();
    of_parts32([wide(parts[first]), wide(parts[first + 2])])
}

/// Two numbers of 64 bits to 32; the first one becomes the low part.
pub fn fdpsp32(a: u64, b: u64) -> u64 {
    of_parts32([a, b].map(|word| (f64::from_bits(word) as f32).to_bits()))
}

/// Four numbers of 32 bits to 16; those of the first operand become the low parts.
pub fn fsphp16(a: u64, b: u64) -> u64 {
    let ([al, ah], [bl, bh]) = (parts32(a), parts32(b));
    of_parts16([al, ah, bl, bh].map(|part| f16::from_f32(s(part)).to_bits()))
}
