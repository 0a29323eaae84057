//! The registers of a statement's operands, and the area by which compiled code and the interpreter exchange their
//! values: the number of registers, and for each its word and then its value.

/// A register that an operand is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandRegister {
    /// R0 to R63.
    Scalar(u8),
    /// VR0 to VR63.
    Vector(u8),
    /// AR0 to AR15, with the address of an operand in memory.
    Address(u8),
}

/// The place of the kind in a register's word.
const KIND_SHIFT: u32 = 8;

impl OperandRegister {
    /// The word that names the register.
    pub fn word(self) -> u64 {
        let (kind, number) = match self {
            Self::Scalar(number) => (0, number),
            Self::Vector(number) => (1, number),
            Self::Address(number) => (2, number),
        };
        kind << KIND_SHIFT | u64::from(number)
    }

    /// The register that a word names.
    pub fn of_word(word: u64) -> Option<Self> {
        let number = word as u8;
        match word >> KIND_SHIFT {
            0 => Some(Self::Scalar(number)),
            1 => Some(Self::Vector(number)),
            2 => Some(Self::Address(number)),
            _ => None,
        }
    }

    /// The number of words of its value.
    pub fn words(self) -> usize {
        match self {
            Self::Vector(_) => 16,
            Self::Scalar(_) | Self::Address(_) => 1,
        }
    }

    /// The operand as instructions name it.
    pub fn operand(self) -> String {
        match self {
            Self::Scalar(number) => format!("R{number}"),
            Self::Vector(number) => format!("VR{number}"),
            Self::Address(number) => format!("*AR{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_registers() {
        for register in [
            OperandRegister::Scalar(63),
            OperandRegister::Vector(7),
            OperandRegister::Address(8),
        ] {
            assert_eq!(OperandRegister::of_word(register.word()), Some(register));
        }
        assert_eq!(OperandRegister::of_word(u64::MAX), None);
    }
}
