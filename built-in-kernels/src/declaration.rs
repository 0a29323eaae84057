//! A built-in kernel and its arguments.

use expression::Expression;
use std::fmt;

/// The declaration of a built-in kernel.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// What it computes, in words.
    pub what: String,
    /// What it computes, as a formula.
    pub result: String,
    /// Its arguments in order.
    pub arguments: Vec<Argument>,
    /// What a launch has to meet besides the ranges of sizes.
    pub requirements: Vec<Requirement>,
}

/// An argument.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub enum ArgumentKind {
    /// An array of numbers, complex ones as pairs.
    Array {
        /// How the kernel accesses it.
        access: Access,
        /// The type of a number.
        element: Element,
        /// Numbers of an element: 2 of complex ones.
        width: u64,
        /// The number of elements, an expression of the sizes.
        elements: Expression,
        /// The same as text.
        elements_text: String,
    },
    /// A whole number of 32 bits from `least` to `most`, which the sizes of arrays depend on.
    Size {
        /// Its minimum; it is signed if this is negative.
        least: i64,
        /// Its maximum.
        most: i64,
    },
    /// A number of single or double precision.
    Number(Element),
}

/// How a kernel accesses an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads all of it.
    Read,
    /// It writes all of it.
    Write,
    /// It reads and writes elements of it.
    Update,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// `half`
    Half,
    /// `float`
    Single,
    /// `double`
    Double,
    /// `int`
    Integer,
}

/// A condition on the sizes.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// It is met if this is not negative.
    pub at_least_0: Expression,
    /// The condition in words.
    pub what: String,
}

/// Why a kernel cannot be launched with some arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A size is out of its range.
    #[error("argument {name} is {value}, which is not between {least} and {most}")]
    Size {
        /// The argument.
        name: String,
        /// Its value.
        value: i64,
        /// Its minimum.
        least: i64,
        /// Its maximum.
        most: i64,
    },
    /// A requirement is not met.
    #[error("the kernel requires that {0}")]
    Requirement(String),
}

impl Element {
    /// Bytes of a number.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Half => 2,
            Self::Single | Self::Integer => 4,
            Self::Double => 8,
        }
    }
}

impl ArgumentKind {
    /// The size that these 32 bits are; none if the argument is no size.
    pub fn size(&self, bits: u32) -> Option<i64> {
        match self {
            Self::Size { least, .. } if *least < 0 => Some(i64::from(bits.cast_signed())),
            Self::Size { .. } => Some(i64::from(bits)),
            Self::Array { .. } | Self::Number(_) => None,
        }
    }
}

impl Argument {
    /// Checks the value of a size.
    ///
    /// # Errors
    /// It is out of its range.
    pub fn check_size(&self, value: i64) -> Result<(), CallError> {
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
    pub fn bytes(&self, size: &impl Fn(&str) -> Option<i64>) -> u64 {
        let ArgumentKind::Array {
            element,
            width,
            elements,
            ..
        } = &self.kind
        else {
            return 0;
        };
        // Tables are tested: they name sizes only.
        let count = value(elements, size).unwrap_or_default();
        (count as u64).saturating_mul(width * element.bytes())
    }
}

impl Declaration {
    /// Checks what a launch has to meet, where `size` has the sizes by name.
    ///
    /// # Errors
    /// The first requirement that is not met.
    pub fn check(&self, size: &impl Fn(&str) -> Option<i64>) -> Result<(), CallError> {
        let mut requirements = self.requirements.iter();
        // As for arrays: all names are sizes.
        let unmet = requirements.find(|one| value(&one.at_least_0, size).is_none_or(|v| v < 0.0));
        match unmet {
            None => Ok(()),
            Some(requirement) => Err(CallError::Requirement(requirement.what.clone())),
        }
    }

    /// Its arguments as a table in Markdown.
    pub fn table(&self) -> String {
        let mut table =
            "| argument | | elements or range | |\n| --- | --- | --- | --- |\n".to_owned();
        for argument in &self.arguments {
            let (role, range) = match &argument.kind {
                ArgumentKind::Array {
                    access,
                    elements_text,
                    ..
                } => {
                    let role = match access {
                        Access::Read => "read",
                        Access::Write => "written",
                        Access::Update => "read and written",
                    };
                    (role, format!("`{elements_text}`"))
                }
                ArgumentKind::Size { least, most } => ("size", format!("{least} to {most}")),
                ArgumentKind::Number(_) => ("number", String::new()),
            };
            let Argument { name, what, .. } = argument;
            table += &format!("| `{name}` | {role} | {range} | {what} |\n");
        }
        table
    }
}

/// The value of an expression of sizes; none if it has another name.
fn value(expression: &Expression, size: &impl Fn(&str) -> Option<i64>) -> Option<f64> {
    let mut value = |name: &str| size(name).map(|size| size as f64).ok_or(());
    expression.evaluate(&mut value).ok()
}

/// The declaration in OpenCL C.
impl fmt::Display for Declaration {
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
