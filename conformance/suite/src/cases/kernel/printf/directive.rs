//! The output of directives by C99 (section 7.19.6.1) and OpenCL's vectors (section 6.12.13).

use super::super::element::{Element, Kind, Number};
use std::fmt::{Display, Formatter, Result};

/// A conversion specification.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// A selection of `-+ #0`.
    pub flags: &'static str,
    /// The minimum number of characters.
    pub width: Option<usize>,
    /// The number of digits after the point; `Some("")` is a point without digits.
    pub precision: Option<&'static str>,
    /// Components of a vector; 1 for a scalar.
    pub vector: usize,
    /// `hh`, `h`, `hl`, `l` or nothing.
    pub length: &'static str,
    /// The conversion specifier.
    pub conversion: char,
}

impl Display for Directive {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "%{}", self.flags)?;
        if let Some(width) = self.width {
            write!(f, "{width}")?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        if self.vector > 1 {
            write!(f, "v{}", self.vector)?;
        }
        write!(f, "{}{}", self.length, self.conversion)
    }
}

impl Directive {
    fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    fn precision(&self) -> Option<usize> {
        self.precision.map(|digits| digits.parse().unwrap_or(0))
    }

    /// Its output for the elements of a vector. There are several alternatives if C leaves the
    /// first digit open.
    pub fn format(&self, element: Element, values: &[u64]) -> Vec<String> {
        let parts: Vec<Vec<String>> = values
            .iter()
            .map(|&bits| match self.conversion {
                'a' | 'A' => self.hexadecimal(element, bits),
                _ if element.is_floating() => vec![self.decimal(element.double(bits))],
                _ => vec![self.integer(element.value(bits))],
            })
            .collect();
        let alternatives = parts.iter().map(Vec::len).max().unwrap_or(1);
        (0..alternatives)
            .map(|number| {
                let part = |part: &Vec<String>| part[number.min(part.len() - 1)].clone();
                parts.iter().map(part).collect::<Vec<String>>().join(",")
            })
            .collect()
    }

    /// Pads to the width: with zeros after the prefix, or with spaces.
    fn padded(&self, prefix: &str, body: &str, zeros: bool) -> String {
        let text = format!("{prefix}{body}");
        let missing = self.width.unwrap_or(0).saturating_sub(text.len());
        let (spaces, nulls) = (" ".repeat(missing), "0".repeat(missing));
        match (self.has('-'), zeros && self.has('0')) {
            (true, _) => text + &spaces,
            (false, true) => format!("{prefix}{nulls}{body}"),
            (false, false) => spaces + &text,
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.has('+'), self.has(' ')) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn integer(&self, value: i128) -> String {
        let bits = match self.length {
            "hh" => 8,
            "h" => 16,
            "l" => 64,
            _ => 32,
        };
        let low = value & ((1 << bits) - 1);
        let mut prefix = "";
        let digits = match self.conversion {
            'd' | 'i' => {
                let value = low - ((low >> (bits - 1)) << bits);
                prefix = self.sign(value < 0);
                value.unsigned_abs().to_string()
            }
            'u' => low.to_string(),
            'o' => format!("{low:o}"),
            'x' => format!("{low:x}"),
            'X' => format!("{low:X}"),
            other => panic!("%{other} is not for integers"),
        };
        let mut digits = match (self.precision(), low) {
            (Some(0), 0) => String::new(),
            (least, _) => format!("{digits:0>least$}", least = least.unwrap_or(1)),
        };
        if self.has('#') {
            match self.conversion {
                'o' if !digits.starts_with('0') => digits.insert(0, '0'),
                'x' if low != 0 => prefix = "0x",
                'X' if low != 0 => prefix = "0X",
                _ => {}
            }
        }
        self.padded(prefix, &digits, self.precision.is_none())
    }

    fn decimal(&self, value: f64) -> String {
        let sign = self.sign(value.is_sign_negative());
        let capitals = self.conversion.is_ascii_uppercase();
        let cased = |text: String| if capitals { text.to_uppercase() } else { text };
        let size = value.abs();
        if !size.is_finite() {
            let name = if size.is_nan() { "nan" } else { "inf" };
            return self.padded(sign, &cased(name.to_owned()), false);
        }
        let precision = self.precision().unwrap_or(6);
        let body = match self.conversion.to_ascii_lowercase() {
            'f' => self.fixed(size, precision),
            'e' => self.exponential(size, precision),
            'g' => {
                let digits = precision.max(1);
                let exponent = exponent(size, digits - 1);
                let text = if (-4..digits as i32).contains(&exponent) {
                    self.fixed(size, (digits as i32 - 1 - exponent) as usize)
                } else {
                    self.exponential(size, digits - 1)
                };
                if self.has('#') {
                    text
                } else {
                    without_zeros(&text)
                }
            }
            other => panic!("%{other} is not for floating-point numbers"),
        };
        self.padded(sign, &cased(body), true)
    }

    fn fixed(&self, size: f64, precision: usize) -> String {
        let point = if precision == 0 && self.has('#') {
            "."
        } else {
            ""
        };
        format!("{size:.precision$}{point}")
    }

    fn exponential(&self, size: f64, precision: usize) -> String {
        let text = format!("{size:.precision$e}");
        let (digits, exponent) = text.split_once('e').expect("there is an exponent");
        let exponent: i32 = exponent.parse().expect("it is a number");
        let point = if precision == 0 && self.has('#') {
            "."
        } else {
            ""
        };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}{point}e{sign}{:02}", exponent.abs())
    }

