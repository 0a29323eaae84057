//! Operands as they are written.

use super::Assembler;
use super::lines::is_symbol;
use crate::control_register::ControlRegister;
use crate::operand::{AddressRegister, Memory, Offset, Operand, Update};
use crate::table::Kind;

/// The texts between commas from `start` on, with their columns.
pub fn split(code: &str, start: usize) -> Vec<(usize, &str)> {
    let rest = &code[start..];
    if rest.trim().is_empty() {
        return Vec::new();
    }
    let mut at = start;
    rest.split(',')
        .map(|text| {
            let column = at + text.len() - text.trim_start().len();
            at += text.len() + 1;
            (column, text.trim())
        })
        .collect()
}

/// The number of a register such as `R12`.
fn register(text: &str, prefix: &str, count: u8) -> Option<u8> {
    let digits = text.strip_prefix(prefix)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten()?;
    (number < count).then_some(number)
}

/// The even register of a pair such as `R13:R12`.
fn pair(text: &str, prefix: &str) -> Option<u8> {
    let (odd, even) = text.split_once(':')?;
    let odd = register(odd.trim(), prefix, 64)?;
    let even = register(even.trim(), prefix, 64)?;
    (even % 2 == 0 && odd == even + 1).then_some(even)
}

fn address_register(text: &str) -> Option<AddressRegister> {
    let of = |prefix, is_offset| {
        let number = register(text, prefix, 16)?;
        Some(AddressRegister { number, is_offset })
    };
    of("AR", false).or_else(|| of("OR", true))
}

/// A number: decimal, hexadecimal, octal or binary, or a character.
pub fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('-') {
        return number(rest).map(|number| -number);
    }
    if let Some(rest) = text.strip_prefix('+') {
        return number(rest);
    }
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (lower.as_str(), 10),
    };
    let is_number = digits.starts_with(|c: char| c.is_digit(radix));
    let number = is_number.then(|| i128::from_str_radix(digits, radix).ok())?;
    number.filter(|number| (-1 << 64..1 << 64).contains(number))
}

impl Assembler {
    /// A number, or the name of one.
    pub(super) fn constant(&self, text: &str) -> Option<i128> {
        let text = text.trim().strip_prefix('#').unwrap_or(text.trim());
        let named = || {
            self.constants
                .get(text)
                .map(|value| i128::from(*value as i64))
        };
        number(text).or_else(named)
    }

