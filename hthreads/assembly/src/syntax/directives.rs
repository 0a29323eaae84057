//! Directives.

use super::data::{DataItem, Section};
use super::operands::split;
use super::{Assembler, Wrong};
use crate::operand::Operand;

/// Most bytes of an object, so that a slip of a digit does not exhaust the host's memory.
const MOST_BYTES: u64 = 1 << 30;

/// Directives that change nothing here.
const NO_EFFECT: &[&str] = &[
    ".file",
    ".type",
    ".size",
    ".ident",
    ".loc",
    ".local",
    ".p2alignl",
    ".cfi_startproc",
    ".cfi_endproc",
    ".end",
    ".noinst",
];

impl Assembler {
    /// Reads a directive at a column.
    pub(super) fn directive(&mut self, code: &str, at: usize) -> Result<(), Wrong> {
        let rest = &code[at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len()) + at;
        let name = code[at..end].to_ascii_lowercase();
        let operands = split(code, end);
        let wrong = |message: &str| Err((at, format!("'{name}' {message}")));
        match name.as_str() {
            ".text" => self.is_text = true,
            ".data" | ".bss" => self.data_section(Section::Global),
            ".global" | ".globl" | ".weak" => {
                if operands.is_empty() {
                    return wrong("needs a symbol");
                }
                self.global
                    .extend(operands.iter().map(|(_, name)| (*name).to_owned()));
            }
            ".section" => {
                let Some((column, section)) = operands.first() else {
                    return wrong("needs a name");
                };
                self.section(section.trim_matches('"'), *column)?;
            }
            ".align" | ".balign" | ".p2align" => self.align(&name, &operands, at)?,
            ".comm" => self.common(&operands, at)?,
            ".set" | ".equ" => match &operands[..] {
                [(_, symbol), (column, value)] => {
                    let value = self
                        .constant(value)
                        .ok_or((*column, "expected a constant".to_owned()))?;
                    self.constants.insert((*symbol).to_owned(), value as u64);
                }
                _ => return wrong("needs a symbol and a constant"),
            },
            ".byte" => self.numbers(1, &operands)?,
            ".short" | ".half" | ".hword" | ".2byte" => self.numbers(2, &operands)?,
            ".int" | ".long" | ".word" | ".4byte" => self.numbers(4, &operands)?,
            ".quad" | ".dword" | ".8byte" | ".xword" => self.numbers(8, &operands)?,
            ".float" | ".single" => {
                self.reals(&operands, |number| (number as f32).to_le_bytes().to_vec())?
            }
            ".double" => self.reals(&operands, |number| number.to_le_bytes().to_vec())?,
            ".space" | ".zero" | ".skip" | ".fill" => {
                let bytes = operands.first().and_then(|(_, text)| self.constant(text));
                let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
                match bytes.filter(|bytes| *bytes <= MOST_BYTES) {
                    Some(bytes) => self.item(DataItem::Bytes(vec![0; bytes as usize]), at)?,
                    None => return wrong("needs a number of bytes"),
                }
            }
            ".string" | ".asciz" | ".ascii" => {
                let text = code[end..].trim();
                let bytes = unquoted(text).ok_or((end, "expected a string".to_owned()))?;
                let zero = (name != ".ascii").then_some(0);
                self.item(DataItem::Bytes(bytes.into_iter().chain(zero).collect()), at)?;
            }
            name if NO_EFFECT.contains(&name) => {}
            name => return Err((at, format!("unknown directive '{name}'"))),
        }
        Ok(())
    }

    /// `.comm symbol, bytes, alignment`.
    fn common(&mut self, operands: &[(usize, &str)], at: usize) -> Result<(), Wrong> {
        let number = |place: usize| {
            let (_, text) = operands.get(place)?;
            self.constant(text)
                .and_then(|number| u64::try_from(number).ok())
        };
        let (bytes, alignment) = (number(1), number(2).unwrap_or(8));
        match (operands.first(), bytes) {
            (Some((_, symbol)), Some(bytes))
                if bytes <= MOST_BYTES && alignment.is_power_of_two() =>
            {
                self.data.common(symbol, bytes, alignment);
                Ok(())
            }
            _ => {
                let message = "'.comm' needs a symbol, its size in bytes, and a power of two";
                Err((at, message.to_owned()))
            }
        }
    }

    fn data_section(&mut self, section: Section) {
        self.is_text = false;
        self.data.section = section;
    }

    fn section(&mut self, name: &str, column: usize) -> Result<(), Wrong> {
        let begins = |prefixes: &[&str]| {
            prefixes.iter().any(|prefix| {
                let rest = name.strip_prefix(prefix);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        if begins(&[".text"]) {
            self.is_text = true;
        } else if begins(&[".global", ".data", ".bss", ".share", "._share"]) {
            self.data_section(Section::Global);
        } else if begins(&[".const", ".rodata"]) {
            self.data_section(Section::Constant);
        } else if begins(&["._gsm", ".gsm"]) {
            self.data_section(Section::Gsm);
        } else {
            return Err((column, format!("unknown section '{name}'")));
        }
        Ok(())
    }

    fn align(&mut self, name: &str, operands: &[(usize, &str)], at: usize) -> Result<(), Wrong> {
        let number = operands.first().and_then(|(_, text)| self.constant(text));
        let alignment = match (name, number) {
            (".p2align", Some(power @ 0..=16)) => Some(1u64 << power),
            (".p2align", _) => None,
            (_, number) => number.and_then(|number| u64::try_from(number).ok()),
        };
        let alignment = alignment.filter(|one| one.is_power_of_two() && *one <= 1 << 16);
        let alignment = alignment.ok_or((at, "expected a power of two up to 65536".to_owned()))?;
        if !self.is_text {
            self.data.align(alignment);
        }
        Ok(())
    }

    fn item(&mut self, item: DataItem, at: usize) -> Result<(), Wrong> {
        if self.is_text {
            return Err((at, "data in a section of code".to_owned()));
        }
        match self.data.add(item) {
            true => Ok(()),
            false => Err((at, "data without a label before it".to_owned())),
        }
    }

    fn numbers(&mut self, bytes: usize, operands: &[(usize, &str)]) -> Result<(), Wrong> {
        for (column, text) in operands {
            let item = match self.constant(text) {
                Some(value) => {
                    let bits = 8 * bytes as u32;
                    if !(-(1i128 << (bits - 1))..1i128 << bits).contains(&value) {
                        return Err((*column, format!("{value} has more than {bits} bits")));
                    }
                    DataItem::Bytes(value.to_le_bytes()[..bytes].to_vec())
                }
                None => match self.reference(text) {
                    Some(Operand::Symbol(number, added)) if bytes == 8 => {
                        DataItem::Address(self.symbols[number as usize].clone(), added)
                    }
                    _ => {
                        return Err((*column, format!("'{text}' is no constant of {bytes} bytes")));
                    }
                },
            };
            self.item(item, *column)?;
        }
        Ok(())
    }

    fn reals(
        &mut self,
        operands: &[(usize, &str)],
        bytes: fn(f64) -> Vec<u8>,
    ) -> Result<(), Wrong> {
        for (column, text) in operands {
            let number: f64 = text
                .parse()
                .map_err(|_| (*column, format!("'{text}' is no number")))?;
            self.item(DataItem::Bytes(bytes(number)), *column)?;
        }
        Ok(())
    }
}

/// The bytes of a string in quotes.
fn unquoted(text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::new();
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'0' => 0,
                other => other,
            },
            byte => byte,
        });
    }
    Some(bytes)
}
