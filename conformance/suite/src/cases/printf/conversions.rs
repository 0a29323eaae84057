//! Conversion specifications, compared with the host's C library.

use super::output::{lines, run_alone};
use anyhow::{Context, Result, ensure};
use harness::session::{Argument, Session};
use std::ffi::{CStr, CString, c_int};
use std::fmt::Write as _;

/// Flags, width and precision for integers.
const OF_INTEGERS: [&str; 14] = [
    "", "5", "-5", "05", "+", " ", "+5", "-+7", "#", "#8", "#08", ".4", "8.4", "-8.3",
];

/// Length modifiers, and the conversions of signed numbers with them.
const LENGTHS: [&str; 4] = ["hh", "h", "", "l"];

const INTEGERS: [i64; 7] = [0, 7, -42, 127, -32768, 0x1234_5678, -0x7FFF_FFFF_FFFF_FFF0];

const OF_FLOATS: [&str; 13] = [
    "", "12", "-12", "012", "+", " ", "#", ".0", "#.0", ".3", "12.3", "-12.3", "+012.2",
];

/// Floats are exact as doubles, so that both types have the same output.
const FLOATS: [f32; 9] = [
    0.0,
    -0.0,
    1.0,
    -2.5,
    0.15625,
    123_456.79,
    -1.0e-5,
    6.022_140_8e23,
    f32::MAX,
];

const DOUBLES: [f64; 5] = [
    std::f64::consts::PI,
    -1.0 / 3.0,
    1.7976931348623157e308,
    2.2250738585072014e-308,
    123456789012345678.0,
];

/// The C library's output for one value.
fn c_text(write: impl Fn(*mut libc::c_char, usize) -> c_int) -> String {
    let mut bytes = vec![0u8; 1024];
    let length = write(bytes.as_mut_ptr().cast(), bytes.len());
    let length = usize::try_from(length).expect("the C library knows the conversion");
    assert!(length < bytes.len(), "no text is that long");
    String::from_utf8(bytes[..length].to_vec()).expect("numbers are ASCII")
}

fn c_format(format: &str) -> CString {
    CString::new(format).expect("no format contains NUL")
}

/// The C library's output for the low bits of an integer.
fn c_integer(format: &str, length: &str, value: i64) -> String {
    let format = c_format(format);
    let format = format.as_ptr();
    if length == "l" {
        // SAFETY: the buffer has `size` bytes, and the format takes one `long`.
        c_text(|to, size| unsafe { libc::snprintf(to, size, format, value) })
    } else {
        // SAFETY: the buffer has `size` bytes, and the format takes one `int`.
        c_text(|to, size| unsafe { libc::snprintf(to, size, format, value as c_int) })
    }
}

fn c_double(format: &str, value: f64) -> String {
    let format = c_format(format);
    // SAFETY: the buffer has `size` bytes, and the format takes one `double`.
    c_text(|to, size| unsafe { libc::snprintf(to, size, format.as_ptr(), value) })
}

fn c_string(format: &str, value: &CStr) -> String {
    let format = c_format(format);
    // SAFETY: the buffer has `size` bytes, and the format takes one string.
    c_text(|to, size| unsafe { libc::snprintf(to, size, format.as_ptr(), value.as_ptr()) })
}

/// Formats of integers with their length modifiers, without flags that C leaves undefined for a
/// conversion.
fn integer_formats() -> Vec<(String, &'static str)> {
    let mut formats = Vec::new();
    for length in LENGTHS {
        for conversion in ["d", "i", "u", "o", "x", "X"] {
            let signed = matches!(conversion, "d" | "i");
            for (number, flags) in OF_INTEGERS.into_iter().enumerate() {
                // Short lengths have a third of the flags, because the kernels are slow to compile.
                if length.starts_with('h') && number % 3 > 0 {
                    continue;
                }
                let alternative = flags.contains('#') && (signed || conversion == "u");
                let plus = flags.contains(['+', ' ']) && !signed;
                if !alternative && !plus {
                    formats.push((format!("%{flags}{length}{conversion}"), length));
                }
            }
        }
    }
    formats
}

