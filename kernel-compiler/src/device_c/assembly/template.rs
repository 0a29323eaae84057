//! The text and the constraints of a statement in assembly, as LLVM has them (Language Reference, "Inline
//! Assembler Expressions").

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register that the statement sets.
    Output,
    /// A register that it reads.
    Input,
    /// A register that it reads, and which is that of the output of this number.
    Tied(usize),
    /// A constant number.
    Constant,
}

/// The operands of a list of constraints.
///
/// # Errors
/// An operand that is neither in a scalar register nor a constant.
pub fn operands(constraints: &str) -> Result<Vec<Operand>, String> {
    let list = constraints.split(',').filter(|one| !one.is_empty());
    let operands = list.filter(|one| !one.starts_with('~'));
    operands.map(operand).collect()
}

fn operand(constraint: &str) -> Result<Operand, String> {
    let refused = || format!("operands of '{constraint}' are not supported: use \"r\"");
    if constraint.contains('*') {
        return Err(refused());
    }
    if let Some(output) = constraint.strip_prefix('=') {
        let output = output.trim_start_matches('&');
        return match output.contains(['r', 'g']) && !output.contains('{') {
            true => Ok(Operand::Output),
            false => Err(refused()),
        };
    }
    if let Ok(output) = constraint.parse() {
        return Ok(Operand::Tied(output));
    }
    match constraint {
        _ if constraint.contains('{') => Err(refused()),
        _ if constraint.contains(['r', 'g']) => Ok(Operand::Input),
        _ if constraint.contains(['i', 'n']) => Ok(Operand::Constant),
        _ => Err(refused()),
    }
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
    fn operands_are_in_registers_or_constants() {
        use Operand::*;
        let found = operands("=&r,r,0,i,~{memory},~{dirflag}").unwrap();
        assert_eq!(found, [Output, Input, Tied(0), Constant]);
        assert_eq!(operands(""), Ok(Vec::new()));
        for refused in ["v", "=*m", "{ax}", "=v", "m", "={r10}"] {
            assert!(
                operands(refused).unwrap_err().contains(refused),
                "{refused}"
            );
        }
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
