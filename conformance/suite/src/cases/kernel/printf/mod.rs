//! `printf` (section 6.12.13), compared byte by byte. Each kernel has one work-item, so that its
//! lines are ordered.

mod directive;

use super::element::{
    CHAR, DOUBLE, Element, FLOAT, HALF, INT, LONG, SHORT, UCHAR, UINT, ULONG, USHORT,
};
use anyhow::{Result, bail, ensure};
use directive::{Directive, conversions};
use harness::session::{Argument, Session};

/// Conversion specifications that get the same argument, for several values.
struct Table {
    element: Element,
    /// Number of components; 1 for a scalar.
    width: usize,
    /// Components of all arguments, one argument after the other.
    values: Vec<u64>,
    /// The directives of each line.
    lines: Vec<Vec<Directive>>,
}

impl Table {
    fn source(&self, number: usize) -> String {
        let argument = match self.width {
            1 => "values[i]".to_owned(),
            width => format!("vload{width}(i, values)"),
        };
        let mut source = format!(
            "kernel void print{number}(global const {} *values, uint count, global int *result)\n{{\n    \
             int all = 0;\n",
            self.element.name
        );
        for line in &self.lines {
            let format: String = line.iter().map(|part| format!("[{part}]")).collect();
            let arguments = format!(", {argument}").repeat(line.len());
            source += &format!(
                "    for (uint i = 0; i < count; ++i)\n        \
                 all |= printf(\"{format}\\n\"{arguments});\n"
            );
        }
        source + "    *result = all;\n}\n\n"
    }

    /// The alternatives of each line.
    fn expected(&self) -> Vec<Vec<String>> {
        let mut expected = Vec::new();
        for line in &self.lines {
            for values in self.values.chunks_exact(self.width) {
                let parts: Vec<Vec<String>> = line
                    .iter()
                    .map(|part| part.format(self.element, values))
                    .collect();
                let alternatives = parts.iter().map(Vec::len).max().unwrap_or(1);
                let joined = |number: usize| {
                    let part =
                        |part: &Vec<String>| format!("[{}]", part[number.min(part.len() - 1)]);
                    parts.iter().map(part).collect::<String>()
                };
                expected.push((0..alternatives).map(joined).collect());
            }
        }
        expected
    }

