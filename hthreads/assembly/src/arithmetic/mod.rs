//! What instructions compute, on one 64-bit register or lane. Functions have the names of mnemonics without
//! the first letter, and take the operands in the order in which they are written.

pub mod conversion;
pub mod division;
pub mod float;
pub mod fused;
pub mod half;
pub mod integer;
pub mod packing;

/// The 32-bit parts of a word, the low one first.
pub fn parts32(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// The word of 32-bit parts.
pub fn of_parts32(parts: [u32; 2]) -> u64 {
    u64::from(parts[0]) | u64::from(parts[1]) << 32
}

/// The 16-bit parts of a word, the lowest first.
pub fn parts16(word: u64) -> [u16; 4] {
    [0, 1, 2, 3].map(|part| (word >> (16 * part)) as u16)
}

/// The word of 16-bit parts.
pub fn of_parts16(parts: [u16; 4]) -> u64 {
    let words = parts.into_iter().rev();
    words.fold(0, |word, part| word << 16 | u64::from(part))
}

/// Applies a function to both 32-bit parts.
pub(crate) fn each32(a: u64, f: impl Fn(u32) -> u32) -> u64 {
    of_parts32(parts32(a).map(f))
}

/// Applies a function to the 32-bit parts of two words.
pub(crate) fn both32(a: u64, b: u64, f: impl Fn(u32, u32) -> u32) -> u64 {
    let ([a0, a1], [b0, b1]) = (parts32(a), parts32(b));
    of_parts32([f(a0, b0), f(a1, b1)])
}

/// Applies a function to the 32-bit parts of three words.
pub(crate) fn all32(a: u64, b: u64, c: u64, f: impl Fn(u32, u32, u32) -> u32) -> u64 {
    let ([a0, a1], [b0, b1], [c0, c1]) = (parts32(a), parts32(b), parts32(c));
    of_parts32([f(a0, b0, c0), f(a1, b1, c1)])
}