fn float_formats() -> Vec<String> {
    let conversions = ["f", "F", "e", "E", "g", "G"];
    OF_FLOATS
        .iter()
        .flat_map(|flags| conversions.map(|conversion| format!("%{flags}{conversion}")))
        .collect()
}

/// All formats with all values, one line per format. Buffers contain the values, so that compilers
/// cannot fold the output.
pub fn numbers(session: &Session) -> Result<()> {
    let mut source = String::from(
        "kernel void test(global const long *integers, global const float *floats)\n{\n",
    );
    let mut print = |format: &str, count: usize, value: &str| {
        let _ = writeln!(
            source,
            "    for (int i = 0; i < {count}; ++i)\n        printf(\"[{format}]\", {value});\n    \
             printf(\"\\n\");"
        );
    };
    for (format, length) in integer_formats() {
        let cast = match (length, format.ends_with(['d', 'i'])) {
            ("hh", true) => "(char)",
            ("hh", false) => "(uchar)",
            ("h", true) => "(short)",
            ("h", false) => "(ushort)",
            ("l", true) => "",
            ("l", false) => "(ulong)",
            (_, true) => "(int)",
            (_, false) => "(uint)",
        };
        print(&format, INTEGERS.len(), &format!("{cast}integers[i]"));
    }
    for format in float_formats() {
        print(&format, FLOATS.len(), "floats[i]");
    }
    source.push_str("}\n");
    let kernel = session.program(&source, "")?.kernel("test")?;
    let (integers, floats) = (session.buffer(&INTEGERS)?, session.buffer(&FLOATS)?);
    let arguments: [&dyn Argument; 2] = [&integers, &floats];
    session.run(&kernel, &[1], &[1], &arguments)
}

/// Compares the output with the C library's.
pub fn numbers_printed(printed: &str) -> Result<()> {
    let mut expected = Vec::new();
    for (format, length) in integer_formats() {
        let texts = INTEGERS.map(|value| format!("[{}]", c_integer(&format, length, value)));
        expected.push(texts.concat());
    }
    for format in float_formats() {
        let texts = FLOATS.map(|value| format!("[{}]", c_double(&format, value.into())));
        expected.push(texts.concat());
    }
    lines(printed, &expected)
}

const OF_DOUBLES: [&str; 5] = ["%.17g", "%.15e", "%.3f", "%g", "%24.12E"];

/// Prints doubles.
pub fn doubles(session: &Session) -> Result<()> {
    let mut source = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\
         kernel void test(global const double *doubles)\n{\n    for (int i = 0; i < ",
    );
    let _ = writeln!(source, "{}; ++i) {{", DOUBLES.len());
    for format in OF_DOUBLES {
        let _ = writeln!(source, "        printf(\"{format}\\n\", doubles[i]);");
    }
    source.push_str("    }\n}\n");
    let kernel = session.program(&source, "")?.kernel("test")?;
    session.run(&kernel, &[1], &[1], &[&session.buffer(&DOUBLES)?])
}

/// Compares the output with the C library's.
pub fn doubles_printed(printed: &str) -> Result<()> {
    let all = DOUBLES.iter();
    let expected = all.flat_map(|value| OF_DOUBLES.map(|format| c_double(format, *value)));
    lines(printed, &expected.collect::<Vec<_>>())
}

const HEXADECIMAL: [f32; 5] = [1.0, -0.375, 3.140_625, 1.0e30, 0.0];

/// Conversions whose output C does not specify completely.
pub fn forms(session: &Session) -> Result<()> {
    let source = "kernel void test(global const float *numbers, global const int *place)\n{\n    \
         for (int i = 0; i < 5; ++i)\n        printf(\"%a %A\\n\", numbers[i], numbers[i]);\n    \
         printf(\"%f %F %e\\n\", 1 / numbers[4], -1 / numbers[4], numbers[4] / numbers[4]);\n    \
         printf(\"%p %p %p\\n\", place, place, place + 1);\n}\n";
    let kernel = session.program(source, "")?.kernel("test")?;
    let arguments: [&dyn Argument; 2] = [&session.buffer(&HEXADECIMAL)?, &session.buffer(&[0; 2])?];
    session.run(&kernel, &[1], &[1], &arguments)
}

/// The value of C's hexadecimal notation, in which the first digit may be any except 0.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.as_str()),
    };
    let (digits, exponent) = rest.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = i32::try_from(fraction.len()).ok()?;
    let number = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()? as f64;
    let exponent: i32 = exponent.parse().ok()?;
    Some(sign * number * 2f64.powi(exponent - 4 * places))
}

