//! From csmith's text to one that is both C99 and OpenCL C.
//!
//! OpenCL C 1.2 has no variables at program scope that can be changed (section 6.5). So the
//! global variables become the members of a structure, which each work-item has for itself,
//! and whose address every function gets as its first argument. Each work-item but the first
//! starts with other values of the integers among them, so that work-items diverge. What a
//! csmith program does is defined whatever these values are: its arithmetic is checked, and
//! its indices are constants or the counters of loops.

use super::prologue;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// The name of the kernel, whose argument is a buffer with one `ulong` for each work-item.
pub const KERNEL: &str = "csmith";

/// The structure of global variables, and a pointer to it.
const GLOBALS: &str = "struct Globals";
const POINTER: &str = "globals";

/// The parts of a program as csmith prints it.
struct Parts<'t> {
    /// Structures and unions.
    types: Vec<&'t str>,
    /// Definitions of global variables, one per line.
    globals: Vec<&'t str>,
    /// Declarations and definitions of functions.
    functions: Vec<&'t str>,
    /// The statements of `main` after the program: the checksum.
    checksum: Vec<&'t str>,
}

/// The program for `items` work-items.
///
/// # Errors
/// The text does not have the form of csmith's programs.
pub fn translate(text: &str, items: usize) -> Result<String> {
    let parts = split(text)?;
    let mut members = String::new();
    let mut values = String::new();
    let mut changes = String::new();
    for line in &parts.globals {
        let global = Global::parse(line)?;
        writeln!(members, "    {};", global.declaration)?;
        let value = rewrite(global.value, "values.");
        writeln!(values, "        .{} = {value},", global.name)?;
        if global.is_integer() {
            let index = changes.lines().count();
            writeln!(
                changes,
                "    values.{} ^= change(item, {index});",
                global.name
            )?;
        }
    }
    let mut program = prologue::text(text);
    for line in &parts.types {
        writeln!(program, "{}", plain_suffixes(line))?;
    }
    // A structure has at least one member in C.
    writeln!(
        program,
        "\n{GLOBALS} {{\n{members}    int32_t unused;\n}};\n"
    )?;
    for line in &parts.functions {
        let line = rewrite(line, "globals->");
        writeln!(program, "{}", pass_globals(&line))?;
    }
    let checksum: Vec<String> = parts
        .checksum
        .iter()
        .map(|line| rewrite(line, "values."))
        .collect();
    write!(
        program,
        "
/* The first work-item starts with csmith's values, the others with values near to them
   and far from them alternately. */
static uint64_t change(uint64_t item, uint64_t index)
{{
    return index % 2 == 0 ? item : item * 0x9E3779B97F4A7C15UL;
}}

static uint64_t run(uint64_t item)
{{
    int i, j, k;
    uint64_t sum = 0;
    {GLOBALS} values = {{
{values}        .unused = 0
    }};
    {GLOBALS} *{POINTER} = &values;
{changes}    func_1({POINTER});
{checksum}
    return sum;
}}

#ifdef __OPENCL_VERSION__
kernel void {KERNEL}(global ulong *sums)
{{
    sums[get_global_id(0)] = run(get_global_id(0));
}}
#else
int main(void)
{{
    for (int item = 0; item < {items}; item++)
        printf(\"%lx\\n\", run(item));
    return 0;
}}
#endif
",
        checksum = checksum.join("\n")
    )?;
    Ok(program)
}

fn split(text: &str) -> Result<Parts<'_>> {
    let mut parts = Parts {
        types: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        checksum: Vec::new(),
    };
    let mut lines = text.lines();
    let mut in_main = false;
    for line in lines.by_ref() {
        // `#include`, and an unused variable.
        if line.starts_with(['#', '/']) || line.contains("__undefined") {
            continue;
        }
        if line.starts_with("int main") {
            in_main = true;
            break;
        }
        let before_value = line.split('=').next().unwrap_or(line);
        if line.starts_with("static ") && !before_value.contains('(') {
            parts.globals.push(line);
        } else if line.starts_with("static ") || !parts.functions.is_empty() {
            parts.functions.push(line);
        } else {
            parts.types.push(line);
        }
    }
    if !in_main {
        bail!("the program has no `main`");
    }
    let mut after_program = false;
    for line in lines {
        if line.contains("platform_main_end") {
            return Ok(parts);
        }
        if after_program && !line.contains("printf(") {
            parts.checksum.push(line);
        }
        after_program |= line.trim() == "func_1();";
    }
    bail!("`main` does not end with a checksum")
}

/// A global variable.
struct Global<'t> {
    /// The declaration without storage class and value.
    declaration: &'t str,
    name: &'t str,
    value: &'t str,
}

