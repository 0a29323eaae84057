//! Loads and stores.

use super::accessed;
use super::decoded::DecodedInstruction;
use super::destination::{Destination, VectorDestination};
use super::environment::{Environment, Fault, Side};
use super::lanes::place;
use super::pending::Pending;
use super::registers::{Registers, Vector};
use crate::arithmetic::parts32;
use crate::operand::{Memory, Offset, Operand, Update};
use crate::table::{ScalarAccess, VectorLayout};

/// The address of an access, whose register is written after it if it says so.
fn address(memory: Memory, scale: u64, registers: &Registers, pending: &mut Pending) -> u64 {
    let base = registers.address[usize::from(memory.base & 15)];
    let elements = match memory.offset {
        Offset::Constant(number) => number.into(),
        Offset::Register(number) => registers.address[16 + usize::from(number & 15)],
    };
    let offset = elements.wrapping_mul(scale);
    let (used, after) = match memory.update {
        Update::Add => return base.wrapping_add(offset),
        Update::Subtract => return base.wrapping_sub(offset),
        Update::AddAfter => (base, base.wrapping_add(offset)),
        Update::SubtractAfter => (base, base.wrapping_sub(offset)),
    };
    pending.word(1, Destination::Address(memory.base), after);
    used
}

fn aligned(side: Side, address: u64, alignment: u64) -> Result<(), Fault> {
    match address.is_multiple_of(alignment) {
        true => Ok(()),
        false => Err(Fault::Misaligned(side, address)),
    }
}

/// A load of the scalar unit.
pub fn load(
    at: (usize, u32),
    access: ScalarAccess,
    one: &DecodedInstruction,
    registers: &Registers,
    pending: &mut Pending,
    environment: &mut impl Environment,
) -> Result<(), Fault> {
    let Operand::Memory(memory) = one.operands[0] else {
        return Err(Fault::Invalid);
    };
    let from = address(memory, access.scale(), registers, pending);
    aligned(Side::Scalar, from, access.alignment())?;
    let bytes = access.scale();
    let may = accessed::may_scalar(at, one, memory.base, (from, bytes), registers, environment);
    let mut word = |address, bytes| match may {
        true => environment.load(at, address, bytes),
        false => Ok(0),
    };
    match (access, one.operands[1]) {
        (ScalarAccess::Pair, Operand::ScalarPair(even)) => {
            let (low, high) = (word(from, 8)?, word(from.wrapping_add(8), 8)?);
            pending.word(one.latency, Destination::Scalar(even), low);
            pending.word(one.latency, Destination::Scalar(even + 1), high);
        }
        (access, Operand::Scalar(number)) => {
            let bytes = access.alignment();
            let value = word(from, bytes)?;
            let unused = 64 - 8 * bytes as u32;
            let value = match access {
                ScalarAccess::Byte { signed: true }
                | ScalarAccess::Bytes2 { signed: true }
                | ScalarAccess::Half { signed: true } => {
                    (((value << unused) as i64) >> unused) as u64
                }
                _ => value,
            };
            pending.word(one.latency, Destination::Scalar(number), value);
        }
        _ => return Err(Fault::Invalid),
    }
    Ok(())
}

/// A store of the scalar unit.
pub fn store(
    at: (usize, u32),
    access: ScalarAccess,
    one: &DecodedInstruction,
    registers: &Registers,
    pending: &mut Pending,
    environment: &mut impl Environment,
) -> Result<(), Fault> {
    let Operand::Memory(memory) = one.operands[1] else {
        return Err(Fault::Invalid);
    };
    let to = address(memory, access.scale(), registers, pending);
    aligned(Side::Scalar, to, access.alignment())?;
    let bytes = access.scale();
    if !accessed::may_scalar(at, one, memory.base, (to, bytes), registers, environment) {
        return Ok(());
    }
    let register = |number: u8| registers.scalar[usize::from(number & 63)];
    match one.operands[0] {
        Operand::ScalarPair(even) => {
            environment.store(at, to, 8, register(even))?;
            environment.store(at, to.wrapping_add(8), 8, register(even + 1))
        }
        Operand::Scalar(number) => environment.store(at, to, access.alignment(), register(number)),
        _ => Err(Fault::Invalid),
    }
}

