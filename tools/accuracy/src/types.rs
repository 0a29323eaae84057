//! Scalar types of OpenCL C.

use crate::format::Format;

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `half`, `float` or `double`.
    Floating(Format),
    /// An integer type: bits, and whether it is signed.
    Integer(u32, bool),
}

/// `int`
pub const INT: Type = Type::Integer(32, true);

impl Type {
    /// The type's name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floating(format) => format.name(),
            Self::Integer(8, true) => "char",
            Self::Integer(8, false) => "uchar",
            Self::Integer(16, true) => "short",
            Self::Integer(16, false) => "ushort",
            Self::Integer(32, true) => "int",
            Self::Integer(32, false) => "uint",
            Self::Integer(_, true) => "long",
            Self::Integer(_, false) => "ulong",
        }
    }

    /// Bytes of a value.
    pub fn bytes(self) -> usize {
        match self {
            Self::Floating(format) => format.bytes(),
            Self::Integer(bits, _) => bits as usize / 8,
        }
    }

    /// The integer of a bit pattern.
    pub fn integer(self, bits: u64) -> i128 {
        match self {
            Self::Integer(width, true) => i128::from((bits << (64 - width)) as i64 >> (64 - width)),
            _ => i128::from(bits),
        }
    }

    /// A bit pattern as text.
    pub fn show(self, bits: u64) -> String {
        match self {
            Self::Floating(Format::Double) => hexadecimal(f64::from_bits(bits)),
            Self::Floating(format) => hexadecimal(format.value(bits)),
            Self::Integer(..) => self.integer(bits).to_string(),
        }
    }
}

/// C's hexadecimal notation, which is exact.
fn hexadecimal(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return format!("{sign}inf");
    }
    if value == 0.0 {
        return format!("{sign}0");
    }
    // The product is exact; it makes denormals normal.
    let (bits, shift) = if value.abs() < f64::MIN_POSITIVE {
        ((value * 2f64.powi(64)).to_bits(), 64)
    } else {
        (value.to_bits(), 0)
    };
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 - shift;
    let fraction = format!("{:013x}", bits & ((1 << 52) - 1));
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{fraction}p{exponent}")
}