    /// Adds a line for each combination of conversion, flags and width, with a directive for each
    /// precision.
    fn combinations(
        mut self,
        conversions: &[char],
        length: &'static str,
        flags: &[&'static str],
        widths: &[Option<usize>],
        precisions: &[Option<&'static str>],
    ) -> Self {
        for &conversion in conversions {
            for &flags in flags {
                for &width in widths {
                    let line = precisions.iter().map(|&precision| Directive {
                        flags,
                        width,
                        precision,
                        vector: self.width,
                        length,
                        conversion,
                    });
                    self.lines.push(line.collect());
                }
            }
        }
        self
    }

    fn new(element: Element, width: usize, values: Vec<u64>) -> Self {
        Self {
            element,
            width,
            values,
            lines: Vec::new(),
        }
    }
}

/// Runs one kernel per table, in order.
fn print(session: &Session, tables: &[Table]) -> Result<()> {
    let mut source = String::from(
        "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n\
         #ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n\n",
    );
    for (number, table) in tables.iter().enumerate() {
        source += &table.source(number);
    }
    let program = session.program(&source, "")?;
    for (number, table) in tables.iter().enumerate() {
        let bytes: Vec<u8> = table
            .values
            .iter()
            .flat_map(|value| value.to_le_bytes()[..table.element.bytes].to_vec())
            .collect();
        let values = session.buffer(&bytes)?;
        let result = session.buffer(&[7])?;
        let count = (table.values.len() / table.width) as u32;
        let arguments: [&dyn Argument; 3] = [&values, &count, &result];
        let kernel = program.kernel(&format!("print{number}"))?;
        session.run(&kernel, &[1], &[1], &arguments)?;
        crate::compare::equal("the results of printf", &session.read(&result)?, &[0])?;
    }
    Ok(())
}

/// Compares all lines.
fn compare(text: &str, expected: impl Iterator<Item = Vec<String>>) -> Result<()> {
    let mut lines = text.split('\n');
    for (number, expected) in expected.enumerate() {
        let number = number + 1;
        let Some(line) = lines.next() else {
            bail!("there is no line {number}, expected {:?}", expected[0]);
        };
        if !expected.iter().any(|alternative| alternative == line) {
            bail!("line {number} is {line:?}, expected {:?}", expected[0]);
        }
    }
    let rest: Vec<&str> = lines.collect();
    ensure!(rest == [""], "after the last line came {rest:?}");
    Ok(())
}

fn lines(tables: &[Table]) -> impl Iterator<Item = Vec<String>> {
    tables.iter().flat_map(Table::expected)
}

const SIGNED_FLAGS: [&str; 10] = ["", "-", "+", " ", "0", "-+", "+0", " 0", "+ ", "-0"];
const UNSIGNED_FLAGS: [&str; 4] = ["", "-", "0", "-0"];
const PREFIXED_FLAGS: [&str; 6] = ["", "-", "0", "#", "#0", "#-"];
const FLOATING_FLAGS: [&str; 9] = ["", "-", "+", " ", "0", "#", "-+", "+0", "+#0"];

fn bits(element: Element, values: &[i128]) -> Vec<u64> {
    values.iter().map(|&value| element.wrap(value)).collect()
}

/// Numbers for which formats differ, if the type can represent them.
fn numbers(element: Element) -> Vec<u64> {
    let largest = element.double(element.infinity(false) - 1);
    let values = [
        0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 9.96875, 0.09375, 99_999.5, 123_456.79, 1e10, 1e-5, 6.5e-3,
        -3e-7, largest, 100.0, 0.1,
    ];
    let mut bits: Vec<u64> = values
        .iter()
        .map(|&value| element.nearest(value).expect("it is a number"))
        .collect();
    let infinity = element.infinity(false);
    let (precision, ..) = element.format();
    bits.extend([
        infinity,
        infinity | element.sign(),
        infinity | 1 << (precision - 2),
    ]);
    bits
}

/// Scalars of all types except `double`.
fn scalars() -> Vec<Table> {
    let int = [0, 1, -1, 42, -99_999, i32::MAX.into(), i32::MIN.into()];
    let uint = [0, 1, 8, 255, 123_456, u32::MAX.into()];
    let long = [0, -1, i64::MAX.into(), i64::MIN.into(), 1 << 32];
    let precisions = [None, Some(""), Some("0"), Some("3"), Some("9")];
    let widths = [None, Some(1), Some(7), Some(12)];
    let [some_widths, some_precisions] = [[None, Some(8)], [None, Some(11)]];
    let few = [None, Some("0"), Some("5")];
    let of = |element, values: &[i128]| Table::new(element, 1, bits(element, values));
    let mut tables = vec![
        of(INT, &int).combinations(&['d'], "", &SIGNED_FLAGS, &widths, &precisions),
        of(INT, &int).combinations(&['i'], "", &SIGNED_FLAGS, &some_widths, &few),
        of(UINT, &uint).combinations(&['u'], "", &UNSIGNED_FLAGS, &some_widths, &precisions),
        of(UINT, &uint).combinations(
            &['x', 'X', 'o'],
            "",
            &PREFIXED_FLAGS,
            &some_widths,
            &precisions,
        ),
        of(LONG, &long).combinations(&['d', 'i'], "l", &SIGNED_FLAGS, &some_precisions, &few),
        of(ULONG, &long).combinations(&['u'], "l", &UNSIGNED_FLAGS, &some_widths, &few),
        of(ULONG, &long).combinations(&['x', 'X', 'o'], "l", &PREFIXED_FLAGS, &some_widths, &few),
    ];
    // Narrow types are promoted, and converted back to the length's type.
    for (element, lengths) in [
        (CHAR, ["", "hh"]),
        (UCHAR, ["", "hh"]),
        (SHORT, ["", "h"]),
        (USHORT, ["", "h"]),
        (INT, ["hh", "h"]),
        (UINT, ["hh", "h"]),
    ] {
        let [low, high] = element.range();
        for length in lengths {
            let mut table = of(element, &[0, 1, low, high, high / 2 + 1, high - 1]);
            table =
                table.combinations(conversions(element), length, &["", "0"], &some_widths, &few);
            tables.push(table);
        }
    }
    let floating = [None, Some("0"), Some("1"), Some("12"), Some("")];
    tables.push(Table::new(FLOAT, 1, numbers(FLOAT)).combinations(
        conversions(FLOAT),
        "",
        &FLOATING_FLAGS,
        &[None, Some(13)],
        &floating,
    ));
    for precision in [None, Some("0"), Some("2"), Some("8")] {
        tables.push(Table::new(FLOAT, 1, numbers(FLOAT)).combinations(
            &['a', 'A'],
            "",
            &["", "+", "#", "0", "-"],
            &[None, Some(20)],
            &[precision],
        ));
    }
    tables
}

/// Text, characters, escapes, and arguments of many types in one call.
const MIXED: &str = r#"kernel void test(global const int *ints, global const float *floats, global int *result)
{
    int all = 0;
    all |= printf("plain text\n");
    all |= printf("");
    all |= printf("%%%d%%\n", ints[0]);
    all |= printf("%s|%s|%8s|%-8s|%.2s|%8.2s|%-8.0s|\n", "", "one", "right", "left", "cut", "both", "none");
    all |= printf("%c%c%c|%4c|%-4c|\n", 'a', ints[1], '\\', 'r', 'l');
    all |= printf("\ttab \"quotes\" 'single' \\ %s \101\x42?\n", "back\\slash\tand\ttabs");
    all |= printf("%d %s %g %c %ld %x %s %v4hld %e %hhd %v2hlf %u\n", ints[2], "first", floats[0], 'z',
                  1234567890123456789L, ints[3], "second", vload4(0, ints + 4), floats[1],
                  (char)ints[8], vload2(0, floats + 2), 4000000000u);
    all |= printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", ints[0], ints[1], ints[2],
                  ints[3], ints[4], ints[5], ints[6], ints[7], ints[8], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    all |= printf("%f %f %f %f %f %f %f %f %f %f\n", floats[0], floats[1], floats[2], floats[3], 1.0f, 2.0f,
                  3.0f, 4.0f, 5.0f, 6.0f);
    // Each iteration of a loop and only the executed branches print.
    for (int i = 0; i < ints[0]; ++i) {
        if (i % 2)
            all |= printf("odd %d\n", i);
        else if (i == 2)
            all |= printf("two\n");
    }
    printf("without ");
    printf("a break%c", 10);
    result[0] = all;
}
"#;

/// The output of [`MIXED`].
fn mixed() -> Vec<String> {
    let mut lines = vec![
        "plain text".to_owned(),
        "%5%".to_owned(),
        "|one|   right|left    |cu|      bo|        |".to_owned(),
        r"aA\|   r|l   |".to_owned(),
        "\ttab \"quotes\" 'single' \\ back\\slash\tand\ttabs AB?".to_owned(),
        "-7 first 0.25 z 1234567890123456789 beef second 1,-2,3,-4 1.500000e+10 -56 -0.125000,1024.000000 \
         4000000000"
            .to_owned(),
        "5 65 -7 48879 1 -2 3 -4 200 1 2 3 4 5 6 7 8 9 10 11".to_owned(),
        "0.250000 15000000512.000000 -0.125000 1024.000000 1.000000 2.000000 3.000000 4.000000 5.000000 \
         6.000000"
            .to_owned(),
    ];
    lines.extend(["odd 1", "two", "odd 3", "without a break"].map(str::to_owned));
    lines
}

/// All flags, widths, precisions, lengths and conversions of scalars; text; mixed arguments.
pub fn scalar(session: &Session) -> Result<()> {
    let program = session.program(MIXED, "")?;
    let ints = session.buffer(&[5, 65, -7, 0xBEEF, 1, -2, 3, -4, 200])?;
    let floats = session.buffer(&[0.25f32, 1.5e10, -0.125, 1024.0])?;
    let result = session.buffer(&[7])?;
    let kernel = program.kernel("test")?;
    session.run(&kernel, &[1], &[1], &[&ints, &floats, &result])?;
    crate::compare::equal("the results of printf", &session.read(&result)?, &[0])?;
    print(session, &scalars())
}

/// Checks the output of [`scalar`].
pub fn scalar_printed(text: &str) -> Result<()> {
    let mixed = mixed().into_iter().map(|line| vec![line]);
    compare(text, mixed.chain(lines(&scalars())))
}

/// Vectors of one type in all widths. Flags, width and precision apply to each component.
fn vectors_of(element: Element, length: &'static str) -> Vec<Table> {
    let values: Vec<u64> = if element.is_floating() {
        numbers(element)
    } else {
        let [low, high] = element.range();
        let near = [
            0,
            1,
            low,
            high,
            42,
            high / 2,
            high / 2 + 1,
            -1,
            100,
            7,
            64,
            19,
        ];
        bits(element, &near)
    };
    let flags: &[&str] = match element.kind {
        super::element::Kind::Signed => &["", "-", "+", "0", " "],
        super::element::Kind::Unsigned => &["", "0", "#", "-"],
        super::element::Kind::Floating { .. } => &["", "+", "0", "#", "-"],
    };
    let mut tables = Vec::new();
    for width in [2, 3, 4, 8, 16] {
        let lanes = values.iter().cycle().take(2 * width).copied().collect();
        let precisions = [None, Some("3")];
        tables.push(Table::new(element, width, lanes).combinations(
            conversions(element),
            length,
            flags,
            &[None, Some(9)],
            &precisions,
        ));
        if element.is_floating() {
            let lanes = values.iter().take(width).copied().collect();
            tables.push(Table::new(element, width, lanes).combinations(
                &['a'],
                length,
                &["", "+"],
                &[None, Some(15)],
                &[None],
            ));
        }
    }
    tables
}

fn vector_tables() -> Vec<Table> {
    [
        (CHAR, "hh"),
        (UCHAR, "hh"),
        (SHORT, "h"),
        (USHORT, "h"),
        (INT, "hl"),
        (UINT, "hl"),
        (LONG, "l"),
        (FLOAT, "hl"),
    ]
    .into_iter()
    .flat_map(|(element, length)| vectors_of(element, length))
    .collect()
}

/// Vectors of integers and floats.
pub fn vectors(session: &Session) -> Result<()> {
    print(session, &vector_tables())
}

/// Checks the output of [`vectors`].
pub fn vectors_printed(text: &str) -> Result<()> {
    compare(text, lines(&vector_tables()))
}

fn double_tables() -> Vec<Table> {
    let mut tables = vectors_of(DOUBLE, "l");
    for length in ["", "l"] {
        tables.push(Table::new(DOUBLE, 1, numbers(DOUBLE)).combinations(
            conversions(DOUBLE),
            length,
            &FLOATING_FLAGS[..6],
            &[None, Some(17)],
            &[None, Some("0"), Some("15")],
        ));
    }
    tables
}

/// Doubles and vectors of doubles.
pub fn doubles(session: &Session) -> Result<()> {
    print(session, &double_tables())
}

/// Checks the output of [`doubles`].
pub fn doubles_printed(text: &str) -> Result<()> {
    compare(text, lines(&double_tables()))
}

fn ulong_tables() -> Vec<Table> {
    vectors_of(ULONG, "l")
}

/// Vectors of `ulong`.
pub fn ulongs(session: &Session) -> Result<()> {
    print(session, &ulong_tables())
}

/// Checks the output of [`ulongs`].
pub fn ulongs_printed(text: &str) -> Result<()> {
    compare(text, lines(&ulong_tables()))
}

fn half_tables() -> Vec<Table> {
    vectors_of(HALF, "h")
}

/// Vectors of `half`.
pub fn halves(session: &Session) -> Result<()> {
    print(session, &half_tables())
}

/// Checks the output of [`halves`].
pub fn halves_printed(text: &str) -> Result<()> {
    compare(text, lines(&half_tables()))
}