/// A load of the vector unit, of the lanes of a mask.
pub fn load_vector(
    at: (usize, u32),
    layout: VectorLayout,
    one: &DecodedInstruction,
    mask: u16,
    registers: &Registers,
    pending: &mut Pending,
    environment: &mut impl Environment,
) -> Result<(), Fault> {
    let Operand::Memory(memory) = one.operands[0] else {
        return Err(Fault::Invalid);
    };
    let from = address(memory, layout.scale(), registers, pending);
    aligned(Side::Vector, from, layout.alignment())?;
    let lanes = (layout, mask);
    let may = accessed::may_vector(at, one, memory.base, (from, lanes), registers, environment);
    let mut write = |number, value: Vector| {
        let value = if may { value } else { Vector::ZERO };
        pending.vector(one.latency, VectorDestination::Vector(number), mask, &value);
    };
    match (layout, one.operands[1]) {
        (VectorLayout::Half { signed }, Operand::Vector(number)) => {
            let mut words = [0; 8];
            if from.is_multiple_of(8) {
                environment.load_vector(from, &mut words)?;
            } else {
                let mut around = [0; 9];
                environment.load_vector(from - 4, &mut around)?;
                for (place, word) in words.iter_mut().enumerate() {
                    *word = around[place] >> 32 | around[place + 1] << 32;
                }
            }
            let half = |lane: usize| parts32(words[lane / 2])[lane % 2];
            let value = |lane| match signed {
                true => i64::from(half(lane) as i32) as u64,
                false => half(lane).into(),
            };
            write(number, Vector(std::array::from_fn(value)));
        }
        (VectorLayout::Word, Operand::Vector(number)) => {
            let mut value = Vector::ZERO;
            environment.load_vector(from, &mut value.0)?;
            write(number, value);
        }
        (VectorLayout::Pair, Operand::VectorPair(even)) => {
            for register in 0..2 {
                let mut value = Vector::ZERO;
                environment
                    .load_vector(from.wrapping_add(128 * u64::from(register)), &mut value.0)?;
                write(even + register, value);
            }
        }
        (layout, Operand::VectorPair(even)) => {
            for register in 0..2u8 {
                let mut value = Vector::ZERO;
                for (lane, word) in value.0.iter_mut().enumerate() {
                    let place = place(layout, register.into(), lane);
                    environment.load_vector(
                        from.wrapping_add_signed(8 * place),
                        std::slice::from_mut(word),
                    )?;
                }
                write(even + register, value);
            }
        }
        _ => return Err(Fault::Invalid),
    }
    Ok(())
}

/// A store of the vector unit, of the lanes of a mask.
pub fn store_vector(
    at: (usize, u32),
    layout: VectorLayout,
    one: &DecodedInstruction,
    mask: u16,
    registers: &Registers,
    pending: &mut Pending,
    environment: &mut impl Environment,
) -> Result<(), Fault> {
    let Operand::Memory(memory) = one.operands[1] else {
        return Err(Fault::Invalid);
    };
    let to = address(memory, layout.scale(), registers, pending);
    aligned(Side::Vector, to, layout.alignment())?;
    let lanes = (layout, mask);
    if !accessed::may_vector(at, one, memory.base, (to, lanes), registers, environment) {
        return Ok(());
    }
    let register = |number: u8| &registers.vector[usize::from(number & 63)];
    let lanes = || (0..16usize).filter(|lane| mask >> lane & 1 != 0);
    match (layout, one.operands[0]) {
        (VectorLayout::Half { .. }, Operand::Vector(number)) => {
            for lane in lanes() {
                let [low, _] = parts32(register(number).0[lane]);
                environment.store_half(to.wrapping_add(4 * lane as u64), low)?;
            }
        }
        (VectorLayout::Word, Operand::Vector(number)) if mask == 0xffff => {
            environment.store_vector(to, &register(number).0)?;
        }
        (VectorLayout::Word, Operand::Vector(number)) => {
            for lane in lanes() {
                let word = &register(number).0[lane..=lane];
                environment.store_vector(to.wrapping_add(8 * lane as u64), word)?;
            }
        }
        (VectorLayout::Pair, Operand::VectorPair(even)) if mask == 0xffff => {
            environment.store_vector(to, &register(even).0)?;
            environment.store_vector(to.wrapping_add(128), &register(even + 1).0)?;
        }
        (VectorLayout::InterleavedHalves { first }, Operand::VectorPair(even)) => {
            for (number, lane) in
                (0..2u8).flat_map(|number| lanes().map(move |lane| (number, lane)))
            {
                let parts = parts32(register(even + number).0[lane]);
                for (part, half) in parts.into_iter().enumerate() {
                    let place = 4 * (2 * lane + part) as i64 + i64::from(first) + i64::from(number);
                    environment.store_half(to.wrapping_add_signed(4 * place), half)?;
                }
            }
        }
        (layout, Operand::VectorPair(even)) => {
            for (number, lane) in
                (0..2u8).flat_map(|number| lanes().map(move |lane| (number, lane)))
            {
                let word = &register(even + number).0[lane..=lane];
                let place = place(layout, number.into(), lane);
                environment.store_vector(to.wrapping_add_signed(8 * place), word)?;
            }
        }
        _ => return Err(Fault::Invalid),
    }
    Ok(())
}