/// Checks that each conversion has one of its permitted forms.
pub fn forms_printed(printed: &str) -> Result<()> {
    let lines: Vec<&str> = printed.lines().collect();
    ensure!(lines.len() == 7, "{} lines, expected 7", lines.len());
    for (line, number) in lines.iter().zip(HEXADECIMAL) {
        let (small, large) = line.split_once(' ').context("two numbers on a line")?;
        ensure!(
            hexadecimal(small) == Some(number.into()) && small.contains("0x"),
            "%a of {number} printed {small}"
        );
        ensure!(
            hexadecimal(large) == Some(number.into()) && large.contains("0X"),
            "%A of {number} printed {large}"
        );
    }
    let beyond: Vec<&str> = lines[5].split(' ').collect();
    let [plus, minus, none] = beyond[..] else {
        anyhow::bail!("{:?} is not three numbers", lines[5]);
    };
    ensure!(
        ["inf", "infinity"].contains(&plus) && ["-INF", "-INFINITY"].contains(&minus),
        "infinities were printed as {plus:?} by %f and {minus:?} by %F"
    );
    ensure!(
        none.trim_start_matches('-').starts_with("nan"),
        "NaN was printed as {none:?} by %e"
    );
    let pointers: Vec<&str> = lines[6].split(' ').collect();
    let [first, again, next] = pointers[..] else {
        anyhow::bail!("{:?} is not three pointers", lines[6]);
    };
    ensure!(
        first == again && first != next && !first.is_empty(),
        "pointers were printed as {:?}",
        lines[6]
    );
    Ok(())
}

/// Types, the format of an element after the vector's width, and the host's format.
const ELEMENTS: [(&str, [&str; 2], &str); 9] = [
    ("char", ["%", "hhd"], "d"),
    ("uchar", ["%#", "hhx"], "x"),
    ("short", ["%6", "hd"], "d"),
    ("ushort", ["%-6", "hu"], "u"),
    ("int", ["%+", "hld"], "d"),
    ("uint", ["%.9", "hlu"], "u"),
    ("long", ["%", "ld"], "d"),
    ("ulong", ["%", "lX"], "X"),
    ("float", ["%8.2", "hlf"], "f"),
];

const WIDTHS: [usize; 5] = [2, 3, 4, 8, 16];

/// A component in the range of `char`, also negative.
fn component(place: usize) -> i64 {
    [1, -1, 100, -128, 0, 42, -7, 127][place % 8] / (1 + place as i64 / 8)
}

/// Prints vectors of the numbers of a buffer.
pub fn vectors(session: &Session) -> Result<()> {
    let mut source = String::from("kernel void test(global const int *numbers)\n{\n");
    for (element, [before, after], _) in ELEMENTS {
        for width in WIDTHS {
            let components: Vec<String> = (0..width)
                .map(|place| format!("({element})numbers[{place}]"))
                .collect();
            let components = components.join(", ");
            let _ = writeln!(
                source,
                "    printf(\"<{before}v{width}{after}> %d\\n\", ({element}{width})({components}), {width});"
            );
        }
    }
    source.push_str("}\n");
    let kernel = session.program(&source, "")?.kernel("test")?;
    let numbers: Vec<i32> = (0..16).map(|place| component(place) as i32).collect();
    session.run(&kernel, &[1], &[1], &[&session.buffer(&numbers)?])
}

