//! The host function that a kernel's `printf` calls.

use super::directive::{Conversion, Directive, Part, next_part};
use super::{ArgumentType, Class};
use crate::fault;
use crate::ir::c_string;
use host_exec::printf_buffer;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::null_mut;
use std::sync::LazyLock;

/// Prints `format` with `count` arguments. 0, or -1 if the format is not valid or does
/// not fit the arguments; what could be printed is.
///
/// # Safety
/// As `lower` makes calls: `format` is a string, there are `count` types, and the values
/// lie one slot after the other. A value printed with `%s` is a string.
pub unsafe extern "C" fn printf(
    format: *const c_char,
    types: *const ArgumentType,
    count: u32,
    values: *const u8,
) -> c_int {
    if format.is_null() {
        return -1;
    }
    // SAFETY: as the caller promises.
    let (format, types) = unsafe {
        (
            CStr::from_ptr(format).to_bytes(),
            match count {
                0 => &[],
                _ => std::slice::from_raw_parts(types, count as usize),
            },
        )
    };
    let types = fault::printf_arguments(types);
    let mut arguments = Arguments { types, values };
    let mut text = Vec::with_capacity(2 * format.len());
    let valid = {
        let _locale = PlainLocale::enter();
        format_all(format, &mut arguments, &mut text)
    };
    printf_buffer::print(&text);
    if valid { 0 } else { -1 }
}

/// Arguments not yet printed.
struct Arguments<'a> {
    types: &'a [ArgumentType],
    values: *const u8,
}

/// An argument.
struct Argument {
    ty: ArgumentType,
    value: *const u8,
}

impl Arguments<'_> {
    fn next(&mut self) -> Option<Argument> {
        let (&ty, rest) = self.types.split_first()?;
        let value = self.values;
        self.types = rest;
        // SAFETY: values lie one slot after the other.
        self.values = unsafe { value.add(usize::from(ty.slot)) };
        Some(Argument { ty, value })
    }
}

/// A scalar, as wide as there are.
#[derive(Clone, Copy)]
enum Scalar {
    /// Its bits, and how many.
    Integer(u64, u32),
    Floating(f64),
    Pointer(*const c_char),
    /// A string of that many bytes.
    Text(*const c_char, u64),
}

impl Argument {
    fn element(&self, index: u8) -> Scalar {
        let bytes = usize::from(self.ty.bytes);
        let mut bits = [0; 8];
        // SAFETY: the value has `count` elements of `bytes` bytes, 8 at most.
        unsafe {
            let start = self.value.add(usize::from(index) * bytes);
            std::ptr::copy_nonoverlapping(start, bits.as_mut_ptr(), bytes);
        }
        let bits = u64::from_le_bytes(bits);
        match (self.ty.class, bytes) {
            (Class::Integer, _) => Scalar::Integer(bits, 8 * bytes as u32),
            (Class::Floating, 2) => Scalar::Floating(of_half(bits as u16)),
            (Class::Floating, 4) => Scalar::Floating(f64::from(f32::from_bits(bits as u32))),
            (Class::Floating, _) => Scalar::Floating(f64::from_bits(bits)),
            (Class::Pointer, _) => Scalar::Pointer(bits as *const c_char),
            (Class::Text, _) => {
                // SAFETY: the length follows the pointer in the slot.
                let length = unsafe { self.value.add(bytes).cast::<u64>().read_unaligned() };
                Scalar::Text(bits as *const c_char, length)
            }
        }
    }
}

/// Value of an IEEE 754 binary16.
fn of_half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let fraction = f64::from(bits & 0x3ff);
    sign * match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    }
}

fn sign_extend(bits: u64, from: u32) -> i64 {
    let unused = 64 - from;
    ((bits << unused) as i64) >> unused
}

fn format_all(mut format: &[u8], arguments: &mut Arguments<'_>, text: &mut Vec<u8>) -> bool {
    while !format.is_empty() {
        let (part, rest) = next_part(format);
        match part {
            Part::Verbatim(plain) => text.extend_from_slice(plain),
            Part::Directive(directive) => {
                let shown = arguments
                    .next()
                    .and_then(|argument| show(&directive, argument, text));
                if shown.is_none() {
                    text.extend_from_slice(format);
                    return false;
                }
            }
            Part::Invalid(whole) => {
                text.extend_from_slice(whole);
                return false;
            }
        }
        format = rest;
    }
    true
}

fn show(directive: &Directive, argument: Argument, text: &mut Vec<u8>) -> Option<()> {
    let Argument { ty, value } = argument;
    let ty = ty.for_directive(directive)?;
    let argument = Argument { ty, value };
    let elements = directive.vector.unwrap_or(1);
    let begin = text.len();
    for index in 0..elements {
        if index > 0 {
            text.push(b',');
        }
        if show_scalar(directive, argument.element(index), text).is_none() {
            text.truncate(begin);
            return None;
        }
    }
    Some(())
}

