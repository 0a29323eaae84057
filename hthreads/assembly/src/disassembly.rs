//! Code as text that the assembler accepts.

use crate::operand::Operand;
use crate::program::{Instruction, Program};
use crate::table::Action;
use std::fmt::Write;

/// An instruction as text.
pub fn instruction(program: &Program, one: &Instruction) -> String {
    let mut text = String::new();
    if let Some(predicate) = one.predicate {
        // A String accepts all text.
        let _ = write!(text, "{predicate} ");
    }
    text.push_str(one.mnemonic.name);
    if one.names_unit
        && let Some(suffix) = one.unit.suffix()
    {
        let _ = write!(text, ".{suffix}");
    }
    let is_signed = !matches!(one.mnemonic.action, Action::Control(_));
    let operands = one
        .operands
        .iter()
        .map(|one| operand(program, one, is_signed));
    let operands: Vec<String> = operands.collect();
    if !operands.is_empty() {
        let _ = write!(text, " {}", operands.join(", "));
    }
    text
}

fn operand(program: &Program, operand: &Operand, is_signed: bool) -> String {
    match *operand {
        Operand::Scalar(number) => format!("R{number}"),
        Operand::ScalarPair(even) => format!("R{}:R{even}", even + 1),
        Operand::Vector(number) => format!("VR{number}"),
        Operand::VectorPair(even) => format!("VR{}:VR{even}", even + 1),
        Operand::Address(register) => register.to_string(),
        Operand::Control(register) => register.name().to_owned(),
        Operand::Exchange(number) => format!("SVR{number}"),
        Operand::AllExchange => "SVR".to_owned(),
        Operand::Constant(value) => match i64::try_from(value) {
            Ok(value) if (0..1 << 24).contains(&value) => value.to_string(),
            _ if is_signed && (value as i64) < 0 && value as i64 >= -(1 << 24) => {
                (value as i64).to_string()
            }
            _ => format!("{value:#x}"),
        },
        Operand::Code(packet) => label(program, packet),
        Operand::Symbol(number, added) => {
            let name = program.symbols.get(number as usize);
            let name = name.map_or("?", String::as_str);
            match added {
                0 => name.to_owned(),
                added => format!("{name}{added:+}"),
            }
        }
        Operand::Memory(memory) => memory.to_string(),
    }
}

/// The label of a packet.
fn label(program: &Program, packet: u32) -> String {
    let found = program.labels.iter().find(|label| label.packet == packet);
    found.map_or_else(|| format!(".L{packet}"), |label| label.name.clone())
}
