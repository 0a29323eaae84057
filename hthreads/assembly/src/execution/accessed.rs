//! The bytes that loads and stores access, for environments that check them.

use super::decoded::DecodedInstruction;
use super::environment::{Access, Environment, Side};
use super::lanes::place;
use super::registers::Registers;
use crate::table::{Action, VectorLayout};

/// Whether an instruction may access bytes.
fn may(
    at: (usize, u32),
    one: &DecodedInstruction,
    base: u8,
    (side, address, bytes): (Side, u64, u64),
    registers: &Registers,
    environment: &mut impl Environment,
) -> bool {
    let access = Access {
        at,
        instruction: one.place,
        side,
        base,
        address,
        bytes,
        writes: matches!(one.action, Action::Store(_) | Action::VectorStore(_)),
    };
    environment.may_access(&access, registers)
}

/// Whether an instruction of the scalar unit may make its access, of a number of bytes at an address.
#[inline]
pub fn may_scalar(
    at: (usize, u32),
    one: &DecodedInstruction,
    base: u8,
    (address, bytes): (u64, u64),
    registers: &Registers,
    environment: &mut impl Environment,
) -> bool {
    !environment.is_checked() || {
        let accessed = (Side::Scalar, address, bytes);
        may(at, one, base, accessed, registers, environment)
    }
}

/// Whether an instruction of the vector unit may access its lanes of a mask.
#[inline]
pub fn may_vector(
    at: (usize, u32),
    one: &DecodedInstruction,
    base: u8,
    (address, lanes): (u64, (VectorLayout, u16)),
    registers: &Registers,
    environment: &mut impl Environment,
) -> bool {
    if !environment.is_checked() {
        return true;
    }
    let mut may_part = |offset, bytes| {
        let accessed = (Side::Vector, address.wrapping_add_signed(offset), bytes);
        may(at, one, base, accessed, registers, environment)
    };
    match lanes {
        // Most accesses are of all lanes.
        (VectorLayout::Word, 0xffff) => may_part(0, 128),
        (VectorLayout::Pair, 0xffff) => may_part(0, 256),
        // Each part is looked at, so that what is noted does not depend on others.
        (layout, mask) => parts(layout, mask)
            .into_iter()
            .fold(true, |all, (offset, bytes)| may_part(offset, bytes) && all),
    }
}

/// The bytes of the lanes of a mask, as offsets and sizes of parts without gaps, in order.
fn parts(layout: VectorLayout, mask: u16) -> Vec<(i64, u64)> {
    let lanes = (0..16usize).filter(|lane| mask >> lane & 1 != 0);
    let of_pair = || lanes.clone().flat_map(|lane| [(lane, 0), (lane, 1)]);
    let mut elements: Vec<(i64, u64)> = match layout {
        VectorLayout::Half { .. } => lanes.map(|lane| (4 * lane as i64, 4)).collect(),
        VectorLayout::Word => lanes.map(|lane| (8 * lane as i64, 8)).collect(),
        VectorLayout::InterleavedHalves { first } => of_pair()
            .flat_map(|(lane, register)| {
                [0, 1].map(|part| {
                    let number = 4 * (2 * lane + part) as i64 + i64::from(first) + register as i64;
                    (4 * number, 4)
                })
            })
            .collect(),
        layout => of_pair()
            .map(|(lane, register)| (8 * place(layout, register, lane), 8))
            .collect(),
    };
    elements.sort_unstable();
    let mut parts: Vec<(i64, u64)> = Vec::new();
    for (offset, bytes) in elements {
        match parts.last_mut() {
            Some((start, size)) if *start + *size as i64 == offset => *size += bytes,
            _ => parts.push((offset, bytes)),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_next_to_each_other_are_one_part() {
        let half = VectorLayout::Half { signed: false };
        assert_eq!(parts(VectorLayout::Word, 0xffff), [(0, 128)]);
        assert_eq!(parts(VectorLayout::Pair, 0xffff), [(0, 256)]);
        assert_eq!(parts(half, 0xffff), [(0, 64)]);
        assert_eq!(parts(half, 0), []);
        assert_eq!(parts(VectorLayout::Word, 0x000f), [(0, 32)]);
        assert_eq!(parts(VectorLayout::Word, 0x8003), [(0, 16), (120, 8)]);
        assert_eq!(parts(VectorLayout::Pair, 0x0001), [(0, 8), (128, 8)]);
    }

    #[test]
    fn lanes_with_gaps_are_parts_of_their_own() {
        let interleaved = |step, first| VectorLayout::Interleaved { step, first };
        assert_eq!(parts(interleaved(2, 0), 0xffff), [(0, 256)]);
        assert_eq!(parts(interleaved(4, -1), 0x0003), [(-8, 16), (24, 16)]);
        let other = parts(VectorLayout::EveryOther { first: 1 }, 0x0003);
        assert_eq!(other, [(8, 8), (24, 8), (264, 8), (280, 8)]);
        let halves = parts(VectorLayout::InterleavedHalves { first: 2 }, 0x0001);
        assert_eq!(halves, [(8, 8), (24, 8)]);
    }
}