fn show_scalar(directive: &Directive, scalar: Scalar, text: &mut Vec<u8>) -> Option<()> {
    // C's own printf knows flags, width and precision; it is given the widest types.
    let specification = |end: &str| -> CString {
        let shape = String::from_utf8_lossy(&directive.shape);
        c_string(&format!("%{shape}{end}"))
    };
    match (directive.conversion, scalar) {
        (Conversion::Signed, Scalar::Integer(value, from)) => {
            let bits = directive.integer_bits(from);
            let value = sign_extend(sign_extend(value, from) as u64, bits);
            print_value(text, &specification("lld"), value);
        }
        (Conversion::Unsigned(letter), Scalar::Integer(value, from)) => {
            let bits = directive.integer_bits(from);
            let value = value & (u64::MAX >> (64 - bits));
            let end = format!("ll{}", char::from(letter));
            print_value(text, &specification(&end), value);
        }
        (Conversion::Floating(letter), Scalar::Floating(value)) => {
            // The sign of a NaN means nothing; C libraries print it.
            let value = if value.is_nan() { f64::NAN } else { value };
            let end = char::from(letter).to_string();
            print_value(text, &specification(&end), value);
        }
        (Conversion::Character, Scalar::Integer(value, _)) => {
            print_value(text, &specification("c"), c_int::from(value as u8));
        }
        (Conversion::Text, Scalar::Pointer(pointer)) => {
            let pointer = if pointer.is_null() {
                c"(null)".as_ptr()
            } else {
                pointer
            };
            print_value(text, &specification("s"), pointer);
        }
        (Conversion::Text, Scalar::Text(pointer, length)) => {
            // The length is a precision.
            let shape = String::from_utf8_lossy(&directive.shape);
            let (flags_and_width, _) = shape.split_once('.').unwrap_or((&shape, ""));
            let precision = directive.precision().unwrap_or(u64::MAX);
            let length = length.min(precision).min(i32::MAX as u64);
            let specification = c_string(&format!("%{flags_and_width}.{length}s"));
            let pointer = if pointer.is_null() {
                c"".as_ptr()
            } else {
                pointer
            };
            print_value(text, &specification, pointer);
        }
        (Conversion::Pointer, Scalar::Pointer(pointer)) => {
            print_value(text, &specification("p"), pointer);
        }
        _ => return None,
    }
    Some(())
}

/// The C locale on the calling thread, whatever the program has set, until this is dropped.
struct PlainLocale {
    before: libc::locale_t,
}

impl PlainLocale {
    fn enter() -> Self {
        /// Made once and never freed. It is null only if there was no memory for it.
        struct Made(libc::locale_t);
        // SAFETY: nothing changes or frees the locale.
        unsafe impl Send for Made {}
        // SAFETY: as above.
        unsafe impl Sync for Made {}
        static PLAIN: LazyLock<Made> = LazyLock::new(|| {
            // SAFETY: the name is a string; there is no base to change.
            Made(unsafe { libc::newlocale(libc::LC_ALL_MASK, c"C".as_ptr(), null_mut()) })
        });
        // SAFETY: a valid locale, or null, which changes nothing.
        let before = unsafe { libc::uselocale(PLAIN.0) };
        Self { before }
    }
}

impl Drop for PlainLocale {
    fn drop(&mut self) {
        // SAFETY: what `uselocale` gave back is valid on this thread.
        unsafe { libc::uselocale(self.before) };
    }
}