/// Checks for components separated by commas.
pub fn vectors_printed(printed: &str) -> Result<()> {
    let mut expected = Vec::new();
    for (element, [before, _], conversion) in ELEMENTS {
        for width in WIDTHS {
            let components: Vec<String> = (0..width)
                .map(|place| {
                    let value = component(place);
                    let value = match element {
                        "uchar" => i64::from(value as u8),
                        "ushort" => i64::from(value as u16),
                        "uint" => i64::from(value as u32),
                        _ => value,
                    };
                    if element == "float" {
                        c_double(&format!("{before}{conversion}"), value as f64)
                    } else {
                        c_integer(&format!("{before}l{conversion}"), "l", value)
                    }
                })
                .collect();
            expected.push(format!("<{}> {width}", components.join(",")));
        }
    }
    lines(printed, &expected)
}

const OF_STRINGS: [&str; 8] = [
    "%s", "%10s", "%-10s", "%.3s", "%10.3s", "%-10.2s", "%.0s", "%.20s",
];

const STRINGS: [&CStr; 4] = [c"", c"a", c"kernel", c"100% \t'quoted'"];

/// Prints strings and characters.
pub fn strings(session: &Session) -> Result<()> {
    let mut body = String::new();
    for format in OF_STRINGS {
        for string in STRINGS {
            let string = string.to_str()?;
            let _ = writeln!(body, "    printf(\"[{format}] %d\\n\", \"{string}\", 7);");
        }
    }
    body.push_str(
        "    printf(\"%c%c%3c|%-3c|%%|%s%s\\n\", 'o', 'k', 'r', 'l', \"two\", \"strings\");\n    \
             printf(\"no conversion\\n\");\n    printf(\"%d%%\\n\", 50);\n    \
             printf(\"tab\\tand \\\"quotes\\\" and \\\\\\n\");\n",
    );
    run_alone(session, &body, "")
}

/// Compares the output with the C library's.
pub fn strings_printed(printed: &str) -> Result<()> {
    let mut expected = Vec::new();
    for format in OF_STRINGS {
        let texts = STRINGS.map(|string| format!("[{}] 7", c_string(format, string)));
        expected.extend(texts);
    }
    expected.extend(
        [
            "ok  r|l  |%|twostrings",
            "no conversion",
            "50%",
            "tab\tand \"quotes\" and \\",
        ]
        .map(str::to_owned),
    );
    lines(printed, &expected)
}

/// Number of characters that `long` prints.
const LONG: usize = 3000;

fn long_text() -> String {
    (0..LONG)
        .map(|place| char::from(b'a' + (place % 26) as u8))
        .collect()
}

/// A long format, a long string, a wide field, many arguments.
pub fn long(session: &Session) -> Result<()> {
    let text = long_text();
    let numbers: Vec<String> = (0..200).map(|number| number.to_string()).collect();
    let body = format!(
        "    printf(\"{text}\\n\");\n    printf(\"%s|\\n\", \"{text}\");\n    \
         printf(\"%{LONG}d|\\n\", 5);\n    printf(\"{}\\n\", {});\n",
        "%d ".repeat(200),
        numbers.join(", ")
    );
    run_alone(session, &body, "")
}

/// Checks that the output is complete.
pub fn long_printed(printed: &str) -> Result<()> {
    let text = long_text();
    let numbers: String = (0..200).map(|number| format!("{number} ")).collect();
    lines(
        printed,
        &[
            text.clone(),
            format!("{text}|"),
            format!("{:>LONG$}|", 5),
            numbers,
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::{c_double, c_integer, hexadecimal};

    #[test]
    fn the_host_writes_what_c_does() {
        assert_eq!(c_integer("%+5d", "", -42), "  -42");
        assert_eq!(c_integer("%hhd", "hh", 0x1FF), "-1");
        assert_eq!(c_integer("%#lx", "l", -1), "0xffffffffffffffff");
        assert_eq!(c_double("%08.2f", -2.5), "-0002.50");
    }

    #[test]
    fn hexadecimal_numbers_are_read_in_every_form() {
        assert_eq!(hexadecimal("-0x1.8p+1"), Some(-3.0));
        assert_eq!(hexadecimal("0XC.P-2"), Some(3.0));
        assert_eq!(hexadecimal("0x0p+0"), Some(0.0));
        assert_eq!(hexadecimal("3.0"), None);
    }
}
