//! Lists of numbers in headers: `0..7 3*5 2*(1 -1)` is 0 to 7, three times 5, and 1 and -1 twice.

use anyhow::{Context, Result, bail, ensure};

/// The scalar types of buffers and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `char`, `short`, `int` and `long`, and their unsigned counterparts, by size in bytes.
    Integer(usize),
    /// `float`.
    Float,
    /// `double`.
    Double,
}

impl Scalar {
    /// The type of that name in OpenCL C.
    ///
    /// # Errors
    /// There is none.
    pub fn parse(name: &str) -> Result<Self> {
        Ok(match name {
            "char" | "uchar" => Self::Integer(1),
            "short" | "ushort" => Self::Integer(2),
            "int" | "uint" => Self::Integer(4),
            "long" | "ulong" => Self::Integer(8),
            "float" => Self::Float,
            "double" => Self::Double,
            _ => bail!("`{name}` is not a scalar type"),
        })
    }

    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Integer(size) => size,
            Self::Float => 4,
            Self::Double => 8,
        }
    }

    fn bytes(self, number: &str) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Integer(size) => {
                let number: i128 = match number.strip_prefix("0x") {
                    Some(digits) => i128::from_str_radix(digits, 16)?,
                    None => number.parse()?,
                };
                number.to_le_bytes()[..size].to_vec()
            }
            Self::Float => number.parse::<f32>()?.to_le_bytes().to_vec(),
            Self::Double => number.parse::<f64>()?.to_le_bytes().to_vec(),
        })
    }
}

/// The bytes of a list of numbers.
///
/// # Errors
/// The list is malformed.
pub fn parse(text: &str, scalar: Scalar) -> Result<Vec<u8>> {
    let (bytes, rest) = items(text, scalar)?;
    ensure!(rest.is_empty(), "`{rest}` follows the list");
    Ok(bytes)
}

/// The items up to the end of the text, or up to a `)`; and the text from there on.
fn items(mut text: &str, scalar: Scalar) -> Result<(Vec<u8>, &str)> {
    let mut bytes = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() || text.starts_with(')') {
            return Ok((bytes, text));
        }
        let (count, item) = match text.split_once('*') {
            Some((count, rest)) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
                (count.parse()?, rest)
            }
            _ => (1, text),
        };
        let one;
        (one, text) = match item.strip_prefix('(') {
            Some(inner) => {
                let (bytes, rest) = items(inner, scalar)?;
                (bytes, rest.strip_prefix(')').context("`)` is missing")?)
            }
            None => {
                let end = item.find([' ', ')']).unwrap_or(item.len());
                (range(&item[..end], scalar)?, &item[end..])
            }
        };
        bytes.extend(one.repeat(count));
    }
}

/// A number, or `first..last`, which includes the last.
fn range(text: &str, scalar: Scalar) -> Result<Vec<u8>> {
    let Some((first, last)) = text.split_once("..") else {
        return scalar
            .bytes(text)
            .with_context(|| format!("`{text}` is not a number"));
    };
    let numbers = first.parse::<i64>()?..=last.parse::<i64>()?;
    let bytes: Result<Vec<_>> = numbers.map(|n| scalar.bytes(&n.to_string())).collect();
    Ok(bytes?.concat())
}

/// The first element that differs, with its index.
pub fn difference(scalar: Scalar, expected: &[u8], found: &[u8]) -> Option<String> {
    let number = |bytes: &[u8]| {
        let mut whole = [if bytes[bytes.len() - 1] >= 0x80 {
            0xFF
        } else {
            0
        }; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        let bits = i64::from_le_bytes(whole);
        match scalar {
            Scalar::Integer(_) => bits.to_string(),
            Scalar::Float => f32::from_bits(bits as u32).to_string(),
            Scalar::Double => f64::from_bits(bits as u64).to_string(),
        }
    };
    let elements = |bytes| <[u8]>::chunks(bytes, scalar.size());
    let mut pairs = elements(expected).zip(elements(found)).enumerate();
    let (index, (right, wrong)) = pairs.find(|(_, (right, wrong))| right != wrong)?;
    Some(format!(
        "element {index} is {}, expected {}",
        number(wrong),
        number(right)
    ))
}

#[cfg(test)]
mod tests {
    use super::{Scalar, difference, parse};

    fn integers(text: &str) -> Vec<i32> {
        let bytes = parse(text, Scalar::Integer(4)).unwrap();
        let words = bytes.chunks(4);
        words
            .map(|word| i32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn lists_have_ranges_and_repetitions() {
        assert_eq!(integers("-1 0x10 2..4"), [-1, 16, 2, 3, 4]);
        assert_eq!(
            integers("2*7 2*(1 2*(3 0..1)) 9"),
            [7, 7, 1, 3, 0, 1, 3, 0, 1, 1, 3, 0, 1, 3, 0, 1, 9]
        );
        assert_eq!(parse("0.5", Scalar::Float).unwrap(), 0.5f32.to_le_bytes());
    }

    #[test]
    fn malformed_lists_are_refused() {
        for text in ["x", "2*(1", "1)", "1..y"] {
            assert!(parse(text, Scalar::Integer(4)).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let (right, wrong) = ([1, 0, 2, 0], [1, 0, 0xFE, 0xFF]);
        assert_eq!(difference(Scalar::Integer(2), &right, &right), None);
        assert_eq!(
            difference(Scalar::Integer(2), &right, &wrong).unwrap(),
            "element 1 is -2, expected 2"
        );
    }
}
