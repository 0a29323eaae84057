//! Arguments and results of a call, as words for a reader.

use super::constants::Constant;
use super::memory::peek;
use super::types::{Extent, Field, Format, Type, extent, named};
use crate::abi::handle;
use crate::api::info::last_answer_size;
use runtime::error::Code;

/// Maximum elements shown of an array.
const MAX_ELEMENTS: usize = 8;

/// Maximum bytes shown of a text.
const MAX_TEXT: usize = 64;

/// Maximum bytes shown of a value without a type.
const MAX_BYTES: usize = 16;

/// An argument of a call.
pub struct Argument {
    /// Name of the parameter.
    pub name: &'static str,
    /// Its type in the table of functions.
    pub type_name: &'static str,
    /// The argument, extended with zeros.
    pub word: u64,
}

/// The direction and C type of an argument.
enum Passed<'a> {
    /// A value.
    Value(&'a str),
    /// A pointer to an input.
    In(&'a str),
    /// A pointer to where the call writes a result.
    Out(&'a str),
}

impl Argument {
    fn passed(&self) -> Passed<'_> {
        let inside = |prefix| {
            let rest = self.type_name.strip_prefix(prefix)?;
            rest.strip_suffix('>')
        };
        match (inside("In<"), inside("Out<")) {
            (Some(target), _) => Passed::In(target),
            (_, Some(target)) => Passed::Out(target),
            _ => Passed::Value(self.type_name),
        }
    }
}

/// All arguments of a call.
pub struct Arguments<'a>(pub &'a [Argument]);

impl Arguments<'_> {
    /// The value of the parameter of that name, if it is no pointer.
    fn value(&self, name: &str) -> Option<u64> {
        let argument = self.0.iter().find(|argument| argument.name == name)?;
        match argument.passed() {
            Passed::Value(_) => Some(argument.word),
            _ => None,
        }
    }

    /// An argument as it is before the call; none for what only the call fills.
    pub fn before(&self, argument: &Argument) -> Option<String> {
        Some(match argument.passed() {
            Passed::Value(type_name) => match extent(argument.name) {
                Some(Extent::One(other)) => of_type(argument.word, other),
                _ => of_type(argument.word, type_name),
            },
            _ if argument.word == 0 => "NULL".into(),
            Passed::In(target) => self.followed(argument, target, None),
            Passed::Out(_) => return None,
        })
    }

    /// An argument that the call has filled, if it succeeded.
    pub fn after(&self, argument: &Argument) -> String {
        match argument.passed() {
            Passed::Out(target) => {
                let there_are = self.counted().or_else(|| handles_at(argument.word, target));
                format!("-> {}", self.followed(argument, target, there_are))
            }
            _ => hexadecimal(argument.word),
        }
    }

    /// The number of elements, from an argument like `num_devices`.
    fn counted(&self) -> Option<usize> {
        let count = self.0.iter().find(|argument| {
            matches!(argument.passed(), Passed::Out("cl_uint")) && argument.word != 0
        })?;
        number(&peek(count.word, 4)).map(|count| count as usize)
    }

    /// What a pointer points to; `there_are` bounds the elements of an array.
    fn followed(&self, argument: &Argument, target: &str, there_are: Option<usize>) -> String {
        let address = argument.word;
        let within = |count: u64| there_are.unwrap_or(usize::MAX).min(count as usize);
        match extent(argument.name) {
            Some(Extent::Counted(parameters)) => {
                let count = parameters.iter().find_map(|name| self.value(name));
                let count = within(count.unwrap_or(0));
                if target == "In<c_char>" {
                    self.texts(address, count)
                } else {
                    list(address, count, target)
                }
            }
            Some(Extent::CountedOf(parameter, type_name)) => list(
                address,
                self.value(parameter).unwrap_or(0) as usize,
                type_name,
            ),
            Some(Extent::WorkDimensions) => match self.value("work_dim") {
                Some(count @ 1..=3) => list(address, count as usize, target),
                _ => hexadecimal(address),
            },
            Some(Extent::Three) => list(address, 3, target),
            Some(Extent::Bytes(parameter)) => {
                bytes(address, self.value(parameter).unwrap_or(0) as usize)
            }
            Some(Extent::Color) => bytes(address, 16),
            Some(Extent::One(type_name)) => one(address, type_name),
            Some(Extent::Answer) => self.answer(address),
            None if target == "c_char" => text(address, None),
            None => match named(target).map(|row| row.format) {
                Some(Format::Property(names)) => properties(address, names),
                Some(_) => one(address, target),
                None => hexadecimal(address),
            },
        }
    }

    /// Texts, each as long as `lengths` says, or up to its NUL.
    fn texts(&self, address: u64, count: usize) -> String {
        let lengths = self.0.iter().find(|argument| argument.name == "lengths");
        let lengths = lengths.map_or(0, |argument| argument.word);
        let shown = (0..count.min(MAX_ELEMENTS)).map(|index| {
            let element = |array: u64| {
                let place = array.wrapping_add(8 * index as u64);
                number(&peek(place, 8)).unwrap_or(0)
            };
            let length = match lengths {
                0 => 0,
                array => element(array),
            };
            text(element(address), (length != 0).then_some(length as usize))
        });
        bracketed(shown, count)
    }

    /// The answer to a query.
    fn answer(&self, address: u64) -> String {
        let asked = || {
            let name = self
                .0
                .iter()
                .find(|argument| argument.name == "param_name")?;
            let Format::Name(queries) = named(name.type_name)?.format else {
                return None;
            };
            queries
                .iter()
                .find(|query| query.value == name.word)?
                .answer
        };
        let room = self.value("param_value_size").unwrap_or(0) as usize;
        let size = last_answer_size().min(room);
        match asked() {
            Some("char[]") => text(address, None),
            Some(type_name) => match type_name.strip_suffix("[]") {
                Some(element) => match named(element) {
                    Some(row) => list(address, size / row.size, element),
                    None => hexadecimal(address),
                },
                None => one(address, type_name),
            },
            None => hexadecimal(address),
        }
    }
}

