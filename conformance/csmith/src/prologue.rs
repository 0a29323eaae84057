//! The prologue of each program: csmith's integer types, and its arithmetic functions, which are
//! defined for all operands. It is both C99 and OpenCL C.

use std::fmt::Write as _;

/// The types, and the function that adds a value to the checksum.
const COMMON: &str = "\
#ifdef __OPENCL_VERSION__
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#else
#include <stdint.h>
#include <stdio.h>
#endif

static uint64_t fold(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * 0x9E3779B97F4A7C15UL;
    return sum ^ (sum >> 29);
}
#define transparent_crc(value, name, print) sum = fold(sum, (uint64_t)(value))

";

/// The prologue of a program: types, and the functions that it calls.
pub fn text(program: &str) -> String {
    let mut functions = String::new();
    for bits in [8, 16, 32, 64] {
        signed(&mut functions, bits);
        unsigned(&mut functions, bits);
    }
    let mut text = COMMON.to_owned();
    for line in functions.lines() {
        let called = line.find("safe_").zip(line.find('('));
        if called.is_some_and(|(start, end)| program.contains(&line[start..=end])) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// A function with a result of type `ty`. Writing to a `String` does not fail.
fn function(text: &mut String, ty: &str, name: &str, parameters: &str, result: &str) {
    let _ = writeln!(
        text,
        "static {ty} safe_{name}({parameters}) {{ return {result}; }}"
    );
}

fn signed(text: &mut String, bits: u32) {
    let ty = format!("int{bits}_t");
    let max = format!("({ty})0x{:x}L", (1_u64 << (bits - 1)) - 1);
    let min = format!("({ty})(-0x{:x}L - 1)", (1_u64 << (bits - 1)) - 1);
    let both = format!("{ty} a, {ty} b");
    let mut add = |operation: &str, kinds: &str, parameters: &str, result: &str| {
        let name = format!("{operation}_func_{ty}_{kinds}");
        function(text, &ty, &name, parameters, result);
    };
    let one = format!("{ty} a");
    add("unary_minus", "s", &one, &format!("a == {min} ? a : -a"));
    add(
        "add",
        "s_s",
        &both,
        &format!("(b > 0 && a > {max} - b) || (b < 0 && a < {min} - b) ? a : a + b"),
    );
    add(
        "sub",
        "s_s",
        &both,
        &format!("(b < 0 && a > {max} + b) || (b > 0 && a < {min} + b) ? a : a - b"),
    );
    // Without a check, because the product is computed with unsigned numbers.
    add(
        "mul",
        "s_s",
        &both,
        &format!("({ty})((uint64_t)a * (uint64_t)b)"),
    );
    for (operation, sign) in [("div", "/"), ("mod", "%")] {
        let checked = format!("b == 0 || (a == {min} && b == -1) ? a : a {sign} b");
        add(operation, "s_s", &both, &checked);
    }
    for (kinds, count) in [("s_s", "int"), ("s_u", "uint32_t")] {
        let operands = format!("{ty} a, {count} b");
        let outside = if count == "int" { "b < 0 || " } else { "" };
        let outside = format!("{outside}b >= {bits}");
        let left = format!("a < 0 || {outside} || a > ({max} >> b) ? a : a << b");
        add("lshift", kinds, &operands, &left);
        let right = format!("{outside} ? a : a >> b");
        add("rshift", kinds, &operands, &right);
    }
}

fn unsigned(text: &mut String, bits: u32) {
    let ty = format!("uint{bits}_t");
    let both = format!("{ty} a, {ty} b");
    let mut add = |operation: &str, kinds: &str, parameters: &str, result: &str| {
        let name = format!("{operation}_func_{ty}_{kinds}");
        function(text, &ty, &name, parameters, result);
    };
    add("unary_minus", "u", &format!("{ty} a"), "-a");
    add("add", "u_u", &both, "a + b");
    add("sub", "u_u", &both, "a - b");
    // Narrow operands become `int`, whose products can overflow.
    add("mul", "u_u", &both, &format!("({ty})((uint64_t)a * b)"));
    add("div", "u_u", &both, "b == 0 ? a : a / b");
    add("mod", "u_u", &both, "b == 0 ? a : a % b");
    for (kinds, count) in [("u_s", "int"), ("u_u", "uint32_t")] {
        let operands = format!("{ty} a, {count} b");
        let outside = if count == "int" { "b < 0 || " } else { "" };
        let outside = format!("{outside}b >= {bits}");
        let left = format!("{outside} ? a : ({ty})((uint64_t)a << b)");
        add("lshift", kinds, &operands, &left);
        add(
            "rshift",
            kinds,
            &operands,
            &format!("{outside} ? a : a >> b"),
        );
    }
}