    /// A symbol, and what is added to its address.
    pub(super) fn reference(&mut self, text: &str) -> Option<Operand> {
        let length = text.find(|c| !is_symbol(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(length);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let added = match rest.trim() {
            "" => 0,
            rest => i64::try_from(number(&rest.replace(' ', ""))?).ok()?,
        };
        Some(Operand::Symbol(self.symbol(name), added))
    }

    /// An operand that is of a kind; otherwise, what it has to be.
    pub(super) fn operand(&mut self, text: &str, kind: Kind) -> Result<Operand, String> {
        let upper = text.to_ascii_uppercase();
        let within = |least: i128, most: i128| match self.constant(text) {
            Some(value) if (least..=most).contains(&value) => Ok(value as u64),
            Some(value) => Err(format!(
                "constant {value} is not between {least} and {most}"
            )),
            None => Err(format!("'{text}' is no constant")),
        };
        let constant = |value: Result<u64, String>| value.map(Operand::Constant);
        let (found, wanted) = match kind {
            Kind::Scalar => (scalar(&upper), "a scalar register, R0 to R63"),
            Kind::Vector => (vector(&upper), "a vector register, VR0 to VR63"),
            Kind::ScalarOrConstant if self.constant(text).is_none() => {
                (scalar(&upper), "a scalar register or a constant")
            }
            Kind::VectorOrConstant if self.constant(text).is_none() => {
                (vector(&upper), "a vector register or a constant")
            }
            // Whether six bits have a sign is not published.
            Kind::ScalarOrConstant | Kind::VectorOrConstant => {
                return constant(within(-32, 63));
            }
            Kind::Count => return constant(within(0, (1 << 16) - 1)),
            Kind::Constant24 => return constant(within(-(1 << 23), (1 << 24) - 1)).map(sign_of_24),
            Kind::Constant64 => match self.constant(text) {
                Some(_) => return constant(within(-(1 << 63), (1 << 64) - 1)),
                None if is_register(&upper) => (None, "a constant or a symbol"),
                None => (self.reference(text), "a constant or a symbol"),
            },
            Kind::ScalarPair => (
                pair(&upper, "R").map(Operand::ScalarPair),
                "a pair of an odd and the even scalar register before it, such as R1:R0",
            ),
            Kind::VectorPair => (
                pair(&upper, "VR").map(Operand::VectorPair),
                "a pair of an odd and the even vector register before it, such as VR1:VR0",
            ),
            Kind::Address => (
                address_register(&upper).map(Operand::Address),
                "one of AR0 to AR15 and OR0 to OR15",
            ),
            Kind::Control => (
                control(&upper, false),
                "a control register of the scalar unit, or one of SVR0 to SVR15",
            ),
            Kind::VectorControl => (
                control(&upper, true),
                "a control register of the vector unit, or SVR",
            ),
            Kind::ScalarMemory | Kind::VectorMemory => {
                return self.memory(&upper, kind == Kind::VectorMemory);
            }
            Kind::Target => match scalar(&upper) {
                Some(register) => (Some(register), ""),
                None if is_register(&upper) => (None, "a label or a scalar register"),
                None => (self.reference(text), "a label or a scalar register"),
            },
        };
        found.ok_or_else(|| format!("'{text}' is not {wanted}"))
    }

    /// `*AR0`, `*+AR0[4]`, `*-AR0[OR1]`, `*AR0++[1]`, `*AR0--[1]`.
    fn memory(&self, text: &str, is_vector: bool) -> Result<Operand, String> {
        let wrong = || format!("'{text}' is no address such as *+AR0[1] or *AR0++[OR0]");
        let rest = text.strip_prefix('*').ok_or_else(wrong)?.trim();
        let (rest, before) = match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
            (Some(rest), _) => (rest.trim(), Some(Update::Add)),
            (_, Some(rest)) => (rest.trim(), Some(Update::Subtract)),
            _ => (rest, None),
        };
        let (rest, offset) = match rest.split_once('[') {
            Some((rest, offset)) => {
                let offset = offset.trim().strip_suffix(']').ok_or_else(wrong)?;
                (rest.trim(), Some(offset.trim()))
            }
            None => (rest, None),
        };
        let (base, after) = match (rest.strip_suffix("++"), rest.strip_suffix("--")) {
            (Some(base), _) => (base.trim(), Some(Update::AddAfter)),
            (_, Some(base)) => (base.trim(), Some(Update::SubtractAfter)),
            _ => (rest, None),
        };
        let update = match (before, after) {
            (Some(_), Some(_)) => return Err(wrong()),
            (None, None) if offset.is_some() => return Err(wrong()),
            (update, None) => update.unwrap_or(Update::Add),
            (None, Some(update)) => update,
        };
        let (first, last) = if is_vector { (0, 7) } else { (8, 15) };
        let is_ours = |number: &u8| (first..=last).contains(number);
        let unit = if is_vector { "vector" } else { "scalar" };
        let base = register(base, "AR", 16).filter(is_ours).ok_or_else(|| {
            format!("'{base}' is not one of AR{first} to AR{last}, which the {unit} unit has")
        })?;
        let offset = match offset {
            None if after.is_some() => Offset::Constant(1),
            None => Offset::Constant(0),
            Some(text) if text.starts_with("OR") => {
                let number = register(text, "OR", 16).filter(is_ours).ok_or_else(|| {
                    format!(
                        "'{text}' is not one of OR{first} to OR{last}, which the {unit} unit has"
                    )
                })?;
                Offset::Register(number)
            }
            Some(text) => {
                let number = self
                    .constant(text)
                    .and_then(|number| u32::try_from(number).ok());
                Offset::Constant(number.ok_or_else(|| {
                    format!("'{text}' is neither a constant without sign nor an offset register")
                })?)
            }
        };
        Ok(Operand::Memory(Memory {
            base,
            offset,
            update,
        }))
    }
}

fn scalar(text: &str) -> Option<Operand> {
    register(text, "R", 64).map(Operand::Scalar)
}

fn vector(text: &str) -> Option<Operand> {
    register(text, "VR", 64).map(Operand::Vector)
}

/// Whether a name is that of a register, so that no symbol has it.
fn is_register(text: &str) -> bool {
    let number = |prefix| {
        let digits = text.strip_prefix(prefix);
        digits
            .is_some_and(|rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    ["R", "VR", "AR", "OR", "SVR"].into_iter().any(number) || ControlRegister::find(text).is_some()
}

fn control(text: &str, is_vector: bool) -> Option<Operand> {
    if is_vector && text == "SVR" {
        return Some(Operand::AllExchange);
    }
    if let Some(register) = ControlRegister::find(text) {
        return (register.is_vector() == is_vector).then_some(Operand::Control(register));
    }
    let number = register(text, "SVR", 16).filter(|_| !is_vector);
    number.map(Operand::Exchange)
}

/// The sign of a constant of 24 bits.
fn sign_of_24(operand: Operand) -> Operand {
    match operand {
        Operand::Constant(value) => Operand::Constant((((value << 40) as i64) >> 40) as u64),
        other => other,
    }
}