/// What a call that creates something, or looks something up, has returned.
pub fn pointer(word: u64) -> String {
    match handle::kind(word as usize) {
        Some(_) => handle_text(word),
        None if word == 0 => "NULL".into(),
        None => hexadecimal(word),
    }
}

/// How many handles there are from an address on, if they are handles: the call need not
/// have filled all of the host program's array.
fn handles_at(address: u64, type_name: &str) -> Option<usize> {
    named(type_name).filter(|row| matches!(row.format, Format::Handle))?;
    let bytes = peek(address, (MAX_ELEMENTS + 1) * 8);
    let words = bytes
        .chunks_exact(8)
        .map(|bytes| number(bytes).unwrap_or(0));
    Some(
        words
            .take_while(|word| handle::kind(*word as usize).is_some())
            .count(),
    )
}

/// The name of an error code.
pub fn error_code(value: i32) -> String {
    match Code::from_value(value) {
        Some(code) => code.to_string(),
        None if value == 0 => "CL_SUCCESS".into(),
        None => value.to_string(),
    }
}

fn hexadecimal(word: u64) -> String {
    if word == 0 {
        return "NULL".into();
    }
    format!("{word:#x}")
}

fn handle_text(word: u64) -> String {
    if word == 0 {
        return "NULL".into();
    }
    let kind = handle::kind(word as usize).unwrap_or("invalid");
    format!("{kind}@{word:#x}")
}

/// A pointer that the call would follow, but that leads nowhere.
fn unreadable(address: u64) -> String {
    format!("{address:#x} (unreadable)")
}

/// A little-endian number of up to 8 bytes.
fn number(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    Some(u64::from_ne_bytes(word))
}

/// A value of the type of that name.
fn of_type(word: u64, type_name: &str) -> String {
    match named(type_name) {
        Some(row) => scalar(word, row),
        None => hexadecimal(word),
    }
}

/// The bits of `value` that a type has.
fn truncated(value: u64, size: usize) -> u64 {
    if size == 4 {
        value & 0xFFFF_FFFF
    } else {
        value
    }
}

fn name_of(word: u64, size: usize, names: &[Constant]) -> Option<&'static str> {
    let is = |constant: &&Constant| truncated(constant.value, size) == word;
    names.iter().find(is).map(|constant| constant.name)
}

fn scalar(word: u64, row: &Type) -> String {
    match row.format {
        Format::Unsigned => word.to_string(),
        Format::Signed => (word as i32).to_string(),
        Format::Name(names) => match name_of(word, row.size, names) {
            Some(name) => name.into(),
            None => format!("{word:#x}"),
        },
        Format::Bits(names) => bits(word, names),
        Format::ExecutionStatus => match name_of(word, 4, super::constants::EXECUTION_STATUS) {
            Some(name) => name.into(),
            None => error_code(word as i32),
        },
        Format::ErrorCode => error_code(word as i32),
        Format::Handle => handle_text(word),
        Format::Address => hexadecimal(word),
        Format::Version => {
            format!("{}.{}.{}", word >> 22, word >> 12 & 0x3FF, word & 0xFFF)
        }
        Format::Property(names) => match name_of(word, 8, names) {
            Some(name) => name.into(),
            None if word == 0 => "0".into(),
            None => hexadecimal(word),
        },
        // These have no words: see `element`.
        Format::Bytes | Format::Structure(_) => format!("{word:#x}"),
    }
}

fn bits(word: u64, names: &[Constant]) -> String {
    if word == 0 {
        return "0".into();
    }
    if let Some(name) = name_of(word, 8, names) {
        return name.into();
    }
    let mut rest = word;
    let mut shown = Vec::new();
    for constant in names.iter().filter(|name| name.value.count_ones() == 1) {
        if rest & constant.value != 0 {
            rest &= !constant.value;
            shown.push(constant.name.to_owned());
        }
    }
    if rest != 0 {
        shown.push(format!("{rest:#x}"));
    }
    shown.join("|")
}