/// Prints one value with C's `printf`.
fn print_value<T: Copy>(text: &mut Vec<u8>, specification: &CStr, value: T) {
    let begin = text.len();
    let mut room = 64;
    loop {
        text.resize(begin + room, 0);
        // SAFETY: the specification was made for the type of this value; the text has
        // that much room.
        let length = unsafe {
            libc::snprintf(
                text[begin..].as_mut_ptr().cast(),
                room,
                specification.as_ptr(),
                value,
            )
        };
        let length = usize::try_from(length).unwrap_or(0);
        if length < room {
            text.truncate(begin + length);
            return;
        }
        room = length + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: ArgumentType = ArgumentType::passed(Class::Integer, 4, 1);
    const LONG: ArgumentType = ArgumentType::passed(Class::Integer, 8, 1);
    const DOUBLE: ArgumentType = ArgumentType::passed(Class::Floating, 8, 1);

    fn shown(format: &str, types: &[ArgumentType], values: &[u64]) -> (String, bool) {
        let mut arguments = Arguments {
            types,
            values: values.as_ptr().cast(),
        };
        let mut text = Vec::new();
        let valid = format_all(format.as_bytes(), &mut arguments, &mut text);
        (String::from_utf8(text).unwrap(), valid)
    }

    #[test]
    fn integers_have_the_length_that_the_modifier_says() {
        let minus_one = u64::from(u32::MAX);
        let cases = [
            ("%d", minus_one, "-1"),
            ("%u", minus_one, "4294967295"),
            ("%hhd", 0x1ff, "-1"),
            ("%hhu", 0x1ff, "255"),
            ("%hx", 0x12345, "2345"),
            ("%+05d", 42, "+0042"),
            ("%-6d|", 42, "42    |"),
            ("%#o", 8, "010"),
            ("%#X", 255, "0XFF"),
            ("% d", 7, " 7"),
            ("%.4d", 7, "0007"),
            ("%c", 65, "A"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(
                shown(format, &[INT], &[value]),
                (expected.to_owned(), true),
                "{format}"
            );
        }
        assert_eq!(shown("%ld", &[LONG], &[u64::MAX]).0, "-1");
        assert_eq!(shown("%lu", &[LONG], &[u64::MAX]).0, u64::MAX.to_string());
    }

    #[test]
    fn floating_point_is_c_s() {
        let cases = [
            ("%f", 1.5, "1.500000"),
            ("%.3e", 12345.678, "1.235e+04"),
            ("%g", 0.0001, "0.0001"),
            ("%a", 1.0, "0x1p+0"),
            ("%G", 1e-10, "1E-10"),
            ("%5.1f|", -0.05, " -0.1|"),
            ("%f", f64::INFINITY, "inf"),
            ("%F", f64::NEG_INFINITY, "-INF"),
            ("%#.0f", 3.0, "3."),
            ("%f", f64::NAN, "nan"),
            ("%f", -f64::NAN, "nan"),
            ("%+G|", -f64::NAN, "+NAN|"),
            ("%05.1e", -f64::NAN, "  nan"),
            ("%g", f64::NEG_INFINITY, "-inf"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(
                shown(format, &[DOUBLE], &[f64::to_bits(value)]),
                (expected.to_owned(), true),
                "{format}"
            );
        }
    }

    #[test]
    fn vectors_have_commas_and_each_element_its_width() {
        let floats = [1.0f32, 2.5, -3.0, 4.25].map(f32::to_bits);
        let values = [
            u64::from(floats[0]) | u64::from(floats[1]) << 32,
            u64::from(floats[2]) | u64::from(floats[3]) << 32,
        ];
        let float4 = ArgumentType::passed(Class::Floating, 4, 4);
        assert_eq!(
            shown("%6.2v4hlf!", &[float4], &values),
            ("  1.00,  2.50, -3.00,  4.25!".to_owned(), true)
        );
        let uchar4 = ArgumentType::passed(Class::Integer, 1, 4);
        assert_eq!(
            shown("%#v4hhx", &[uchar4], &[0xfbfc_fdfa]).0,
            "0xfa,0xfd,0xfc,0xfb"
        );
        assert_eq!(
            shown("%v4hhd", &[uchar4], &[0xff00_7f80]).0,
            "-128,127,0,-1"
        );
        let half2 = ArgumentType::passed(Class::Floating, 2, 2);
        assert_eq!(shown("%v2hg", &[half2], &[0x3c00_c000]).0, "-2,1");
        let half4 = ArgumentType::passed(Class::Floating, 2, 4);
        let not_finite = 0xfc00_7c00_7e00_fe00;
        assert_eq!(
            shown("%v4hg", &[half4], &[not_finite]).0,
            "nan,nan,inf,-inf"
        );
        // A small vector in the shape of a scalar.
        assert_eq!(shown("%v3hhu", &[INT], &[0xff03_0201]).0, "1,2,3");
        let float2 = u64::from(floats[1]) << 32 | u64::from(floats[0]);
        assert_eq!(shown("%v2hlg", &[DOUBLE], &[float2]).0, "1,2.5");
        assert_eq!(shown("%v2ld", &[DOUBLE], &[0]).0, "%v2ld");
    }

    #[test]
    fn strings_with_a_length_need_no_end() {
        let text = ArgumentType {
            slot: 16,
            ..ArgumentType::passed(Class::Text, 8, 1)
        };
        let values = [c"abcdef".as_ptr() as u64, 3, 7];
        let types = [text, INT];
        assert_eq!(shown("%5s %d", &types, &values).0, "  abc 7");
        assert_eq!(shown("%.2s|%d", &types, &values).0, "ab|7");
        assert_eq!(shown("%s", &[text], &[0, 0]).0, "");
        assert!(!shown("%p", &[text], &values).1);
    }

    #[test]
    fn what_does_not_fit_is_shown_as_it_is_and_refused() {
        assert_eq!(
            shown("a %d b %d", &[INT], &[1]),
            ("a 1 b %d".to_owned(), false)
        );
        assert_eq!(shown("%s.", &[INT], &[1]), ("%s.".to_owned(), false));
        assert_eq!(shown("%f", &[INT], &[1]), ("%f".to_owned(), false));
        assert_eq!(shown("%d", &[DOUBLE], &[1]), ("%d".to_owned(), false));
        assert_eq!(shown("%v4hd", &[INT], &[1]), ("%v4hd".to_owned(), false));
        assert_eq!(shown("%v4f", &[INT], &[1]), ("%v4f".to_owned(), false));
        assert_eq!(shown("100%", &[], &[]), ("100%".to_owned(), false));
    }

    #[test]
    fn halves_have_their_values() {
        let values = [
            (0x0001, 2f64.powi(-24)),
            (0x3555, 0.33325195),
            (0xfbff, -65504.0),
        ];
        for (bits, value) in values {
            assert!((of_half(bits) - value).abs() < 1e-8, "{bits:x}");
        }
        assert!(of_half(0x7e00).is_nan() && of_half(0xfc00) == f64::NEG_INFINITY);
    }
}
