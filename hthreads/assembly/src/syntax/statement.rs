//! Statements: labels, directives, instructions.

use super::lines::{Line, Place, is_symbol};
use super::{Assembler, Wrong, operands};
use crate::operand::{Operand, Predicate};
use crate::program::{Instruction, Packet};
use crate::table::{self, Kind, Mnemonic, Unit, Units};

impl Assembler {
    /// Reads a line.
    pub(super) fn statement(&mut self, line: &Line) -> Result<(), Wrong> {
        let code = line.code.as_str();
        let mut at = skip_blanks(code, 0);
        while let Some(end) = label_end(code, at) {
            let name = code[at..end].to_owned();
            self.label(&name, line, at)?;
            let colon = code[end..].find(':').unwrap_or(0);
            at = skip_blanks(code, end + colon + 1);
        }
        let rest = &code[at..];
        if rest.is_empty() {
            return Ok(());
        }
        if rest.starts_with('.') {
            return self.directive(code, at);
        }
        self.instruction(line, at)
    }

    fn instruction(&mut self, line: &Line, start: usize) -> Result<(), Wrong> {
        let code = line.code.as_str();
        let mut at = start;
        let joins = code[at..].starts_with('|');
        while code[at..].starts_with('|') {
            at = skip_blanks(code, at + 1);
        }
        let mut predicate = None;
        if code[at..].starts_with('[') {
            let end = code[at..]
                .find(']')
                .ok_or((at, "expected ']'".to_owned()))?
                + at;
            predicate = Some(read_predicate(&code[at + 1..end], at + 1)?);
            at = skip_blanks(code, end + 1);
        }
        let end = code[at..]
            .find(|c| !is_symbol(c))
            .unwrap_or(code.len() - at)
            + at;
        let word = code[at..end].to_ascii_uppercase();
        let (name, suffix) = match word.split_once('.') {
            Some((name, suffix)) => (name, Some(suffix)),
            None => (word.as_str(), None),
        };
        if name.is_empty() {
            return Err((at, "expected an instruction".to_owned()));
        }
        let mnemonic =
            table::find(name).ok_or_else(|| (at, format!("unknown instruction '{name}'")))?;
        let units = match suffix {
            Some(suffix) => mnemonic.units.with_suffix(suffix).ok_or_else(|| {
                let units = mnemonic.units.names();
                (
                    at,
                    format!("'{name}' is executed by {units}, not by '.{suffix}'"),
                )
            })?,
            None => mnemonic.units,
        };
        if let Some(predicate) = predicate
            && predicate.is_vector
            && !mnemonic.is_vector()
        {
            let message = format!("'{name}' is scalar: its predicate is one of R0 to R6");
            return Err((start, message));
        }
        let operands = self.operands(mnemonic, code, end, at)?;
        if !self.is_text {
            return Err((at, "instruction in a section of data".to_owned()));
        }
        let instruction = Instruction {
            mnemonic,
            unit: first(units),
            names_unit: suffix.is_some(),
            predicate,
            operands,
            line: line.place.line,
        };
        let mut place = line.place.clone();
        place.column = at;
        if joins {
            return match self.join(instruction, place) {
                true => Ok(()),
                false => Err((
                    start,
                    "'|' without an instruction before it in the packet".to_owned(),
                )),
            };
        }
        self.packets.push(Packet {
            instructions: vec![instruction],
        });
        self.places.push(vec![place]);
        Ok(())
    }

    /// Adds an instruction to the last packet; false if there is none, or a label behind it.
    fn join(&mut self, instruction: Instruction, place: Place) -> bool {
        let next = self.packets.len();
        let is_labelled = self
            .labels
            .last()
            .is_some_and(|(_, packet)| *packet as usize == next);
        match (self.packets.last_mut(), self.places.last_mut()) {
            (Some(packet), Some(places)) if !is_labelled => {
                packet.instructions.push(instruction);
                places.push(place);
                true
            }
            _ => false,
        }
    }

    fn operands(
        &mut self,
        mnemonic: &Mnemonic,
        code: &str,
        start: usize,
        column: usize,
    ) -> Result<Vec<Operand>, Wrong> {
        let mut texts = operands::split(code, start);
        if texts.is_empty() && mnemonic.operands == [Kind::Count] {
            texts.push((start, "1"));
        }
        if texts.len() != mnemonic.operands.len() {
            let (wanted, found) = (mnemonic.operands.len(), texts.len());
            let message = format!("'{}' has {wanted} operands, not {found}", mnemonic.name);
            return Err((column, message));
        }
        let mut read = Vec::new();
        for ((at, text), kind) in texts.into_iter().zip(mnemonic.operands) {
            let operand = self.operand(text, *kind);
            read.push(operand.map_err(|message| (at, message))?);
        }
        Ok(read)
    }
}

fn first(units: Units) -> Unit {
    units.iter().next().unwrap_or(Unit::Sbr)
}

/// The first character from `at` on that is not blank.
pub(super) fn skip_blanks(code: &str, at: usize) -> usize {
    let rest = &code[at.min(code.len())..];
    code.len() - rest.trim_start().len()
}

/// The end of the label that begins at `at`.
fn label_end(code: &str, at: usize) -> Option<usize> {
    let rest = &code[at..];
    let length = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
    let is_label = length > 0 && rest[length..].trim_start().starts_with(':');
    is_label.then_some(at + length)
}

fn read_predicate(text: &str, column: usize) -> Result<Predicate, Wrong> {
    let wrong = || {
        (
            column,
            "a predicate is one of R0 to R6 or VR0 to VR6".to_owned(),
        )
    };
    let text = text.trim().to_ascii_uppercase();
    let (text, is_negated) = match text.strip_prefix('!') {
        Some(rest) => (rest.trim(), true),
        None => (text.as_str(), false),
    };
    let (number, is_vector) = match text.strip_prefix("VR") {
        Some(number) => (number, true),
        None => (text.strip_prefix('R').ok_or_else(wrong)?, false),
    };
    match number.parse() {
        Ok(register @ 0..=6) => Ok(Predicate {
            register,
            is_vector,
            is_negated,
        }),
        _ => Err(wrong()),
    }
}
