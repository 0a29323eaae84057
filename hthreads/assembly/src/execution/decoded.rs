//! Programs with the addresses of symbols, ready to be executed.

use crate::latency;
use crate::operand::{Operand, Predicate};
use crate::program::Program;
use crate::table::Action;

/// An instruction.
#[derive(Clone, Debug)]
pub struct DecodedInstruction {
    /// What it does.
    pub action: Action,
    /// Whether it is of the vector unit.
    pub is_vector: bool,
    /// Cycles until its result can be used.
    pub latency: u8,
    /// Its condition.
    pub predicate: Option<Predicate>,
    /// Its operands, none of them a symbol; the unused ones are constants.
    pub operands: [Operand; 4],
    /// Number of operands.
    pub count: usize,
    /// Its place in its packet of the source.
    pub place: u8,
}

/// Instructions that are issued together.
#[derive(Clone, Debug)]
pub struct DecodedPacket {
    /// The instructions, stores last: all others read memory before it is written.
    pub instructions: Vec<DecodedInstruction>,
    /// Cycles that it takes.
    pub cycles: u32,
}

/// Where code is: addresses of packets are consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeAddresses {
    /// The address of packet 0.
    pub start: u64,
    /// Number of packets.
    pub packets: u32,
}

/// Why a program cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The address of a symbol is not known.
    #[error("no address of symbol '{0}'")]
    Symbol(String),
}

/// A program that can be executed.
#[derive(Clone, Debug)]
pub struct Code {
    /// Its packets.
    pub packets: Vec<DecodedPacket>,
    /// Where it is.
    pub addresses: CodeAddresses,
}

impl Code {
    /// A program whose first packet is at `start`; `address` gives those of symbols.
    ///
    /// # Errors
    /// That of a symbol is not known.
    pub fn new(
        program: &Program,
        start: u64,
        address: impl Fn(&str) -> Option<u64>,
    ) -> Result<Self, ResolveError> {
        let resolve = |operand: &Operand| {
            Ok(match *operand {
                Operand::Symbol(number, added) => {
                    let name = program.symbols.get(number as usize);
                    let name = name.map_or("", String::as_str);
                    let found =
                        address(name).ok_or_else(|| ResolveError::Symbol(name.to_owned()))?;
                    Operand::Constant(found.wrapping_add_signed(added))
                }
                Operand::Code(packet) => Operand::Constant(start + u64::from(packet)),
                other => other,
            })
        };
        let packets = program.packets.iter().map(|packet| {
            let instructions = (0u8..).zip(&packet.instructions).map(|(place, one)| {
                let mut operands = [Operand::Constant(0); 4];
                for (place, operand) in operands.iter_mut().zip(&one.operands) {
                    *place = resolve(operand)?;
                }
                Ok(DecodedInstruction {
                    action: one.mnemonic.action,
                    is_vector: one.mnemonic.is_vector(),
                    latency: latency::of(one),
                    predicate: one.predicate,
                    operands,
                    count: one.operands.len(),
                    place,
                })
            });
            let mut instructions = instructions.collect::<Result<Vec<_>, ResolveError>>()?;
            let is_store = |one: &DecodedInstruction| {
                matches!(one.action, Action::Store(_) | Action::VectorStore(_))
            };
            instructions.sort_by_key(is_store);
            Ok(DecodedPacket {
                instructions,
                cycles: packet.cycles(),
            })
        });
        Ok(Self {
            packets: packets.collect::<Result<_, ResolveError>>()?,
            addresses: CodeAddresses {
                start,
                packets: program.packets.len() as u32,
            },
        })
    }

    /// The packet at an address.
    #[inline]
    pub fn packet_at(&self, address: u64) -> Option<u32> {
        let number = address.checked_sub(self.addresses.start)?;
        let number = u32::try_from(number).ok()?;
        (number < self.addresses.packets).then_some(number)
    }
}
