//! Errors of source files, with their places.

use crate::instruction::Field;

/// An error in a source file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {problem}")]
pub struct AssemblyError {
    /// The line, from 1.
    pub line: usize,
    /// The column of the wrong word, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The first word is neither an instruction nor a function.
    #[error("\"{0}\" is neither an instruction nor a function of the machine")]
    UnknownName(String),
    /// The first word begins with a point, but is no directive.
    #[error("\"{0}\" is no directive")]
    UnknownDirective(String),
    /// An operand is missing.
    #[error("the {name} is missing: an instruction has {count} operands", name = .0.name(), count = Field::OPERANDS.len())]
    Missing(Field),
    /// There are too many operands.
    #[error("\"{0}\" is one operand too many: an instruction has {count} operands", count = Field::OPERANDS.len())]
    Surplus(String),
    /// An operand is no number.
    #[error("\"{0}\" is no hexadecimal number")]
    NoNumber(String),
    /// A number has more bits than its field.
    #[error("{name} {0:x} has more than {bits} bits", name = .1.name(), bits = .1.bits())]
    TooLarge(u128, Field),
    /// An accelerator id is that of another operation.
    #[error("accelerator id {0:x} is an instruction's: those of functions are below {max:x}", max = crate::Operation::FUNCTIONS)]
    NoFunction(u64),
    /// The control field of an `if` names no kind of branch.
    #[error("control {0:x} names no kind of branch: its lower two bits are 0, 1 or 2")]
    NoBranch(u64),
    /// A directive has no value.
    #[error("a value is missing")]
    NoValue,
    /// A number has more than 64 bits.
    #[error("\"{0}\" has more than 64 bits")]
    TooLong(String),
    /// Two directives for one region.
    #[error("the values of region {0:x} are given twice")]
    Repeated(u16),
    /// A loop has no end.
    #[error("this loop has no lend")]
    NoEnd,
    /// A loop has no begin.
    #[error("this lend ends no loop")]
    NoBegin,
    /// The end of a loop names another counter than its begin.
    #[error("this lend counts in register {found:x}, its lbeg in register {expected:x}")]
    OtherCounter {
        /// The register of `lbeg`.
        expected: u8,
        /// The register of `lend`.
        found: u8,
    },
    /// A word is not 32 hexadecimal digits.
    #[error("\"{0}\" is no word of 32 hexadecimal digits")]
    NoWord(String),
}
