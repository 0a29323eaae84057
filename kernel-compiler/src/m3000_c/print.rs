//! Calls of `printf` as calls of C's. Formats are literals and the types of arguments are known, so that a
//! call has one format of C: each element of a vector becomes a conversion of its own.

use super::body::Body;
use super::constants;
use super::unsupported::Unsupported;
use crate::ir::{Opcode, Value};
use crate::printf::{self, ArgumentType, Class, Conversion, Directive, Part, next_part};
use std::fmt::Write;

/// Whether a name is that of the function to which calls of `printf` have been lowered.
pub fn is_name(function: &str) -> bool {
    function == printf::FUNCTION
}

/// The functions in C, if the file has the statements.
pub fn functions(statements: &str) -> &'static str {
    if statements.contains("mocl3_print(") {
        TEXT
    } else {
        ""
    }
}

const TEXT: &str = r#"#define LOADED(type, address) \
    ({ type loaded_; __builtin_memcpy(&loaded_, address, sizeof loaded_); loaded_; })

/* The sign of a NaN means nothing in OpenCL, but C prints it. */
__attribute__((unused)) static f64 mocl3_printed(f64 number)
{
    return number != number ? __builtin_nan("") : number;
}

/* Prints a formatted text, in parts if hthread_printf has no room for it. It ends texts at NUL. */
static void mocl3_print(const char *format, ...)
{
    enum { PART = 1023 };
    char part[PART + 1];
    va_list arguments;
    va_start(arguments, format);
    u64 length = (u64)hthread_vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    pointer text = part, whole = length > PART ? hbm_malloc(length + 1) : 0;
    if (whole != 0) {
        va_start(arguments, format);
        hthread_vsnprintf(whole, length + 1, format, arguments);
        va_end(arguments);
        text = whole;
    } else if (length > PART) {
        length = PART;
    }
    for (u64 start = 0; start < length;) {
        u64 count = 0;
        while (count < PART && start + count < length && text[start + count] != 0)
            count++;
        if (count != 0)
            hthread_printf("%.*s", (int)count, text + start);
        start += count + (start + count < length && text[start + count] == 0);
    }
    if (whole != 0)
        hbm_free(whole);
}

"#;

/// Writes a call, whose result in C is `result`.
pub fn write(body: &mut Body<'_>, call: Value, result: &str) -> Result<(), Unsupported> {
    let format = constants::bytes(&body.types.layout, underlying(call.operand(0)));
    let format = format.ok_or(Unsupported::Format)?;
    let end = format.iter().position(|byte| *byte == 0);
    let values = body.value(call.operand(3))?;
    let printed = printed(
        &format[..end.unwrap_or(format.len())],
        &argument_types(body, call)?,
        &values,
    );
    body.statement(&format!(
        "mocl3_print(\"{}\"{});",
        printed.format, printed.arguments
    ));
    let outcome = if printed.is_valid { "0" } else { "-1" };
    body.statement(&format!("{result} = (u32){outcome};"));
    Ok(())
}

/// Whether an instruction only gives calls their format, which C has as a literal.
pub fn is_format(instruction: Value) -> bool {
    let gives_format = |user: Value| {
        let called = user.is(Opcode::LLVMCall).then(|| user.called_function());
        let function = called.flatten().map(Value::name);
        function.is_some_and(|name| is_name(&name)) && user.operand(0) == instruction
    };
    instruction.is(Opcode::LLVMAddrSpaceCast) && instruction.users().into_iter().all(gives_format)
}

/// The variable whose address a value is.
fn underlying(mut value: Value) -> Value {
    while value.is(Opcode::LLVMAddrSpaceCast) {
        value = value.operand(0);
    }
    value
}

/// The types of the arguments of a call.
fn argument_types(body: &Body<'_>, call: Value) -> Result<Vec<ArgumentType>, Unsupported> {
    let unsupported = || Unsupported::Instruction(call.text());
    let count = call.operand(2).as_integer().ok_or_else(unsupported)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let bytes = constants::bytes(&body.types.layout, underlying(call.operand(1)));
    let bytes = bytes.ok_or_else(unsupported)?;
    let (rows, _) = bytes.as_chunks();
    let types = rows.iter().map(|row| ArgumentType::from_bytes(*row));
    types.collect::<Option<_>>().ok_or_else(unsupported)
}

/// A call of `printf` in C.
struct Printed {
    /// The format, as it is between quotation marks.
    format: String,
    /// The arguments that follow it, each after a comma.
    arguments: String,
    /// Whether OpenCL's format is valid and fits the arguments.
    is_valid: bool,
}

/// A call with arguments of these types, whose values are at an address in C.
fn printed(mut format: &[u8], types: &[ArgumentType], values: &str) -> Printed {
    let mut printed = Printed {
        format: String::new(),
        arguments: String::new(),
        is_valid: true,
    };
    let mut types = types.iter();
    let mut place = 0;
    while !format.is_empty() && printed.is_valid {
        let (part, rest) = next_part(format);
        let shown = match part {
            Part::Verbatim(text) => {
                printed.verbatim(text);
                Some(())
            }
            Part::Directive(directive) => types.next().and_then(|ty| {
                let start = place;
                place += u64::from(ty.slot);
                printed.argument(&directive, *ty, &format!("{values} + {start}"))
            }),
            Part::Invalid(_) => None,
        };
        // As the host's function, what is not valid is printed as it is written.
        if shown.is_none() {
            printed.verbatim(format);
            printed.is_valid = false;
        }
        format = rest;
    }
    printed
}

