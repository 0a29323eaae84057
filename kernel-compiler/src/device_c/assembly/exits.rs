//! Statements in assembly that may leave by a label of C (`asm goto`). Their text branches to labels of its own, behind
//! which a register gets the number of the exit; the caller branches by that.

use super::registers::OperandRegister;
use super::template::{Operand, unnamed};
use crate::ir::{Builder, Opcode, Value};
use std::fmt::Write;

/// The registers of which one has the number of the exit. They are those that operands get last.
const REGISTERS: std::ops::Range<u8> = 10..61;

/// Whether a statement is of this kind.
pub fn has_exits(statement: Value) -> bool {
    statement.is(Opcode::LLVMCallBr)
}

/// The label of an exit in the text; numbers begin with 1, since 0 is the end of the text.
pub fn label(number: usize) -> String {
    format!(".Lexit{number}")
}

/// The number of the exit that an operand is, in the order of the operands.
pub fn number_of(operands: &[Operand], operand: usize) -> usize {
    let until = operands.iter().take(operand + 1);
    until.filter(|one| **one == Operand::Label).count()
}

/// A register that neither the text nor an operand uses.
///
/// # Errors
/// There is none.
pub fn free_register(
    template: &str,
    mut used: impl FnMut(OperandRegister) -> bool,
) -> Result<OperandRegister, String> {
    let free = unnamed(template, "R", REGISTERS.rev()).into_iter();
    let mut free = free.map(OperandRegister::Scalar);
    free.find(|register| !used(*register))
        .ok_or_else(|| "there is no register for the number of its exit".to_owned())
}

/// What follows the text, which ends with a return.
pub fn text(count: usize, register: OperandRegister) -> String {
    let mut text = String::new();
    for number in 1..=count {
        // A String accepts all text.
        let _ = write!(
            text,
            "{}:\n\tSMOVI24 {number}, {}\n\tSBR R63\n\tSNOP 6\n",
            label(number),
            register.operand()
        );
    }
    text
}

/// Branches, in place of a statement, by the number of its exit.
pub fn branch(b: &Builder, statement: Value, number: Value) {
    let successors = statement.successors();
    let Some((next, exits)) = successors.split_first() else {
        return;
    };
    let numbers = (1u64..).map(|number| b.i64().constant(number));
    let cases: Vec<_> = numbers.zip(exits.iter().copied()).collect();
    b.switch(number, *next, &cases);
}
