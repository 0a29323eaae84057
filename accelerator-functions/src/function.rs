//! A function and its arguments.

use expression::Expression;
use std::fmt;

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name: the name of OpenCL's kernel.
    pub name: String,
    /// What it computes, in words.
    pub what: String,
    /// What it computes, as a formula.
    pub result: String,
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
    pub(crate) compute: Compute,
}

/// Computes a function: its operands are those of its arguments.
pub(crate) type Compute = fn(&mut [Operand]);

/// An argument.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its type as OpenCL C writes it.
    pub type_name: String,
    /// What it is.
    pub what: String,
    /// Its kind.
    pub kind: ArgumentKind,
}

/// The kind of an argument.
#[derive(Debug)]
pub enum ArgumentKind {
    /// An array of numbers, complex ones as pairs.
    Array {
        /// How the function accesses it.
        access: Access,
        /// The precision of a number.
        precision: Precision,
        /// Numbers of an element: 2 of complex ones.
        width: u64,
        /// The number of elements, an expression of the sizes.
        elements: Expression,
        /// The same as text.
        elements_text: String,
    },
    /// A whole number from `least` to `most`, which the sizes of arrays depend on.
    Size {
        /// Its minimum.
        least: u32,
        /// Its maximum.
        most: u32,
    },
    /// A number of single precision.
    Number,
}

/// How a function accesses an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads all of it.
    Read,
    /// It writes all of it.
    Write,
    /// It reads and writes all of it.
    Update,
}

/// The precision of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `float`
    Single,
    /// `double`
    Double,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// An array of single precision.
    Array(Vec<f32>),
    /// An array of double precision.
    Doubles(Vec<f64>),
    /// A size.
    Size(u32),
    /// A number.
    Number(f32),
}

/// Why a function cannot be called with some arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A size is out of its range.
    #[error("argument {name} is {value}, which is not between {least} and {most}")]
    Size {
        /// The argument.
        name: String,
        /// Its value.
        value: u32,
        /// Its minimum.
        least: u32,
        /// Its maximum.
        most: u32,
    },
}

impl Precision {
    /// Bytes of a number.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Single => size_of::<f32>() as u64,
            Self::Double => size_of::<f64>() as u64,
        }
    }
}

impl Argument {
    /// Checks the value of a size.
    ///
    /// # Errors
    /// It is out of its range.
    pub fn check_size(&self, value: u32) -> Result<(), CallError> {
        match self.kind {
            ArgumentKind::Size { least, most } if !(least..=most).contains(&value) => {
                Err(CallError::Size {
                    name: self.name.clone(),
                    value,
                    least,
                    most,
                })
            }
            _ => Ok(()),
        }
    }

    /// Bytes of an array, where `size` has the sizes by name; 0 of other arguments.
    pub fn bytes(&self, size: &impl Fn(&str) -> Option<u32>) -> u64 {
        let ArgumentKind::Array {
            precision,
            width,
            elements,
            ..
        } = &self.kind
        else {
            return 0;
        };
        let mut value = |name: &str| size(name).map(f64::from).ok_or(());
        // The table is tested: it names sizes only, and their maxima fit.
        let count = elements.evaluate(&mut value).unwrap_or_default();
        count as u64 * width * precision.bytes()
    }
}

impl Function {
    /// Computes the function: arrays that it writes are replaced. The operands are those of its
    /// arguments: arrays have their elements, written ones too, and sizes have been checked.
    pub fn compute(&self, operands: &mut [Operand]) {
        (self.compute)(operands);
    }
}

/// The declaration in OpenCL C.
impl fmt::Display for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "kernel void {}(", self.name)?;
        for (place, argument) in self.arguments.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let space = match argument.kind {
                ArgumentKind::Array { .. } => "global ",
                _ => "",
            };
            let Argument {
                type_name, name, ..
            } = argument;
            write!(formatter, "{comma}{space}{type_name} {name}")?;
        }
        formatter.write_str(")")
    }
}