impl<'t> Global<'t> {
    fn parse(line: &'t str) -> Result<Self> {
        let parse = || {
            let line = line.strip_prefix("static ")?;
            let (declaration, rest) = line.split_once(" = ")?;
            let (value, _comment) = rest.rsplit_once(';')?;
            let start = declaration.find("g_")?;
            let name = declaration[start..].split('[').next()?.trim();
            Some(Self {
                declaration,
                name,
                value,
            })
        };
        parse().with_context(|| format!("no definition of a variable: {line}"))
    }

    /// Whether the variable is a single modifiable integer.
    fn is_integer(&self) -> bool {
        let mut words = self.declaration.split_whitespace();
        !self.declaration.contains(['*', '['])
            && words.all(|word| {
                word == "volatile"
                    || word.starts_with("g_")
                    || (word.ends_with("_t") && word.trim_start_matches('u').starts_with("int"))
            })
    }
}

/// Puts `path` before the names of global variables.
fn rewrite(text: &str, path: &str) -> String {
    let text = plain_suffixes(text);
    let mut result = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text.as_str();
    while let Some(place) = rest.find("g_") {
        let (before, name) = rest.split_at(place);
        result.push_str(before);
        let begins = !before.ends_with(is_of_word);
        let is_global = begins && name[2..].starts_with(|c: char| c.is_ascii_digit());
        // csmith writes names of variables in strings, which are not rewritten.
        if is_global && !before.ends_with('"') {
            result.push_str(path);
        }
        result.push_str("g_");
        rest = &name[2..];
    }
    result.push_str(rest);
    result
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Removes the suffix `LL`, which OpenCL C 1.2 reserves; `long` has 64 bits in both languages.
fn plain_suffixes(text: &str) -> String {
    text.replace("LL", "L")
}

/// Passes a pointer to the global variables in calls and declarations of functions.
fn pass_globals(line: &str) -> String {
    let is_declaration = line.starts_with("static ");
    let passed = if is_declaration {
        format!("{GLOBALS} *{POINTER}")
    } else {
        POINTER.to_owned()
    };
    let mut result = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(place) = rest.find("func_") {
        let digits = rest[place + 5..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(0);
        let (before, after) = rest.split_at(place + 5 + digits);
        result.push_str(before);
        rest = after;
        // `safe_add_func_int8_t_s_s` is a function of the prologue.
        if digits == 0 {
            continue;
        }
        if let Some(arguments) = after.strip_prefix('(') {
            result.push('(');
            result.push_str(&passed);
            rest = arguments.strip_prefix("void").unwrap_or(arguments);
            if !rest.starts_with(')') {
                result.push_str(", ");
            }
        }
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
// Options: --seed 1
#include \"csmith.h\"


static long __undefined;

struct S0 {
   int32_t  f0;
};

static int32_t g_2 = 6L;
static int32_t *g_3[2] = {&g_2,(void*)0};
static const volatile uint64_t g_44 = 0x1LL;
static volatile uint8_t g_5 = 1UL;/* VOLATILE GLOBAL g_5 */

static uint32_t  func_1(void);
static int32_t * func_6(int16_t  p_7);


static uint32_t  func_1(void)
{ 
    int32_t *l_8 = func_6(safe_add_func_int16_t_s_s(g_2, 4));
    return *l_8 + g_5;
}

static int32_t * func_6(int16_t  p_7)
{ 
    return &g_2;
}

int main (void)
{
    int i;
    int print_hash_value = 0;
    platform_main_begin();
    crc32_gentab();
    func_1();
    transparent_crc(g_2, \"g_2\", print_hash_value);
    if (print_hash_value) printf(\"index = [%d]\\n\", i);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}
";

    #[test]
    fn global_variables_become_members_and_functions_get_their_address() {
        let text = translate(PROGRAM, 3).unwrap();
        for line in [
            "struct S0 {",
            "    int32_t *g_3[2];",
            "        .g_3 = {&values.g_2,(void*)0},",
            "        .g_44 = 0x1L,",
            "static uint32_t  func_1(struct Globals *globals);",
            "static int32_t * func_6(struct Globals *globals, int16_t  p_7)",
            "    int32_t *l_8 = func_6(globals, safe_add_func_int16_t_s_s(globals->g_2, 4));",
            "    return *l_8 + globals->g_5;",
            "    transparent_crc(values.g_2, \"g_2\", print_hash_value);",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert!(!text.contains("index = "), "{text}");
        let called: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("int16_t safe_"))
            .collect();
        assert_eq!(called.len(), 1, "{called:?}");
    }

    #[test]
    fn only_integers_that_can_be_changed_differ_between_work_items() {
        let text = translate(PROGRAM, 3).unwrap();
        let changed: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(" ^= change"))
            .collect();
        assert_eq!(
            changed,
            [
                "    values.g_2 ^= change(item, 0);",
                "    values.g_5 ^= change(item, 1);"
            ]
        );
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(translate("", 1).is_err());
        assert!(translate("static int g_1;\nint main(void)\n{\n}\n", 1).is_err());
    }
}