    /// Hexadecimal notation, with each first digit that C allows.
    fn hexadecimal(&self, element: Element, bits: u64) -> Vec<String> {
        let Number::Finite {
            negative,
            digits,
            exponent,
        } = element.number(bits)
        else {
            return vec![self.decimal(element.double(bits))];
        };
        let capitals = self.conversion == 'A';
        let sign = self.sign(negative);
        // The first digit has 1 to 4 bits, followed by a fraction of 64 bits.
        (1..=4)
            .map(|first| {
                let (fixed, power) = if digits == 0 {
                    (0, 0)
                } else {
                    let length = 128 - digits.leading_zeros() as i32;
                    (digits << (64 + first - length), exponent + length - first)
                };
                let (whole, fraction) = match self.precision() {
                    None => (fixed >> 64, format!("{:016x}", fixed as u64)),
                    Some(0) => (round(fixed, 64), String::new()),
                    Some(precision) => {
                        let cut = 64 - 4 * precision as u32;
                        let rounded = round(fixed, cut);
                        let whole = rounded >> (4 * precision);
                        let rest = rounded - (whole << (4 * precision));
                        (whole, format!("{rest:0precision$x}"))
                    }
                };
                let fraction = match self.precision {
                    None => fraction.trim_end_matches('0'),
                    Some(_) => &fraction,
                };
                let point = if fraction.is_empty() && !self.has('#') {
                    ""
                } else {
                    "."
                };
                let body = format!("{whole:x}{point}{fraction}p{power:+}");
                let (prefix, body) = if capitals {
                    (format!("{sign}0X"), body.to_uppercase())
                } else {
                    (format!("{sign}0x"), body)
                };
                self.padded(&prefix, &body, true)
            })
            .collect()
    }
}

/// `value / 2^cut`, rounded to the nearest integer, ties to even.
fn round(value: u128, cut: u32) -> u128 {
    let (whole, rest, half) = (value >> cut, value & ((1 << cut) - 1), 1 << (cut - 1));
    whole + u128::from(rest > half || rest == half && whole % 2 == 1)
}

/// The exponent that `%e` prints with `precision` digits after the decimal point.
fn exponent(size: f64, precision: usize) -> i32 {
    let text = format!("{size:.precision$e}");
    let (_, exponent) = text.split_once('e').expect("there is an exponent");
    exponent.parse().expect("it is a number")
}

