//! An assembled source, and the form in which object files and images have it.

use crate::line_marker::numbered;
use crate::operand::{Operand, Predicate};
use crate::table::{self, Action, Control, Mnemonic, Unit};
use serde::{Deserialize, Serialize};

/// The version of the form: to be increased when its meaning changes.
const VERSION: u32 = 1;

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it is.
    pub mnemonic: &'static Mnemonic,
    /// The unit that executes it.
    pub unit: Unit,
    /// Whether the source names the unit.
    pub names_unit: bool,
    /// Its condition.
    pub predicate: Option<Predicate>,
    /// Its operands.
    pub operands: Vec<Operand>,
    /// Its line in the source.
    pub line: u32,
}

/// Instructions that are issued together.
#[derive(Clone, Debug, Default)]
pub struct Packet {
    /// At least one.
    pub instructions: Vec<Instruction>,
}

impl Packet {
    /// Cycles that it takes: one, or those of its `SNOP`.
    pub fn cycles(&self) -> u32 {
        let idle = self.instructions.iter().map(|one| match one.operands[..] {
            [Operand::Constant(cycles)]
                if matches!(one.mnemonic.action, Action::Control(Control::Idle)) =>
            {
                cycles as u32
            }
            _ => 1,
        });
        idle.max().unwrap_or(1).max(1)
    }

    /// The line of its first instruction.
    pub fn line(&self) -> u32 {
        self.instructions.first().map_or(0, |one| one.line)
    }
}

/// A name of a place in code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The number of the packet that it precedes.
    pub packet: u32,
    /// Whether other files see it.
    pub is_global: bool,
}

/// The code of a source.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The source's path.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The packets.
    pub packets: Vec<Packet>,
    /// Names of places, in the order of these.
    pub labels: Vec<Label>,
    /// Names of symbols that operands refer to.
    pub symbols: Vec<String>,
}

/// Why bytes are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// It is of another version.
    #[error("assembled code of version {0}, not {VERSION}; assemble it again")]
    Version(u32),
    /// It is damaged.
    #[error("damaged assembled code")]
    Damaged,
}

#[derive(Serialize, Deserialize)]
struct StoredInstruction {
    mnemonic: String,
    unit: Unit,
    names_unit: bool,
    predicate: Option<Predicate>,
    operands: Vec<Operand>,
    line: u32,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    file: String,
    text: String,
    packets: Vec<Vec<StoredInstruction>>,
    labels: Vec<Label>,
    symbols: Vec<String>,
}

impl Program {
    /// Its stored form.
    pub fn encode(&self) -> Vec<u8> {
        let instruction = |one: &Instruction| StoredInstruction {
            mnemonic: one.mnemonic.name.to_owned(),
            unit: one.unit,
            names_unit: one.names_unit,
            predicate: one.predicate,
            operands: one.operands.clone(),
            line: one.line,
        };
        let packets = self.packets.iter();
        let stored = Stored {
            file: self.file.clone(),
            text: self.text.clone(),
            packets: packets
                .map(|packet| packet.instructions.iter().map(instruction).collect())
                .collect(),
            labels: self.labels.clone(),
            symbols: self.symbols.clone(),
        };
        let mut bytes = VERSION.to_le_bytes().to_vec();
        // Serialisation into memory of lists, texts and numbers has no errors.
        bytes.extend(postcard::to_stdvec(&stored).unwrap_or_default());
        bytes
    }

    /// The program of a stored form.
    ///
    /// # Errors
    /// It is of another version, or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (version, bytes) = bytes.split_first_chunk().ok_or(DecodeError::Damaged)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let stored: Stored = postcard::from_bytes(bytes).map_err(|_| DecodeError::Damaged)?;
        let instruction = |one: StoredInstruction| {
            Some(Instruction {
                mnemonic: table::find(&one.mnemonic)?,
                unit: one.unit,
                names_unit: one.names_unit,
                predicate: one.predicate,
                operands: one.operands,
                line: one.line,
            })
        };
        let packets = stored.packets.into_iter().map(|packet| {
            let instructions = packet.into_iter().map(instruction);
            Some(Packet {
                instructions: instructions.collect::<Option<_>>()?,
            })
        });
        Ok(Self {
            file: stored.file,
            text: stored.text,
            packets: packets.collect::<Option<_>>().ok_or(DecodeError::Damaged)?,
            labels: stored.labels,
            symbols: stored.symbols,
        })
    }

    /// The text of a line of the source.
    pub fn text_of_line(&self, number: u32) -> Option<&str> {
        numbered(&self.text).find_map(|(line, text)| (line == number).then_some(text))
    }

    /// The label that a packet is behind, and the distance in packets.
    pub fn function_at(&self, packet: u32) -> Option<(&Label, u32)> {
        let before = self.labels.iter().filter(|label| label.packet <= packet);
        let functions = before.filter(|label| !label.name.starts_with('.'));
        let label = functions.max_by_key(|label| label.packet)?;
        Some((label, packet - label.packet))
    }
}
