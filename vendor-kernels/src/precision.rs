//! The precision of a kernel's numbers.

use built_in_kernels::Element;
use serde::Deserialize;

/// The precision of a kernel's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// `half`
    Half,
    /// `float`
    Single,
    /// `double`
    Double,
}

impl Precision {
    /// The letter of its kernels' names.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Half => "h",
            Self::Single => "s",
            Self::Double => "d",
        }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> u64 {
        let element = match self {
            Self::Half => Element::Half,
            Self::Single => Element::Single,
            Self::Double => Element::Double,
        };
        element.bytes()
    }

    /// A type of the table, where T is a number of this precision.
    pub(crate) fn type_name(self, name: &str) -> String {
        let number = match self {
            Self::Half if name == "T" => "float",
            Self::Half => "half",
            Self::Single => "float",
            Self::Double => "double",
        };
        name.replace('T', number)
    }
}