fn without_zeros(text: &str) -> String {
    let (digits, exponent) = match text.find('e') {
        Some(place) => text.split_at(place),
        None => (text, ""),
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{digits}{exponent}")
}

/// The conversion specifiers for an element.
pub fn conversions(element: Element) -> &'static [char] {
    match element.kind {
        Kind::Signed => &['d', 'i'],
        Kind::Unsigned => &['u', 'o', 'x', 'X'],
        Kind::Floating { .. } => &['f', 'F', 'e', 'E', 'g', 'G'],
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::element::{CHAR, DOUBLE, Element, INT, UINT};
    use super::Directive;

    /// The output of the C library.
    fn of_c_library(directive: Directive, element: Element, bits: u64) -> String {
        let mut text = vec![0u8; 600];
        let format = std::ffi::CString::new(directive.to_string()).unwrap();
        let start = text.as_mut_ptr().cast();
        // SAFETY: the format takes just this argument, and the text has room.
        let length = unsafe {
            if element.is_floating() {
                libc::snprintf(start, text.len(), format.as_ptr(), f64::from_bits(bits))
            } else {
                libc::snprintf(
                    start,
                    text.len(),
                    format.as_ptr(),
                    element.value(bits) as i64,
                )
            }
        };
        text.truncate(length as usize);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn directives_print_what_the_c_library_prints() {
        let numbers = [
            0.0,
            -0.0,
            0.5,
            1.5,
            2.5,
            -0.125,
            1.0,
            9.5,
            99_999.95,
            123_456_789.0,
            1e-5,
            0.0001,
            1e300,
            -1e-300,
            5e-324,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.1,
            1e21,
            255.96875,
        ];
        let floats = numbers.map(|number: f64| {
            // C leaves the hexadecimal digits of denormalised numbers open.
            let conversions = if number == 5e-324 {
                "fFeEgG"
            } else {
                "fFeEgGaA"
            };
            (DOUBLE, number.to_bits(), conversions, "")
        });
        let integers = [0, 1, -1, 7, 255, i32::MIN, i32::MAX].map(|number| number as u32 as u64);
        let signed = integers.map(|bits| (INT, bits, "di", ""));
        let unsigned = integers.map(|bits| (UINT, bits, "uoxX", ""));
        let bytes = integers.map(|bits| (CHAR, bits & 0xFF, "di", "hh"));
        let mut count = 0;
        for (element, bits, conversions, length) in floats
            .into_iter()
            .chain(signed)
            .chain(unsigned)
            .chain(bytes)
        {
            for conversion in conversions.chars() {
                for flags in [
                    "", "-", "+", " ", "#", "0", "-+", "+0", "-0", "+ ", "#0", "#-", "+#0",
                ] {
                    for width in [None, Some(1), Some(12), Some(30)] {
                        for precision in
                            [None, Some(""), Some("0"), Some("1"), Some("3"), Some("12")]
                        {
                            let directive = Directive {
                                flags,
                                width,
                                precision,
                                vector: 1,
                                length,
                                conversion,
                            };
                            let library = of_c_library(directive, element, bits);
                            let ours = directive.format(element, &[bits]);
                            assert!(
                                ours.contains(&library),
                                "{directive}: {ours:?}, {library:?}"
                            );
                            count += 1;
                        }
                    }
                }
            }
        }
        assert!(count > 50_000);
    }

    #[test]
    fn components_stand_between_commas() {
        let directive = Directive {
            flags: "+",
            width: Some(4),
            precision: None,
            vector: 2,
            length: "hl",
            conversion: 'd',
        };
        assert_eq!(directive.to_string(), "%+4v2hld");
        assert_eq!(directive.format(INT, &[5, 0xFFFF_FFFF]), ["  +5,  -1"]);
    }
}
