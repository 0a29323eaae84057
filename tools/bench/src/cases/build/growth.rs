//! Kernels of any length, to show how the time to compile one grows with it.

use std::fmt::Write;

/// The statements that a kernel consists of.
#[derive(Clone, Copy)]
pub enum Shape {
    /// Conditional statements, one after another.
    Ifs,
    /// Assignments, one after another.
    Statements,
    /// Chains of `else if`.
    ElseIfs,
    /// Functions, each of which calls the one before it.
    Calls,
    /// Barriers, each with an exchange over local memory before it.
    Barriers,
    /// Conditions that are uniform in the work-group, each with an exchange and two barriers.
    ConditionalBarriers,
    /// The cases of one `switch`.
    Switch,
}

/// Branches of a chain; a longer one is refused.
const LONGEST_CHAIN: usize = 5_000;

/// The source of kernel `grown(global int *x, local int *kept)`, of about `lines` lines.
pub fn source(shape: Shape, lines: usize) -> String {
    let mut text = String::new();
    let mut write = |line: std::fmt::Arguments<'_>| {
        text.write_fmt(line).expect("a String takes all");
        text.push('\n');
    };
    if let Shape::Calls = shape {
        write(format_args!("int f0(int x) {{ return x * 3 + 1; }}"));
        for n in 1..lines {
            let before = n - 1;
            let sum = format!("f{before}(x ^ {}) + {n}", n % 31);
            write(format_args!(
                "int f{n}(int x) {{ return x > {n} ? {sum} : x; }}"
            ));
        }
    }
    write(format_args!(
        "kernel void grown(global int *x, local int *kept) {{\n\
         size_t i = get_global_id(0), l = get_local_id(0);\n\
         int y = x[i];"
    ));
    match shape {
        Shape::Ifs => {
            for n in 0..lines {
                let (limit, by, place) = (n * 7 % 1000, n % 13 + 2, n % 64);
                write(format_args!("if (y > {limit}) y = y * {by} + x[{place}];"));
            }
        }
        Shape::Statements => {
            for n in 0..lines {
                let (by, place) = (n % 13 + 2, n % 64);
                write(format_args!("y = y * {by} + x[{place}];"));
            }
        }
        Shape::ElseIfs => {
            for n in 0..lines {
                let start = if n % LONGEST_CHAIN == 0 { "" } else { "else " };
                let (case, by) = (n * 3, n % 17 + 2);
                write(format_args!("{start}if (y == {case}) y = y * {by} + {n};"));
            }
        }
        Shape::Calls => write(format_args!("y = f{}(y);", lines - 1)),
        Shape::Barriers => {
            for n in 0..lines / 2 {
                write(format_args!("kept[l] = y; barrier(CLK_LOCAL_MEM_FENCE);"));
                write(format_args!(
                    "y += kept[l ^ {}]; barrier(CLK_LOCAL_MEM_FENCE);",
                    n % 8
                ));
            }
        }
        Shape::ConditionalBarriers => {
            for n in 0..lines / 2 {
                let (place, limit) = (n % 64, n % 100);
                write(format_args!(
                    "if (x[{place}] > {limit}) {{ kept[l] = y; barrier(CLK_LOCAL_MEM_FENCE);"
                ));
                write(format_args!(
                    "y += kept[l ^ {}]; barrier(CLK_LOCAL_MEM_FENCE); }}",
                    n % 8
                ));
            }
        }
        Shape::Switch => {
            write(format_args!("switch (y) {{"));
            for n in 0..lines {
                let (case, by) = (n * 3, n % 17 + 2);
                write(format_args!("case {case}: y = y * {by} + {n}; break;"));
            }
            write(format_args!("}}"));
        }
    }
    write(format_args!("x[i] = y;\n}}"));
    text
}
