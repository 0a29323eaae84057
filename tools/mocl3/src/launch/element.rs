//! Types of a kernel's arguments, and values of them.

use anyhow::{Context, Result, bail};

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Signed,
    Unsigned,
    Float,
}

/// The scalar types of OpenCL C that arguments may have, with their size in bytes.
const SCALARS: [(&str, Number, usize); 10] = [
    ("char", Number::Signed, 1),
    ("uchar", Number::Unsigned, 1),
    ("short", Number::Signed, 2),
    ("ushort", Number::Unsigned, 2),
    ("int", Number::Signed, 4),
    ("uint", Number::Unsigned, 4),
    ("long", Number::Signed, 8),
    ("ulong", Number::Unsigned, 8),
    ("float", Number::Float, 4),
    ("double", Number::Float, 8),
];

/// A scalar or vector type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    number: Number,
    /// Bytes of a component.
    size: usize,
    components: usize,
}

impl Element {
    /// The type of this name, as `clGetKernelArgInfo` has it: `float4`, `uint`.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.trim();
        let name = match name.strip_prefix("unsigned ") {
            Some(signed) => &format!("u{signed}"),
            None => name,
        };
        let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let components = match &name[scalar.len()..] {
            "" => 1,
            count => count.parse().ok()?,
        };
        let (_, number, size) = SCALARS.iter().find(|(known, ..)| *known == scalar)?;
        Some(Self {
            number: *number,
            size: *size,
            components,
        })
    }

    /// Whether its components are floating-point numbers.
    pub fn is_float(self) -> bool {
        self.number == Number::Float
    }

    /// Bytes of an element: vectors of three occupy those of four.
    pub fn bytes(self) -> usize {
        self.size * self.components.next_power_of_two()
    }

    /// The bytes of a value: a number, or one for each component, separated by commas.
    ///
    /// # Errors
    /// A number is wrong or out of the type's range, or their count is.
    pub fn value(self, text: &str) -> Result<Vec<u8>> {
        let numbers: Vec<&str> = text.split(',').map(str::trim).collect();
        if numbers.len() != self.components {
            bail!("{text}: {} numbers are needed", self.components);
        }
        let mut bytes = Vec::with_capacity(self.bytes());
        for number in numbers {
            bytes.extend(self.number_of(number)?);
        }
        bytes.resize(self.bytes(), 0);
        Ok(bytes)
    }

    fn number_of(self, text: &str) -> Result<Vec<u8>> {
        let wrong = || format!("`{text}` is no number of {} bytes of this type", self.size);
        if self.number == Number::Float {
            let number: f64 = text.parse().with_context(wrong)?;
            return Ok(self.of_float(number));
        }
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (text, 10),
        };
        let number = i128::from_str_radix(digits, radix).with_context(wrong)?;
        let bits = self.size as u32 * 8;
        let range = match self.number {
            Number::Signed => -(1i128 << (bits - 1))..(1i128 << (bits - 1)),
            _ => 0..(1i128 << bits),
        };
        if !range.contains(&number) {
            bail!(wrong());
        }
        Ok(number.to_le_bytes()[..self.size].to_vec())
    }

    /// A component with about this value: integers are rounded down.
    fn of_float(self, number: f64) -> Vec<u8> {
        match (self.number, self.size) {
            (Number::Float, 4) => (number as f32).to_le_bytes().to_vec(),
            (Number::Float, _) => number.to_le_bytes().to_vec(),
            _ => (number as i128).to_le_bytes()[..self.size].to_vec(),
        }
    }

    /// `bytes` bytes whose components have these values, by number of the component.
    pub fn filled(self, bytes: usize, mut value: impl FnMut(usize) -> f64) -> Vec<u8> {
        let mut contents = Vec::with_capacity(bytes);
        for component in 0..bytes / self.size {
            contents.extend(self.of_float(value(component)));
        }
        contents.resize(bytes, 0);
        contents
    }

    /// The components of some bytes, as text.
    pub fn texts(self, bytes: &[u8]) -> Vec<String> {
        let components = bytes.chunks_exact(self.size);
        components.map(|component| self.text(component)).collect()
    }

    fn text(self, component: &[u8]) -> String {
        let mut whole = [0; 8];
        whole[..component.len()].copy_from_slice(component);
        let bits = u64::from_le_bytes(whole);
        let unused = 64 - 8 * self.size as u32;
        match (self.number, self.size) {
            (Number::Float, 4) => f32::from_bits(bits as u32).to_string(),
            (Number::Float, _) => f64::from_bits(bits).to_string(),
            (Number::Signed, _) => ((bits << unused) as i64 >> unused).to_string(),
            (Number::Unsigned, _) => bits.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_sizes_and_values() {
        let of = |name| Element::of_name(name).unwrap();
        assert_eq!(of("float3").bytes(), 16);
        assert_eq!(of("unsigned int"), of("uint"));
        assert_eq!(Element::of_name("image2d_t"), None);
        assert_eq!(of("int").value("-2").unwrap(), (-2i32).to_le_bytes());
        assert_eq!(of("uchar").value("0xff").unwrap(), [255]);
        assert_eq!(of("short2").value("1, -1").unwrap(), [1, 0, 255, 255]);
        assert_eq!(of("float").value("0.5").unwrap(), 0.5f32.to_le_bytes());
        for (name, text) in [
            ("uchar", "256"),
            ("int2", "1"),
            ("int", "1.5"),
            ("uint", "-1"),
        ] {
            assert!(of(name).value(text).is_err(), "{name} {text}");
        }
        let numbers = of("char").filled(3, |component| component as f64 - 1.0);
        assert_eq!(of("char").texts(&numbers), ["-1", "0", "1"]);
        assert_eq!(of("double").filled(20, |_| 2.0).len(), 20);
    }
}