/// `count` elements, of which the first are given.
fn bracketed(elements: impl Iterator<Item = String>, count: usize) -> String {
    let mut shown: Vec<_> = elements.collect();
    if count > shown.len() {
        shown.push("...".into());
    }
    format!("[{}]", shown.join(", "))
}

fn list(address: u64, count: usize, type_name: &str) -> String {
    let Some(row) = named(type_name) else {
        return hexadecimal(address);
    };
    let shown = count.min(MAX_ELEMENTS);
    let bytes = peek(address, shown * row.size);
    if bytes.len() < shown * row.size {
        return unreadable(address);
    }
    bracketed(
        bytes
            .chunks_exact(row.size)
            .map(|bytes| element(bytes, row)),
        count,
    )
}

/// A value that lies in memory.
fn element(bytes: &[u8], row: &Type) -> String {
    match row.format {
        Format::Structure(fields) => structure(bytes, fields),
        Format::Bytes => in_hexadecimal(bytes),
        _ => scalar(number(bytes).unwrap_or(0), row),
    }
}

fn one(address: u64, type_name: &str) -> String {
    let Some(row) = named(type_name) else {
        return hexadecimal(address);
    };
    let bytes = peek(address, row.size);
    if bytes.len() < row.size {
        return unreadable(address);
    }
    element(&bytes, row)
}

/// Fields lie one after another, each at a multiple of its size.
fn structure(bytes: &[u8], fields: &[Field]) -> String {
    let mut offset = 0usize;
    let shown = fields.iter().filter_map(|(name, type_name)| {
        let row = named(type_name)?;
        let start = offset.next_multiple_of(row.size);
        offset = start + row.size;
        Some(format!(
            "{name}: {}",
            element(bytes.get(start..offset)?, row)
        ))
    });
    format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
}

/// Names with their values, up to the final 0.
fn properties(address: u64, names: &[Constant]) -> String {
    let mut place = address;
    let mut next = || {
        let word = number(&peek(place, 8));
        place = place.wrapping_add(8);
        word
    };
    let mut shown = Vec::new();
    while shown.len() < MAX_ELEMENTS {
        let Some(name) = next() else {
            return unreadable(address);
        };
        if name == 0 {
            shown.push("0".to_owned());
            return bracketed(shown.into_iter(), 0);
        }
        let Some(constant) = names.iter().find(|constant| constant.value == name) else {
            // Whether a value follows is not known; it does in all lists that there are.
            shown.push(format!("{name:#x}: {:#x}", next().unwrap_or(0)));
            continue;
        };
        let value = match constant.answer {
            Some(type_name) => match type_name.strip_suffix("[]") {
                Some(type_name) => {
                    let values = std::iter::from_fn(&mut next).take(MAX_ELEMENTS);
                    let values = values.take_while(|value| *value != 0);
                    let values: Vec<_> = values.map(|value| of_type(value, type_name)).collect();
                    format!("[{}, 0]", values.join(", "))
                }
                None => of_type(next().unwrap_or(0), type_name),
            },
            None => hexadecimal(next().unwrap_or(0)),
        };
        shown.push(format!("{}: {value}", constant.name));
    }
    bracketed(shown.into_iter(), usize::MAX)
}

/// A text of `length` bytes, or up to its NUL.
fn text(address: u64, length: Option<usize>) -> String {
    if address == 0 {
        return "NULL".into();
    }
    let mut bytes = peek(address, length.unwrap_or(usize::MAX).min(MAX_TEXT + 1));
    if bytes.is_empty() {
        return unreadable(address);
    }
    let end = bytes.iter().position(|byte| *byte == 0);
    bytes.truncate(end.unwrap_or(bytes.len()));
    let dots = if bytes.len() > MAX_TEXT { "..." } else { "" };
    bytes.truncate(MAX_TEXT);
    format!(
        "\"{}\"{dots}",
        String::from_utf8_lossy(&bytes).escape_debug()
    )
}

fn in_hexadecimal(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{{}}}", shown.join(" "))
}

/// A value whose type is not known: a handle, a number, or the first of its bytes.
fn bytes(address: u64, size: usize) -> String {
    let bytes = peek(address, size.min(MAX_BYTES));
    if bytes.len() < size.min(MAX_BYTES) {
        return unreadable(address);
    }
    match (size, number(&bytes)) {
        (8, Some(word)) if handle::kind(word as usize).is_some() => handle_text(word),
        (1 | 2 | 4 | 8, Some(word)) => format!("{word:#x}"),
        _ if size > MAX_BYTES => format!("{} ...", in_hexadecimal(&bytes)),
        _ => in_hexadecimal(&bytes),
    }
}

#[cfg(test)]
mod tests;
