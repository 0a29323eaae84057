//! The assembler: lines of a source become packets, labels, and objects in memory.

mod data;
mod directives;
mod lines;
mod operands;
mod statement;

pub use data::{DataItem, DataObject, Section};

use crate::checks;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::operand::Operand;
use crate::program::{Label, Packet, Program};
use crate::table::Action;
use data::Data;
use lines::Line;
pub(crate) use lines::Place;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An assembled source.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// Its code.
    pub program: Program,
    /// Its objects in memory.
    pub data: Vec<DataObject>,
}

/// Assembles a source that is in `file`. Lines of the form `# 12 "file"` say where text is from.
///
/// # Errors
/// All that is wrong with it.
pub fn assemble(file: &str, text: &str) -> Result<Assembled, Diagnostics> {
    let mut assembler = Assembler::default();
    for line in lines::split(file, text) {
        assembler.line(&line);
    }
    assembler.finish(file, text)
}

/// What has been read.
#[derive(Default)]
struct Assembler {
    packets: Vec<Packet>,
    places: Vec<Vec<Place>>,
    /// Labels of code: the packet, by name.
    labels: Vec<(String, u32)>,
    defined: HashMap<String, Place>,
    global: BTreeSet<String>,
    symbols: Vec<String>,
    numbers: HashMap<String, u32>,
    constants: BTreeMap<String, u64>,
    data: Data,
    is_text: bool,
    has_begun: bool,
    errors: Vec<Diagnostic>,
}

/// What is wrong in a line: the column, from 0, and why.
type Wrong = (usize, String);

impl Assembler {
    fn line(&mut self, line: &Line) {
        if !self.has_begun {
            self.is_text = true;
            self.has_begun = true;
        }
        if let Err((column, message)) = self.statement(line) {
            self.errors.push(line.place.diagnostic(column, message));
        }
    }

    /// The number of a symbol.
    fn symbol(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.symbols.len() as u32;
        self.symbols.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// A label at the current place.
    fn label(&mut self, name: &str, line: &Line, column: usize) -> Result<(), Wrong> {
        if let Some(first) = self.defined.get(name) {
            let (file, number) = (&first.file, first.line);
            let message = format!("symbol '{name}' is already defined at {file}:{number}");
            return Err((column, message));
        }
        self.defined.insert(name.to_owned(), line.place.clone());
        if self.is_text {
            self.labels
                .push((name.to_owned(), self.packets.len() as u32));
        } else {
            self.data.label(name);
        }
        Ok(())
    }

    /// Lets operands be places of this program that name one; the others are symbols of other files.
    fn resolve(&self, packets: &mut [Packet]) -> Vec<Diagnostic> {
        let code: HashMap<&str, u32> = self
            .labels
            .iter()
            .map(|(name, packet)| (name.as_str(), *packet))
            .collect();
        let mut errors = Vec::new();
        let instructions = packets.iter_mut().flat_map(|one| &mut one.instructions);
        for (instruction, place) in instructions.zip(self.places.iter().flatten()) {
            let branches = matches!(instruction.mnemonic.action, Action::Branch(_));
            for operand in &mut instruction.operands {
                let Operand::Symbol(number, added) = *operand else {
                    continue;
                };
                let name = self.symbols[number as usize].as_str();
                let mut wrong = |message: String| {
                    let column = place.text.find(name).unwrap_or(place.column);
                    errors.push(place.diagnostic(column, message));
                };
                match code.get(name) {
                    Some(_) if added != 0 => {
                        wrong(format!("nothing can be added to '{name}', a place in code"));
                    }
                    // C can call what it gets the address of, if that is the function's own.
                    Some(packet) if branches || !self.global.contains(name) => {
                        *operand = Operand::Code(*packet);
                    }
                    None if name.starts_with(".L") && !self.defined.contains_key(name) => {
                        wrong(format!("label '{name}' is not defined"));
                    }
                    _ => {}
                }
            }
        }
        errors
    }

    fn finish(mut self, file: &str, text: &str) -> Result<Assembled, Diagnostics> {
        let mut packets = std::mem::take(&mut self.packets);
        self.errors.extend(self.resolve(&mut packets));
        let labels: Vec<Label> = self
            .labels
            .iter()
            .map(|(name, packet)| Label {
                name: name.clone(),
                packet: *packet,
                is_global: self.global.contains(name),
            })
            .collect();
        checks::check(&mut packets, &self.places, &labels, &mut self.errors);
        if !self.errors.is_empty() {
            self.errors.sort_by_key(|error| (error.line, error.column));
            return Err(Diagnostics(self.errors));
        }
        Ok(Assembled {
            program: Program {
                file: file.to_owned(),
                text: text.to_owned(),
                packets,
                labels,
                symbols: self.symbols,
            },
            data: self.data.objects(&self.global),
        })
    }
}
