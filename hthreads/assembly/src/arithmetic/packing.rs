//! Parts of registers in new places.

use super::{of_parts16, of_parts32, parts16, parts32};

macro_rules! one {
    ($($(#[$doc:meta])* $name:ident($a:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name($a: u64) -> u64 { $result })*
    };
}

macro_rules! two {
    ($($(#[$doc:meta])* $name:ident($a:ident, $b:ident) = $result:expr;)*) => {
        $($(#[$doc])* pub fn $name($a: u64, $b: u64) -> u64 { $result })*
    };
}

two! {
    /// The low parts.
    bale2(a, b) = of_parts32([parts32(a)[0], parts32(b)[0]]);
    /// The high parts.
    bale2h(a, b) = of_parts32([parts32(a)[1], parts32(b)[1]]);
    /// The high part of the first operand, then the low one of the second.
    bale2lh(a, b) = of_parts32([parts32(a)[1], parts32(b)[0]]);
    /// The low part of the first operand, then the high one of the second.
    bale2hl(a, b) = of_parts32([parts32(a)[0], parts32(b)[1]]);
    /// The high 16 bits of all 32-bit parts.
    bale4h(a, b) = sixteen_of(a, b, 1);
    /// The low 16 bits of all 32-bit parts.
    bale4l(a, b) = sixteen_of(a, b, 0);
    /// Both numbers in 32 bits, the nearest ones if they have more.
    sbale2(a, b) = of_parts32([a, b].map(|word| {
        (word as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u32
    }));
    /// All parts in 16 bits, the nearest ones if they have more.
    sbale4(a, b) = {
        let ([al, ah], [bl, bh]) = (parts32(a), parts32(b));
        of_parts16([al, ah, bl, bh].map(|part| {
            (part as i32).clamp(i16::MIN.into(), i16::MAX.into()) as u16
        }))
    };
}

one! {
    /// The high 16-bit parts in 32 bits.
    ubale4h(a) = of_parts32([parts16(a)[2].into(), parts16(a)[3].into()]);
    /// The low 16-bit parts in 32 bits.
    ubale4l(a) = of_parts32([parts16(a)[0].into(), parts16(a)[1].into()]);
    /// Exchanged parts.
    itl2(a) = a.rotate_left(32);
    /// Exchanged 16-bit parts in the middle.
    itl4(a) = {
        let [first, second, third, fourth] = parts16(a);
        of_parts16([first, third, second, fourth])
    };
    /// The low part twice.
    fexts32l(a) = of_parts32([parts32(a)[0]; 2]);
    /// The high part twice.
    fexts32h(a) = of_parts32([parts32(a)[1]; 2]);
    /// 16-bit part 0 four times.
    fexth16ll(a) = of_parts16([parts16(a)[0]; 4]);
    /// 16-bit part 1 four times.
    fexth16lh(a) = of_parts16([parts16(a)[1]; 4]);
    /// 16-bit part 2 four times.
    fexth16hl(a) = of_parts16([parts16(a)[2]; 4]);
    /// 16-bit part 3 four times.
    fexth16hh(a) = of_parts16([parts16(a)[3]; 4]);
}

fn sixteen_of(a: u64, b: u64, half: usize) -> u64 {
    let (a, b) = (parts16(a), parts16(b));
    of_parts16([a[half], a[half + 2], b[half], b[half + 2]])
}