impl Printed {
    /// Text that has no conversions.
    fn verbatim(&mut self, text: &[u8]) {
        for byte in text {
            match byte {
                b'%' => self.format += "%%",
                b'\n' => self.format += "\\n",
                b'"' | b'\\' | b'?' => {
                    self.format.push('\\');
                    self.format.push(char::from(*byte));
                }
                b' '..=b'~' => self.format.push(char::from(*byte)),
                // Three digits, since others may follow. Writing to a string does not fail.
                _ => {
                    let _ = write!(self.format, "\\{byte:03o}");
                }
            }
        }
    }

    /// An argument at an address; none, and nothing of it, if it does not fit the directive.
    fn argument(&mut self, directive: &Directive, ty: ArgumentType, address: &str) -> Option<()> {
        let ty = ty.for_directive(directive)?;
        let elements = u64::from(directive.vector.unwrap_or(1));
        for element in 0..elements {
            let place = match element {
                0 => address.to_owned(),
                number => format!("{address} + {}", number * u64::from(ty.bytes)),
            };
            let (specification, value) = conversion(directive, ty, &place)?;
            if element > 0 {
                self.format.push(',');
            }
            self.format += &specification;
            self.arguments += ", ";
            self.arguments += &value;
        }
        Some(())
    }
}

/// The conversion of C for a scalar at an address, and its arguments.
fn conversion(directive: &Directive, ty: ArgumentType, address: &str) -> Option<(String, String)> {
    let shape = String::from_utf8_lossy(&directive.shape);
    let element = 8 * u32::from(ty.bytes);
    let bits = directive.integer_bits(element);
    Some(match (directive.conversion, ty.class) {
        (Conversion::Signed, Class::Integer) => (
            format!("%{shape}ld"),
            format!("(i64)(i{bits})LOADED(i{element}, {address})"),
        ),
        (Conversion::Unsigned(letter), Class::Integer) => (
            format!("%{shape}l{}", char::from(letter)),
            format!("(u64)(u{bits})LOADED(u{element}, {address})"),
        ),
        (Conversion::Floating(letter), Class::Floating) => (
            format!("%{shape}{}", char::from(letter)),
            format!("mocl3_printed((f64)LOADED(f{element}, {address}))"),
        ),
        (Conversion::Character, Class::Integer) => (
            format!("%{shape}c"),
            format!("(int)(u8)LOADED(u{element}, {address})"),
        ),
        (Conversion::Text, Class::Pointer) => (
            format!("%{shape}s"),
            format!("(LOADED(pointer, {address}) ?: \"(null)\")"),
        ),
        (Conversion::Text, Class::Text) => {
            let (flags_and_width, _) = shape.split_once('.').unwrap_or((&shape, ""));
            let limit = directive.precision().unwrap_or(u64::MAX);
            let limit = limit.min(i32::MAX as u64);
            // The length follows the pointer.
            let length = format!("LOADED(u64, {address} + {})", ty.bytes);
            (
                format!("%{flags_and_width}.*s"),
                format!(
                    "(int)({length} < {limit} ? {length} : {limit}), \
                     (LOADED(pointer, {address}) ?: \"\")"
                ),
            )
        }
        (Conversion::Pointer, Class::Pointer) => (
            format!("%{shape}p"),
            format!("(void *)LOADED(pointer, {address})"),
        ),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str, types: &[ArgumentType]) -> (String, String, bool) {
        let printed = printed(format.as_bytes(), types, "v");
        (printed.format, printed.arguments, printed.is_valid)
    }

    #[test]
    fn elements_of_vectors_are_conversions() {
        let types = [
            ArgumentType::passed(Class::Floating, 4, 2),
            ArgumentType::passed(Class::Integer, 4, 1),
        ];
        let (format, arguments, is_valid) = shown("a%5.1v2hlf%hhd%%\"\t1", &types);
        assert_eq!(format, "a%5.1f,%5.1f%ld%%\\\"\\0111");
        assert_eq!(
            arguments,
            ", mocl3_printed((f64)LOADED(f32, v + 0)), mocl3_printed((f64)LOADED(f32, v + 0 + 4)), \
             (i64)(i8)LOADED(i32, v + 8)"
        );
        assert!(is_valid);
        // Eight bytes in the shape of a scalar.
        let (format, arguments, _) = shown("%v4hx", &[ArgumentType::passed(Class::Floating, 8, 1)]);
        assert_eq!(format, "%lx,%lx,%lx,%lx");
        assert!(arguments.ends_with("(u64)(u16)LOADED(u16, v + 0 + 6)"));
    }

    #[test]
    fn what_does_not_fit_is_printed_as_it_is() {
        let int = ArgumentType::passed(Class::Integer, 4, 1);
        let (format, arguments, is_valid) = shown("%d %s %d", &[int, int]);
        assert_eq!(format, "%ld %%s %%d");
        assert_eq!(arguments, ", (i64)(i32)LOADED(i32, v + 0)");
        assert!(!is_valid);
        assert_eq!(shown("1 %d", &[]).0, "1 %%d");
        assert_eq!(shown("%v4f", &[int]).0, "%%v4f");
    }
}
