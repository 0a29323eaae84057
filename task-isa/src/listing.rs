//! The disassembler, and files of words: one of 32 hexadecimal digits a line.

use crate::assembler::Line;
use crate::error::{AssemblyError, Problem};
use crate::functions::Functions;
use crate::instruction::{Field, Instruction};
use crate::operation::Operation;
use std::fmt::Write;

/// Hexadecimal digits of a word.
const DIGITS: usize = 32;

/// The source of instructions. Assembling it gives the same instructions. Functions without a name are
/// written as `task` and their id.
pub fn disassemble(instructions: &[Instruction], functions: &Functions) -> String {
    let mut source = String::new();
    for instruction in instructions {
        let operation = instruction.operation;
        let id = operation.id();
        let name = match operation {
            Operation::Task(_) => functions.name(id),
            _ => operation.name(),
        };
        // Writing to a String cannot fail.
        let _ = match name {
            Some(name) => write!(source, "{name}"),
            None => write!(source, "{} {id:x}", Operation::TASK),
        };
        for field in Field::OPERANDS {
            let value = instruction.operand(field);
            let _ = match field {
                Field::Metadata => writeln!(source, " {value:04x}"),
                _ => write!(source, " {value:x}"),
            };
        }
    }
    source
}

/// The text of a file of words.
pub fn write_words(instructions: &[Instruction]) -> String {
    let mut text = String::new();
    for instruction in instructions {
        let _ = writeln!(text, "{:0DIGITS$x}", instruction.encode());
    }
    text
}

/// Reads a file of words, with comments as in source files.
///
/// # Errors
/// The first word that is none, with its place.
pub fn read_words(text: &str) -> Result<Vec<Instruction>, AssemblyError> {
    let mut instructions = Vec::new();
    for (number, text) in text.lines().enumerate() {
        let line = Line::new(number + 1, text);
        for &word in &line.words {
            let is_word =
                word.text.len() == DIGITS && word.text.bytes().all(|byte| byte.is_ascii_hexdigit());
            match u128::from_str_radix(word.text, 16) {
                Ok(value) if is_word => instructions.push(Instruction::decode(value)),
                _ => return Err(line.error(word, Problem::NoWord(word.text.to_owned()))),
            }
        }
    }
    Ok(instructions)
}
