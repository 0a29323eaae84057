//! The arguments of one call of a function.

use crate::format::Format;
use crate::types::Type;
use rug::Float;

/// One set of arguments.
pub struct Case<'a> {
    /// The type for which the function is swept.
    pub format: Format,
    /// The arguments' types.
    pub types: &'a [Type],
    /// The arguments' bit patterns.
    pub bits: &'a [u64],
}

impl Case<'_> {
    /// A floating-point argument.
    pub fn value(&self, index: usize) -> f64 {
        match self.types[index] {
            Type::Floating(format) => format.value(self.bits[index]),
            kind => kind.integer(self.bits[index]) as f64,
        }
    }

    /// An integer argument.
    pub fn integer(&self, index: usize) -> i128 {
        self.types[index].integer(self.bits[index])
    }

    /// A floating-point argument, with room for exact arithmetic of `precision` bits.
    pub fn float(&self, index: usize, precision: u32) -> Float {
        Float::with_val(precision, self.value(index))
    }

    /// All floating-point arguments.
    pub fn values(&self) -> Vec<f64> {
        (0..self.types.len())
            .map(|index| self.value(index))
            .collect()
    }

    /// The arguments as text.
    pub fn show(&self) -> String {
        let shown = self.types.iter().zip(self.bits);
        let shown: Vec<String> = shown.map(|(kind, bits)| kind.show(*bits)).collect();
        shown.join(", ")
    }
}
