//! Whole numbers: sums, products, comparisons, logic, shifts and bits. Shift amounts, subtrahends and bit
//! numbers are the first operand.

use super::{both32, each32, parts32};

macro_rules! two {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name($a: u64, $b: u64) -> u64 { $result })*
    };
}

macro_rules! two32 {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name(a: u64, b: u64) -> u64 { both32(a, b, |$a, $b| $result) })*
    };
}

macro_rules! one {
    ($($(#[$doc:meta])* $name:ident($a:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name($a: u64) -> u64 { $result })*
    };
}

two! {
    /// Sum.
    add(a, b) = a.wrapping_add(b);
    /// Sum.
    addu(a, b) = a.wrapping_add(b);
    /// The second operand less the first.
    sub(a, b) = b.wrapping_sub(a);
    /// The second operand less the first.
    subu(a, b) = b.wrapping_sub(a);
    /// The low word of the product.
    mulis(a, b) = a.wrapping_mul(b);
    /// The low word of the product.
    muliu(a, b) = a.wrapping_mul(b);
    /// The low word of the product.
    mulisu(a, b) = a.wrapping_mul(b);
    /// The larger number.
    max(a, b) = (a as i64).max(b as i64) as u64;
    /// The larger number without sign.
    maxu(a, b) = a.max(b);
    /// The smaller number.
    min(a, b) = (a as i64).min(b as i64) as u64;
    /// The smaller number without sign.
    minu(a, b) = a.min(b);
    /// Whether both are equal.
    eq(a, b) = (a == b).into();
    /// Whether the first is less.
    lt(a, b) = ((a as i64) < b as i64).into();
    /// Whether the first is less, without sign.
    ltu(a, b) = (a < b).into();
    /// Bits of both.
    and(a, b) = a & b;
    /// Bits of either.
    or(a, b) = a | b;
    /// Bits of one of them.
    xor(a, b) = a ^ b;
    /// Shift to the left by the first operand.
    shfll(a, b) = b.checked_shl(amount(a)).unwrap_or(0);
    /// Logical shift to the right by the first operand.
    shflr(a, b) = b.checked_shr(amount(a)).unwrap_or(0);
    /// Arithmetic shift to the right by the first operand.
    shfar(a, b) = ((b as i64) >> amount(a).min(63)) as u64;
    /// Clears a bit.
    bclr(a, b) = b & !(1 << (a & 63));
    /// Sets a bit.
    bset(a, b) = b | 1 << (a & 63);
    /// Inverts a bit.
    bex(a, b) = b ^ 1 << (a & 63);
    /// A bit.
    btst(a, b) = b >> (a & 63) & 1;
    /// A field with sign: shifted to the left by bits 6 to 11 of the first operand, then to the right by
    /// bits 0 to 5.
    bext(a, b) = (((b << (a >> 6 & 63)) as i64) >> (a & 63)) as u64;
    /// A field without sign.
    bextu(a, b) = (b << (a >> 6 & 63)) >> (a & 63);
    /// A step of a division without sign: the second operand less the first with a one behind it, or, if
    /// that is negative, the second operand with a zero behind it.
    subc(a, b) = match b >= a {
        true => (b - a) << 1 | 1,
        false => b << 1,
    };
}

two32! {
    /// Sums of 32 bits.
    add32(a, b) = a.wrapping_add(b);
    /// Sums of 32 bits.
    addu32(a, b) = a.wrapping_add(b);
    /// Differences of 32 bits.
    sub32(a, b) = b.wrapping_sub(a);
    /// Differences of 32 bits.
    subu32(a, b) = b.wrapping_sub(a);
    /// Products of 32 bits.
    mulis32(a, b) = a.wrapping_mul(b);
    /// Products of 32 bits.
    muliu32(a, b) = a.wrapping_mul(b);
    /// Products of 32 bits.
    mulisu32(a, b) = a.wrapping_mul(b);
    /// The larger numbers of 32 bits.
    max32(a, b) = (a as i32).max(b as i32) as u32;
    /// The larger numbers of 32 bits without sign.
    maxu32(a, b) = a.max(b);
    /// The smaller numbers of 32 bits.
    min32(a, b) = (a as i32).min(b as i32) as u32;
    /// The smaller numbers of 32 bits without sign.
    minu32(a, b) = a.min(b);
    /// Whether parts are equal.
    eq32(a, b) = (a == b).into();
    /// Whether the first is less.
    lt32(a, b) = ((a as i32) < b as i32).into();
    /// Whether the first is less, without sign.
    ltu32(a, b) = (a < b).into();
    /// Shifts of 32 bits.
    shfll32(a, b) = b.checked_shl(amount(a.into())).unwrap_or(0);
    /// Shifts of 32 bits.
    shflr32(a, b) = b.checked_shr(amount(a.into())).unwrap_or(0);
    /// Shifts of 32 bits.
    shfar32(a, b) = ((b as i32) >> amount(a.into()).min(31)) as u32;
    /// Clears bits.
    bclr32(a, b) = b & !(1 << (a & 31));
    /// Sets bits.
    bset32(a, b) = b | 1 << (a & 31);
    /// Inverts bits.
    bex32(a, b) = b ^ 1 << (a & 31);
    /// Bits.
    btst32(a, b) = b >> (a & 31) & 1;
    /// Fields with sign, shifted as `bext` does; the amounts have five bits.
    bext32(a, b) = (((b << (a >> 5 & 31)) as i32) >> (a & 31)) as u32;
    /// Fields without sign.
    bext32u(a, b) = (b << (a >> 5 & 31)) >> (a & 31);
    /// Steps of divisions, as `subc`.
    subc32(a, b) = match b >= a {
        true => (b - a) << 1 | 1,
        false => b << 1,
    };
}

one! {
    /// The number with the other sign.
    neg(a) = a.wrapping_neg();
    /// Numbers of 32 bits with the other sign.
    neg32(a) = each32(a, u32::wrapping_neg);
    /// The number without its sign.
    abs(a) = (a as i64).wrapping_abs() as u64;
    /// Numbers of 32 bits without their sign.
    abs32(a) = each32(a, |part| (part as i32).wrapping_abs() as u32);
    /// Inverted bits.
    not(a) = !a;
    /// Leading zeros.
    lzd(a) = a.leading_zeros().into();
    /// Leading zeros of parts.
    lzd32(a) = each32(a, u32::leading_zeros);
}

/// The amount of a shift: amounts of 64 and more shift everything out.
fn amount(a: u64) -> u32 {
    a.min(64) as u32
}

/// A factor of 32 bits.
#[derive(Clone, Copy)]
enum Factor {
    Signed,
    Unsigned,
}

/// The product of the low parts, in 64 bits.
fn product(a: u64, b: u64, of_a: Factor, of_b: Factor) -> u64 {
    let extend = |word: u64, factor| match factor {
        Factor::Signed => i64::from(word as i32) as u64,
        Factor::Unsigned => u64::from(word as u32),
    };
    extend(a, of_a).wrapping_mul(extend(b, of_b))
}

macro_rules! products {
    ($($add:ident $subtract:ident $a:ident $b:ident;)*) => {$(
        /// The third operand plus the product of the low 32 bits of the others.
        pub fn $add(a: u64, b: u64, c: u64) -> u64 {
            c.wrapping_add(product(a, b, Factor::$a, Factor::$b))
        }
        /// The third operand less the product of the low 32 bits of the others.
        pub fn $subtract(a: u64, b: u64, c: u64) -> u64 {
            c.wrapping_sub(product(a, b, Factor::$a, Factor::$b))
        }
    )*};
}

products! {
    mulaus32t mulbus32t Unsigned Signed;
    mulasu32t mulbsu32t Signed Unsigned;
    mulau32t mulbu32t Unsigned Unsigned;
    mulas32t mulbs32t Signed Signed;
}

/// Whether a sum of two numbers with sign has too many bits: its sign is that of the first operand then.
pub fn overflow_of_sum(a: u64, b: u64) -> Option<i64> {
    let (a, b) = (a as i64, b as i64);
    a.checked_add(b).is_none().then_some(a)
}

/// The same of 32-bit parts.
pub fn overflow_of_sum32(a: u64, b: u64) -> [Option<i32>; 2] {
    let ([a0, a1], [b0, b1]) = (parts32(a), parts32(b));
    [(a0, b0), (a1, b1)].map(|(a, b)| {
        let (a, b) = (a as i32, b as i32);
        a.checked_add(b).is_none().then_some(a)
    })
}
