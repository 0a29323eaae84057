//! The names of the functions of a machine's accelerators.

use crate::operation::Operation;

/// The functions of a machine's accelerators. Their places are the accelerator ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions(Vec<String>);

/// Why names cannot be those of functions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionsError {
    /// There are more than ids.
    #[error("{0} functions: the format has ids for {max}", max = Operation::FUNCTIONS)]
    TooMany(usize),
    /// Not a name.
    #[error(
        "\"{0}\" is no name of a function: letters, digits and _ only, beginning with no digit"
    )]
    Malformed(String),
    /// The name of an instruction.
    #[error("\"{0}\" is an instruction")]
    Reserved(String),
    /// Twice the same.
    #[error("\"{0}\" is the name of two functions")]
    Repeated(String),
}

impl Functions {
    /// Functions with these names, in the order of their ids.
    ///
    /// # Errors
    /// Too many, or names that are unusable.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self, FunctionsError> {
        let names: Vec<String> = names.into_iter().collect();
        if names.len() > usize::from(Operation::FUNCTIONS) {
            return Err(FunctionsError::TooMany(names.len()));
        }
        for (place, name) in names.iter().enumerate() {
            if !is_name(name) {
                return Err(FunctionsError::Malformed(name.clone()));
            }
            if Operation::named(name).is_some() || name == Operation::TASK {
                return Err(FunctionsError::Reserved(name.clone()));
            }
            if names[..place].contains(name) {
                return Err(FunctionsError::Repeated(name.clone()));
            }
        }
        Ok(Self(names))
    }

    /// The id of a function.
    pub fn id(&self, name: &str) -> Option<u8> {
        let place = self.0.iter().position(|other| other == name)?;
        u8::try_from(place).ok()
    }

    /// The function with this id.
    pub fn name(&self, id: u8) -> Option<&str> {
        self.0.get(usize::from(id)).map(String::as_str)
    }

    /// All, in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

fn is_name(name: &str) -> bool {
    let mut characters = name.bytes();
    let begins = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    characters.next().is_some_and(begins)
        && characters.all(|byte| begins(byte) || byte.is_ascii_digit())
}
