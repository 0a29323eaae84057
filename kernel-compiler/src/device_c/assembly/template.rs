//! The text and the constraints of a statement in assembly, as LLVM has them (Language Reference, "Inline
//! Assembler Expressions").

/// The registers that a constraint allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// R0 to R63.
    Scalar,
    /// VR0 to VR63.
    Vector,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register that the statement sets.
    Output(Class),
    /// A register that it reads.
    Input(Class),
    /// A register that it reads, and which is that of the output of this number.
    Tied(usize),
    /// A constant number.
    Constant,
    /// Memory that it reads or writes, whose address is an argument.
    Memory,
    /// A label of C by which it may leave.
    Label,
}

impl Operand {
    /// Whether the statement has an argument for it.
    pub fn has_argument(self) -> bool {
        !matches!(self, Self::Output(_) | Self::Label)
    }
}

/// The constraint of vector registers as clang gets it (`compiler-resources/shim/device_c/assembly.h`): `"v"` has a meaning for the host
/// as well, which limits the size.
const VECTOR: char = 'q';

/// The operands of a list of constraints.
///
/// # Errors
/// An operand that is neither in a register, in memory nor a constant.
pub fn operands(constraints: &str) -> Result<Vec<Operand>, String> {
    let list = constraints.split(',').filter(|one| !one.is_empty());
    let operands = list.filter(|one| !one.starts_with('~'));
    operands.map(operand).collect()
}

fn operand(constraint: &str) -> Result<Operand, String> {
    let refused = || {
        let written = constraint.replace('*', "").replace(VECTOR, "v");
        Err(format!(
            "operands of '{written}' are not supported: use \"r\", \"v\", \"m\" or \"i\""
        ))
    };
    if constraint.contains(['{', '|']) {
        return refused();
    }
    if constraint.starts_with('!') {
        return Ok(Operand::Label);
    }
    let class = match constraint {
        _ if constraint.contains(VECTOR) => Some(Class::Vector),
        _ if constraint.contains(['r', 'g']) => Some(Class::Scalar),
        _ => None,
    };
    if constraint.contains('*') {
        return match constraint.contains('m') && class.is_none() {
            true => Ok(Operand::Memory),
            false => refused(),
        };
    }
    if let Ok(output) = constraint.parse() {
        return Ok(Operand::Tied(output));
    }
    match class {
        Some(class) if constraint.starts_with('=') => Ok(Operand::Output(class)),
        Some(class) => Ok(Operand::Input(class)),
        None if constraint.contains(['i', 'n']) => Ok(Operand::Constant),
        None => refused(),
    }
}

/// The registers of a kind, of which `prefix` is the name without its number, that a text does not name.
pub fn unnamed(template: &str, prefix: &str, numbers: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let words = template.split(|c: char| !c.is_ascii_alphanumeric());
    let named: Vec<u8> = words
        .filter_map(|word| {
            let (start, number) = word.split_at_checked(prefix.len())?;
            start.eq_ignore_ascii_case(prefix).then_some(number)
        })
        .filter_map(|number| number.parse().ok())
        .collect();
    let numbers = numbers.into_iter();
    numbers.filter(|number| !named.contains(number)).collect()
}

/// The text with its operands.
///
/// # Errors
/// It names an operand that there is not.
pub fn expand(template: &str, operands: &[String]) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let first = after.chars().next().unwrap_or('$');
        match first {
            '$' => text.push('$'),
            // The target that clang compiles for has texts in variants, which begin, are separated and end so.
            '(' => text.push('{'),
            '|' => text.push('|'),
            ')' => text.push('}'),
            _ => {}
        }
        if matches!(first, '$' | '(' | '|' | ')') {
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        let (name, end) = match after.strip_prefix('{') {
            Some(inner) => inner.split_once('}').ok_or("a brace is not closed")?,
            None => {
                let end = after.find(|c: char| !c.is_ascii_digit());
                after.split_at(end.unwrap_or(after.len()))
            }
        };
        // What follows a colon says how an operand is written, where there are several forms.
        let number = name.split(':').next().unwrap_or_default();
        let operand = number
            .parse()
            .ok()
            .and_then(|number: usize| operands.get(number));
        text.push_str(operand.ok_or_else(|| format!("there is no operand '{name}'"))?);
        rest = end;
    }
    text.push_str(rest);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_in_registers_memory_or_constants() {
        use Operand::*;
        let found = operands("=&r,=q,=*m,r,q,0,*m,i,!i,~{memory},~{dirflag}").unwrap();
        let [scalar, vector] = [Class::Scalar, Class::Vector];
        assert_eq!(
            found,
            [
                Output(scalar),
                Output(vector),
                Memory,
                Input(scalar),
                Input(vector),
                Tied(0),
                Memory,
                Constant,
                Label
            ]
        );
        assert_eq!(operands(""), Ok(Vec::new()));
        for refused in ["x", "=*rm", "{ax}", "=x", "={r10}"] {
            let message = operands(refused).unwrap_err();
            assert!(message.contains(&refused.replace('*', "")), "{message}");
        }
        assert!(operands("=*q").unwrap_err().contains("'=v'"));
    }

    #[test]
    fn registers_that_a_text_names_are_not_chosen() {
        let text = "VLDW *AR0++[16], VR8\n|[VR7] vmov vr10,%0";
        assert_eq!(unnamed(text, "VR", 7..12), [9, 11]);
        assert_eq!(unnamed(text, "AR", 0..3), [1, 2]);
    }

    #[test]
    fn texts_have_operands_and_characters_that_llvm_escapes() {
        let operands = ["R10".to_owned(), "-3".to_owned()];
        let text = expand("SADD ${1:x}, $0, $0\n$| SMOV $$x $(a$)", &operands);
        assert_eq!(text.unwrap(), "SADD -3, R10, R10\n| SMOV $x {a}");
        assert!(expand("SMOV $2, R1", &operands).is_err());
        assert!(expand("SMOV ${0", &operands).is_err());
    }
}
